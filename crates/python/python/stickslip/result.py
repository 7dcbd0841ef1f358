"""Runs of whole scenarios, and what comes of them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import ItemsView, Iterator, KeysView
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._folder import OwnFolder
from ._near import Named, meant
from .errors import RunError
from .scenario import Scenario

if TYPE_CHECKING:
    import pandas
    import polars

__all__ = ["Result", "run"]


def run(
    scenario: Any, overrides: Any = None, out: str | os.PathLike[str] | None = None, *, force: bool = False
) -> Result:
    """Runs a scenario to its end.

    `scenario` is the name of a built-in scenario, the path of a file, a `Scenario`, or a dictionary; `overrides` are other
    values, ``{"wheel.mass": "350 kg"}``. With `out`, everything that the command writes goes into that folder, too.
    """
    own = scenario if isinstance(scenario, Scenario) and not overrides else Scenario(scenario, overrides)
    result = Result(own)
    if out is not None:
        folder = Path(out)
        alone = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
        saved = result.save(folder, force=force)
        # Where other files lie, these are not of this run alone.
        result._out = saved.resolve() if alone else None
    return result


#: What is known of a run in memory: plain data, which travels where the run itself does not.
KEPT = ("columns", "arrays", "events", "contacts", "strips", "contact_strips", "measures", "warnings", "early")


class Result:
    """What came of a run.

    Columns of the trajectory by name, ``r["x1"]``, as NumPy arrays that share the memory of the run (they cannot be written to); the
    same numbers as in the command's `trajectory.csv`, to the bit. Beyond 20 000 steps only every n-th has a row, with the least n that gives no
    more rows than that: the time between rows is ``r.t[1] - r.t[0]``, not the step of the run. `status`, `message` and `success` are meant as those of
    ``scipy.integrate.solve_ivp``: 0 where the run reached its end, 1 where its model ended before, −1 where the result means
    nothing.
    """

    def __init__(self, scenario: Scenario) -> None:
        #: What was run.
        self.scenario = scenario
        self._folder: OwnFolder | None = None
        self._out: Path | None = None
        self._summary: dict[str, Any] | None = None
        self._tables: dict[str, dict[str, np.ndarray]] | None = None
        self._kept = None
        if scenario._native.in_time:
            self._kept = _native.run_in_memory(scenario._native)
            self._arrays = dict(zip((note[0] for note in self._kept.columns), self._kept.arrays, strict=True))
        else:
            self._arrays = next(iter(self.tables.values()), {})

    # Between processes

    def __getstate__(self) -> dict[str, Any]:
        """All but the folders: one is made again when it is asked for."""
        state = {**vars(self), "_folder": None, "_out": None}
        if self._kept:
            state["_kept"] = SimpleNamespace(**{name: getattr(self._kept, name) for name in KEPT})
        else:
            state["_summary"] = self.summary
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        for array in self._arrays.values():
            array.flags.writeable = False

    # What came of it

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._arrays[name]
        except KeyError:
            raise KeyError(f"there is no column {name!r}{meant(name, self._arrays)}; there are: {', '.join(self._arrays)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._arrays

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        """Columns."""
        return len(self._arrays)

    def keys(self) -> KeysView[str]:
        """Names of the columns."""
        return self._arrays.keys()

    def items(self) -> ItemsView[str, np.ndarray]:
        """Names and columns."""
        return self._arrays.items()

    def _ipython_key_completions_(self) -> list[str]:
        return self.columns

    @property
    def t(self) -> np.ndarray | None:
        """Times of the rows [s]; None for what is solved once."""
        return self._times if self._kept else None

    @property
    def _times(self) -> np.ndarray:
        """The first column."""
        return next(iter(self._arrays.values()))

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._arrays)

    @property
    def units(self) -> dict[str, str]:
        """SI units of the columns, ``1`` for pure numbers."""
        return {name: unit for name, unit, _ in self._notes()}

    @property
    def meanings(self) -> dict[str, str]:
        """What the columns are."""
        return {name: meaning for name, _, meaning in self._notes()}

    def _notes(self) -> list[tuple[str, str, str]]:
        if self._kept:
            return [(name, unit, meaning) for name, unit, meaning, _ in self._kept.columns]
        notes = {note["name"]: note for note in self.summary.get("columns", [])}
        empty = {"unit": "", "meaning": ""}
        return [(n, notes.get(n, empty)["unit"], notes.get(n, empty)["meaning"]) for n in self._arrays]

    @property
    def status(self) -> int:
        """0: at its end; 1: the model ended before its time; −1: the result means nothing."""
        if self._void():
            return -1
        return 1 if self._kept and self._kept.early else 0

    @property
    def success(self) -> bool:
        """Whether the run reached its end and means something."""
        return self.status == 0

    @property
    def message(self) -> str:
        """How it ended, in words."""
        if void := self._void():
            return "not to be used: " + "; ".join(void)
        if self._kept is None:
            return "solved"
        return self._kept.early or f"reached its end, t = {self._times[-1]:g} s"

    def _void(self) -> list[str]:
        return [text for _, severity, text in self._graded() if severity == "error"]

    def _graded(self) -> list[tuple[str, str, str]]:
        if self._kept:
            return self._kept.warnings
        told = self.summary.get("warnings", [])
        return [(w["about"], w["severity"], w["text"]) if isinstance(w, dict) else ("model", "warning", str(w)) for w in told]

    @property
    def warnings(self) -> list[str]:
        """What makes the result doubtful, in sentences. What a study of the step finds besides is in `summary`."""
        return [text for _, _, text in self._graded()]

    @property
    def events(self) -> np.ndarray:
        """Changes of contacts, as a structured array: ``t``, ``contact``, ``from``, ``to``, ``words``."""
        return as_events(self._kept.events if self._kept else [])

    @property
    def t_events(self) -> dict[str, np.ndarray]:
        """Times at which each contact changed its state [s]."""
        if not self._kept:
            return {}
        events = self.events
        return {contact: events["t"][events["contact"] == contact] for contact in self._kept.contacts}

    def events_frame(self) -> pandas.DataFrame:
        """The events as a pandas DataFrame."""
        import pandas

        names = ["t", "contact", "from", "to", "words"]
        return pandas.DataFrame(self._kept.events if self._kept else [], columns=names)

    @property
    def measures(self) -> dict[str, float]:
        """What the run comes to, in SI units: stopping distance, lock times, period, …"""
        if self._kept:
            return Named({name: value for name, value, _, _ in self._kept.measures})
        summary = self.summary
        return Named(
            summary.get("measures")
            or {name: value for name, value in summary.items() if isinstance(value, float | int) and not isinstance(value, bool)}
        )

    @property
    def measure_units(self) -> dict[str, str]:
        """SI units of the measures."""
        if self._kept:
            return {name: unit for name, _, unit, _ in self._kept.measures}
        return self.summary.get("measure_units", {})

    @property
    def strips(self) -> dict[str, list[tuple[float, float, str]]]:
        """What wheels or contacts did over time: name → (from, to, state)."""
        return dict(self._kept.strips) if self._kept else {}

    # The files of the command

    @property
    def folder(self) -> Path:
        """The folder with everything that the command writes: the one given as ``out=``, as long as it is there. Without one, a folder of the
        result's own, made when it is first asked for, by running the scenario with the studies of the command (the same input gives the same
        bits), which goes with the result."""
        if self._out is not None and (self._out / "summary.json").is_file():
            return self._out
        if self._folder is None:
            folder = OwnFolder("stickslip-")
            _native.run_into(self.scenario._native, os.path.join(folder.name, "run"))
            self._folder = folder
        return Path(self._folder.name, "run")

    @property
    def summary(self) -> dict[str, Any]:
        """What the command writes into `summary.json`, its study of the step included."""
        if self._summary is None:
            self._summary = json.loads((self.folder / "summary.json").read_text("utf-8"))
        return self._summary

    @property
    def tables(self) -> dict[str, dict[str, np.ndarray]]:
        """All tables of numbers that the command writes, by the names of their files: name → column → array."""
        if self._tables is None:
            read = {path.stem: _native.read_numbers(path) for path in sorted(self.folder.glob("*.csv"))}
            first = ["trajectory", "elements", "nodes", "curve", "history"]
            names = sorted(read, key=lambda name: (first.index(name) if name in first else len(first), name))
            known = {name: read[name] for name in names}
            self._tables = {name: dict(table) for name, table in known.items() if table is not None}
        return self._tables

    def save(self, folder: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Writes what the command writes, the same files to the bit."""
        folder = Path(folder)
        if self._folder is None and self._kept:
            return Path(_native.run_into(self.scenario._native, folder, force))
        if folder.exists() and not folder.is_dir():
            raise RunError(f"{folder} is a file, not a folder; nothing was written")
        if folder.is_dir() and any(folder.iterdir()) and not force:
            raise RunError(
                f"{folder} holds files already; nothing was written\n"
                "  help: name another folder, or say force=True to overwrite a run's files in it"
            )
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        return folder

    @property
    def report(self) -> str:
        """The command's report: one HTML page that works offline."""
        return (self.folder / "report.html").read_text("utf-8")

    # Tables and pictures elsewhere

    def to_pandas(self) -> pandas.DataFrame:
        """The columns as a pandas DataFrame of its own, which can be written to."""
        import pandas

        return pandas.DataFrame(self._arrays, copy=True)

    def to_polars(self) -> polars.DataFrame:
        """The columns as a polars DataFrame."""
        import polars

        return polars.DataFrame(self._arrays)

    def plot(self, *columns: str, axes: Any = None) -> Any:
        """Draws columns over time with matplotlib, those of one unit together, in the colours of the reports: blue behind curves where
        everything sticks or rolls or stands, orange where something slips. Without names, the speeds, those of
        rims with the other sign: what rolls lies on the chassis. Gives a list of axes, one for each unit; ``axes``
        are drawn into if they are given."""
        from ._plot import plot

        return plot(self, columns, axes)

    def _repr_html_(self) -> str:
        """The interactive report in a frame of its own, which can reach nothing and needs no network."""
        from ._page import frame

        return frame(self.report, self.scenario.name)

    def __repr__(self) -> str:
        lines = [f"<stickslip.Result of {self.scenario.name}>", f"  status: {self.status}, {self.message}"]
        if self._kept:
            lines.append(f"  {len(self._times)} rows of {', '.join(self._arrays)}")
            lines.append(f"  {len(self._kept.events)} events")
        for name, value in list(self.measures.items())[:8]:
            unit = self.measure_units.get(name, "")
            lines.append(f"  {name}: {value:g}{'' if unit in ('', '1') else ' ' + unit}")
        return "\n".join(lines)


#: Fields of events and the characters that their texts have room for, so that the type does not hang on what happens in a run.
EVENTS = {"contact": 32, "from": 8, "to": 8, "words": 64}


def as_events(told: list[Any], words: bool = True) -> np.ndarray:
    """Events as a structured array, with or without their words. A longer text has twice the room, and so on: nothing is cut off."""
    fields: list[tuple[str, str]] = [("t", "f8")]
    for k, (name, room) in enumerate(EVENTS.items(), 1):
        if words or name != "words":
            longest = max((len(event[k]) for event in told), default=0)
            while room < longest:
                room *= 2
            fields.append((name, f"U{room}"))
    return np.array([tuple(event) for event in told], dtype=fields)
