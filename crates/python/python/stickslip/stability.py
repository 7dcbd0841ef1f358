"""Small motions about a steady state: ``stickslip.stability``."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._folder import OwnFolder
from ._request import pair_words
from .scenario import Scenario

if TYPE_CHECKING:
    import pandas

__all__ = ["Stability", "stability"]


def stability(
    scenario: Any,
    overrides: Any = None,
    *,
    vary: Any = None,
    find: Any = None,
    threads: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
) -> Stability:
    """Is sliding or rolling stable, and from which value on? ``stickslip stability`` from Python, with the same files.

    scenario, overrides
        As of ``stickslip.run``.
    vary
        One or two keys and their ranges: ``{"pad.pad.friction": "0:0.5:101"}``, with ``:log`` for equal ratios.
    find
        Keys whose critical values are looked for, each between two numbers: ``{"support.belt.speed": "0.05:1"}``.
    threads
        How many share the points; by default one for each core. What comes out does not depend on it.
    out
        A folder for the files. None: one that goes with the result.

    >>> s = stability("belt-falling-friction", find={"support.belt.speed": "0.05:1"})
    >>> round(s.critical["support.belt.speed"][0], 12)
    0.230258509299
    """
    own = scenario if isinstance(scenario, Scenario) and not overrides else Scenario(scenario, overrides)
    keep = OwnFolder("stickslip-stability-") if out is None else None
    folder = Path(keep.name, "stability") if keep else Path(os.fspath(out or ""))
    words = pair_words(vary, "vary"), pair_words(find, "find")
    return Stability(own, Path(_native.stability_into(own._native, folder, *words, threads, force)), keep)


class Stability:
    """Roots λ = σ ± iω of small motions about the steady state of a scenario; what has σ > 0 grows."""

    def __init__(self, scenario: Scenario, folder: Path, keep: Any = None) -> None:
        #: What was looked at.
        self.scenario = scenario
        #: The folder with all files.
        self.folder = folder
        self._keep = keep
        #: What the command writes into `stability.json`.
        self.summary: dict[str, Any] = json.loads((folder / "stability.json").read_text("utf-8"))
        #: The table `eigenvalues.csv`, column by column: varied keys, ``real``, ``frequency`` [Hz], … of each root.
        self.table: dict[str, np.ndarray] = dict(_native.read_numbers(folder / "eigenvalues.csv") or [])

    def __getstate__(self) -> dict[str, Any]:
        """With its files: it can be read where the folder is not."""
        files = {str(path.relative_to(self.folder)): path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        return {"scenario": self.scenario, "files": files}

    def __setstate__(self, state: dict[str, Any]) -> None:
        keep = OwnFolder("stickslip-stability-")
        for place, content in state["files"].items():
            path = Path(keep.name, place)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self.__init__(state["scenario"], Path(keep.name), keep)  # type: ignore[misc]

    @property
    def unstable(self) -> bool | None:
        """Whether a small motion grows, of the scenario as it stands; None where it has no steady state."""
        return self.summary["unstable"]

    @property
    def state(self) -> str | None:
        """What state that is, in words."""
        return self.summary["state"]

    @property
    def modes(self) -> list[dict[str, Any]]:
        """Modes of the scenario as it stands, the fastest growing first: ``real``, ``frequency``, ``angular_frequency``, ``damping_ratio``,
        ``tendency``, ``shape``, ``residual``, ``condition``."""
        return self.summary.get("modes", [])

    @property
    def eigenvalues(self) -> np.ndarray:
        """Their roots σ + iω [1/s], ω ≥ 0: one of each conjugate pair."""
        return np.array([complex(mode["real"], mode["angular_frequency"]) for mode in self.modes], dtype=complex)

    @property
    def critical(self) -> dict[str, list[float]]:
        """Critical values that were found of each key, in SI units: a list, whether there are none, one or several."""
        none = {key: [] for key in self.unanswered}
        return none | {key: [crossing["value"] for crossing in found] for key, found in self.crossings.items()}

    @property
    def units(self) -> dict[str, str]:
        """SI units of the keys that were varied or looked at; empty for pure numbers."""
        return self.summary["units"]

    @property
    def crossings(self) -> dict[str, list[dict[str, Any]]]:
        """The same with frequency, uncertainty, and on which side it is unstable."""
        return self.summary["crossings"]

    @property
    def unanswered(self) -> dict[str, str]:
        """Keys of which nothing can be said where others have an answer, and why."""
        return self.summary["unanswered"]

    @property
    def everywhere(self) -> dict[str, dict[str, Any]]:
        """Of keys without a critical value: whether it is ``unstable`` at all values that were looked at, and ``words``."""
        return self.summary["everywhere"]

    @property
    def points(self) -> list[dict[str, Any]]:
        """Of each point of what is varied: ``values``, number of ``unstable`` modes, and its fastest growing root."""
        return self.summary.get("points", [])

    @property
    def varied(self) -> list[str]:
        """Keys that were varied."""
        return self.summary.get("varied", [])

    @property
    def doubts(self) -> list[str]:
        """What is to be read with care, in sentences."""
        return self.summary["doubts"]

    @property
    def report(self) -> str:
        """The command's report: one HTML page that works offline."""
        return (self.folder / "report.html").read_text("utf-8")

    def to_pandas(self) -> pandas.DataFrame:
        """The table of roots as a DataFrame."""
        import pandas

        return pandas.DataFrame(self.table)

    def plot(self, axes: Any = None) -> Any:
        """The roots in the plane; over one varied key their growth and frequency; over two a map of the fastest growth, with the border of
        stability. Gives the axes."""
        from ._stability_plot import plot

        return plot(self, axes)

    def _repr_html_(self) -> str:
        from ._page import frame

        return frame(self.report, self.scenario.name)

    def __repr__(self) -> str:
        verdict = {True: "unstable", False: "stable", None: "no steady state"}[self.unstable]
        lines = [f"<stickslip.Stability of {self.scenario.name}: {verdict}>"]
        lines += [f"  {root.real:+.6g} 1/s at {root.imag / (2 * np.pi):.6g} Hz" for root in self.eigenvalues[:8]]
        lines += [f"  {key} = {value:.12g} {self.units[key]}".rstrip() for key, values in self.critical.items() for value in values]
        return "\n".join(lines)
