"""Sweeps and searches: ``stickslip.sweep`` and ``stickslip.find``."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native, _toml
from ._arrays import number, whole
from ._dataset import SweepResult
from ._folder import OwnFolder
from ._request import output_words, pair_words, vary_words, word, write_points
from .errors import SweepError
from .scenario import Scenario, scenarios

if TYPE_CHECKING:
    import pandas

__all__ = ["Found", "SweepResult", "find", "outputs", "sweep", "write_points"]


#: The greatest whole number that the library takes.
MOST_WHOLE = (1 << 64) - 1


def _scenario(scenario: Any, overrides: Any) -> Scenario:
    return Scenario(scenario, overrides)


def _diagram(scenario: Scenario, **asked: Any) -> Scenario:
    """The scenario with this diagram in place of its own; where runs start does not depend on what is collected of them."""
    wanted = {name: table for name, table in asked.items() if table is not None}
    if not wanted:
        return scenario
    if len(wanted) > 1:
        raise SweepError("a sweep is either a bifurcation diagram or of spectra", "leave one of the two out")
    ((name, table),) = wanted.items()
    if not isinstance(table, Mapping) or "column" not in table:
        raise SweepError(f"{name} is {table!r}", f'write {name}={{"column": "…"}}, and what else the table of a file may have')
    own = scenario.to_dict().get("sweep", {})
    before = [own.pop(other) for other in asked if other in own]
    carry = {"carry": other["carry"] for other in before if "carry" in other}
    return scenario.set({"sweep": {**own, name: {**carry, **table}}})


def _command(given: Any, overrides: Any, scenario: Scenario, folder: Path) -> str:
    """The command that runs the scenario; by the file in the folder where it has no other."""
    sets = _toml.overrides(overrides)
    if isinstance(given, Scenario):
        name, _, known = given._native.source() or ("", "", [])
        given, sets = (name if name in scenarios() else ""), [*known, *sets]
    if not isinstance(given, (str, os.PathLike)) or not os.fspath(given):
        return shown(f"stickslip run '{folder / 'scenario.toml'}'")
    return shown(f"stickslip run {os.fspath(given)}") + "".join(f" --set '{one}'" for one in sets)


def shown(text: str) -> str:
    """A text in which what is no Unicode, as names of files may be, is shown as such."""
    return text.encode("utf-8", "replace").decode("utf-8")


def sweep(
    scenario: Any,
    points: Any = None,
    *,
    vary: Any = None,
    set: Mapping[str, Any] | None = None,
    let: Any = None,
    outputs: Any = None,
    classes: Any = None,
    samples: int | None = None,
    seed: int | None = None,
    design: str | None = None,
    bifurcation: Mapping[str, Any] | None = None,
    spectrum: Mapping[str, Any] | None = None,
    orbits: Any = None,
    out: str | os.PathLike[str] | None = None,
    client: Any = None,
    threads: int | None = None,
    report: bool | None = None,
    progress: Callable[[int, int, float | None], object] | None = None,
    yes: bool = False,
) -> SweepResult:
    """Runs a scenario at many points and gathers outputs in one dataset: ``stickslip sweep`` from Python, with the same files.

    scenario
        The name of a built-in scenario, the path of a file, or a ``Scenario``.
    points
        A dictionary of arrays of equal length, a list of dictionaries, a DataFrame (a column for each key, a row for each point), or the path
        of a CSV file.
    vary
        A dictionary of keys and ranges (``"0.2:1:17"``, ``"1 kN m:2 kN m:21"``, with ``:log`` for equal ratios), lists or distributions
        (``"normal(1200 kg, 60 kg)"``), or a list of ``"key=range"`` as for the command. All are combined, the last varies fastest.
        Without ``points`` and ``vary``, what the scenario's table ``[sweep]`` says.
    set
        Values that all points have: ``{"wheel.mass": "350 kg"}``.
    let
        Keys that follow from what is varied: ``{"run.duration": "10/road.friction"}``.
    outputs
        A name, a list of names or of ``"name=formula"``, or a dictionary of names and formulas. ``stickslip.outputs(scenario)`` lists names.
    classes
        A dictionary of names and conditions; the first that holds is the class of a run.
    samples, seed, design
        How many random samples, which, and how they are laid out (``"random"``, ``"latin-hypercube"``, ``"sobol"``).
    bifurcation
        A diagram over the last key that is varied, in place of outputs: the table ``[sweep.bifurcation]`` as a dictionary, such as
        ``{"column": "psi", "at": "sticks.ground", "transient": "5 s", "carry": {"initial.angle": "end.psi"}}``; ``carry`` is that of the
        file unless it is given. Without a client.
    spectrum
        Spectra over it: ``{"column": "vx_block"}``, with ``transient`` and ``most`` as there.
    orbits
        Columns whose motion in the second half of a run tells runs apart: basins of attraction.
    out
        The folder of the dataset. If it holds the same sweep, unfinished, this goes on with it. None: a folder that goes with the result.
    client
        A ``dask.distributed.Client``: points are run by its workers. None: by ``threads`` of this machine (by default one for each core).
    report
        Whether ``sweep.csv``, pictures and ``report.html`` are written as well; by default where ``out`` is given.
    progress
        Called now and then with points done, points in all, and the seconds left, or None as long as nobody can tell.
    yes
        Begin however long it takes and however large it will be.
    """
    if points is None and isinstance(vary, (Mapping, list, tuple)) and not vary:
        raise SweepError("nothing is varied: vary is empty", "leave it out to run what the scenario's table [sweep] says")
    given, scenario = scenario, _diagram(_scenario(scenario, set), bifurcation=bifurcation, spectrum=spectrum)
    own = OwnFolder("stickslip-sweep-")
    file = None
    if isinstance(points, (str, os.PathLike)):
        file = os.fspath(points)
    elif points is not None:
        file = str(write_points(points, Path(own.name) / "points.csv"))
    request = {
        "vary": vary_words(vary),
        "follow": pair_words(let, "let"),
        "outputs": output_words(outputs),
        "classes": pair_words(classes, "classes"),
        "orbits": output_words(orbits),
        "samples": None if samples is None else whole("samples", samples, 1, MOST_WHOLE),
        "seed": None if seed is None else whole("seed", seed, 0, MOST_WHOLE),
        "design": design,
        "points": file,
    }
    folder = Path(out) if out is not None else Path(own.name) / "sweep"
    command = _command(given, set, scenario, folder)
    plan = _native.Sweep(scenario._native, request, command)
    pages = report if report is not None else out is not None
    if client is None:
        plan.run(folder, None if threads is None else whole("threads", threads, 1, 4096), pages, yes, progress)
    else:
        from . import _dask

        _dask.check(client)
        gathering = plan.gather(folder, _dask.threads_of(client), yes)
        try:
            _dask.run(plan, gathering, client, progress)
            gathering.finish(pages)
        finally:
            gathering.close()
    return SweepResult(folder, plan=plan, command=command, scenario=scenario, keep=own)


def outputs(scenario: Any) -> dict[str, str]:
    """What a sweep can gather of each run: names and what they mean, with their units. Formulas may use them, too."""
    told = _scenario(scenario, None)._native.outputs()
    return {name: meaning if unit in ("", "1") else f"{meaning} [{unit}]" for name, unit, meaning in told}


@dataclass(frozen=True)
class Found:
    """What a search found; ``float(found)`` is its value.

    key, value, unit
        The key that was changed; where the condition holds, on that side of the boundary, or where the output is least or greatest, in SI units.
    beyond
        The nearest value on the other side of the boundary; None for a least or greatest one.
    upwards
        Whether the condition holds from the value upwards; None for a least or greatest one.
    outputs
        Outputs at the value, by name.
    plateau
        A range over which the least or greatest value is the very same; None where there is none.
    runs
        All runs in their order: columns ``value`` and the outputs.
    """

    #: The key that was changed.
    key: str
    #: Where the condition holds, on that side of the boundary; or where the output is least or greatest. In SI units.
    value: float
    #: Unit of the value.
    unit: str
    #: The nearest value on the other side of the boundary; None for a least or greatest one.
    beyond: float | None
    #: Whether the condition holds from the value upwards; None for a least or greatest one.
    upwards: bool | None
    #: Outputs at the value, by name.
    outputs: dict[str, float]
    #: A range over which the least or greatest value is the very same; None where there is none.
    plateau: tuple[float, float] | None
    #: All runs in their order: columns ``value`` and the outputs.
    runs: dict[str, np.ndarray] = field(repr=False)

    def __float__(self) -> float:
        return self.value

    def to_pandas(self) -> pandas.DataFrame:
        """The runs as a DataFrame."""
        import pandas

        return pandas.DataFrame(self.runs)


def find(
    scenario: Any,
    bracket: str | Mapping[str, Any],
    *,
    until: str | None = None,
    minimise: str | None = None,
    maximise: str | None = None,
    set: Mapping[str, Any] | None = None,
    let: Any = None,
    outputs: Any = None,
    tolerance: float | None = None,
    scan: int = 9,
) -> Found:
    """Looks for the value of one key: ``stickslip find`` from Python.

    ``find("park-on-slope", "road.friction=0:1", until="end.x == 0")`` bisects: the condition must hold at one end and not at the other.
    ``minimise`` and ``maximise`` look at ``scan`` values, and refine the best of them between its neighbours. ``tolerance`` is a share of the
    greater end. The bracket may also be a dictionary: ``{"road.friction": (0, 1)}``.
    """
    scenario = _scenario(scenario, set)
    if isinstance(bracket, Mapping):
        if len(bracket) != 1:
            raise SweepError(f"the bracket has {len(bracket)} keys", "one key is changed at a time")
        ((key, ends),) = bracket.items()
        if not isinstance(ends, str):
            ends = ":".join(word(end, f"an end of {key}") for end in ends)
        bracket = f"{key}={ends}"
    wanted = {
        "bracket": bracket,
        "until": until,
        "minimise": minimise,
        "maximise": maximise,
        "tolerance": None if tolerance is None else number("tolerance", tolerance),
        "scan": whole("scan", scan, 0, MOST_WHOLE),
        "follow": pair_words(let, "let"),
        "outputs": output_words(outputs),
    }
    answer = _native.find(scenario._native, wanted)
    names = answer.pop("names")
    tried = answer.pop("runs")
    runs = {"value": np.array([value for value, _ in tried])}
    runs |= {name: np.array([outputs[k] for _, outputs in tried]) for k, name in enumerate(names)}
    return Found(**{**answer, "outputs": dict(zip(names, answer["outputs"])), "runs": runs})

