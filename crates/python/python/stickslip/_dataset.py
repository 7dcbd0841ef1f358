"""The dataset of a sweep, from its folder."""

from __future__ import annotations

import html
import json
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._near import meant
from .errors import DatasetError, SweepError

if TYPE_CHECKING:
    import pandas
    import polars
    from matplotlib.figure import Figure

#: Folders of blocks: of Parquet, or of CSV where the package was built without it.
_DATA = {"sweep.parquet": "parquet", "sweep.blocks": "csv"}

#: What the column ``error`` begins with where a run has its outputs, and only makes them doubtful.
_WARNED = "warning: "


class SweepResult:
    """What a sweep came to. ``r["stopping_distance"]`` is an array over the points; NaN (None for words) where a run does not have it.

    Columns are flat, one row for each point, of which the last key varies fastest; ``r.grid("stopping_distance")`` has one axis for each key.

    ``SweepResult(folder)`` opens a dataset that the command has written.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        plan: _native.Sweep | None = None,
        command: str | None = None,
        scenario: Any = None,
        keep: Any = None,
    ) -> None:
        #: The folder of the dataset; that of a sweep without ``out=`` goes when the result does.
        self.path = Path(path)
        self._plan, self._command, self._scenario, self._keep = plan, command, scenario, keep
        try:
            self._columns = json.loads((self.path / "columns.json").read_text(encoding="utf-8"))
            #: What the columns came to: counts, least and greatest values, means, classes.
            self.summary: dict[str, Any] = json.loads((self.path / "summary.json").read_text(encoding="utf-8"))
        except OSError as error:
            raise DatasetError(f"{self.path} holds no complete sweep: {error}", "name the folder of one") from None

    def __len__(self) -> int:
        return self.summary["points"]

    @property
    def names(self) -> list[str]:
        """Names of the columns: what is varied, outputs, ``class``, ``error``."""
        return [column["name"] for column in self._columns]

    @property
    def units(self) -> dict[str, str]:
        """Units by name; ``1`` for pure numbers, empty for words."""
        return {column["name"]: column["unit"] for column in self._columns}

    @property
    def meanings(self) -> dict[str, str]:
        """What the columns are, by name."""
        return {column["name"]: column["meaning"] for column in self._columns}

    @property
    def files(self) -> list[Path]:
        """The files of the dataset, in the order of the points."""
        found = [sorted((self.path / name).glob(f"block-*.{end}")) for name, end in _DATA.items()]
        return [file for files in found for file in files]

    @cached_property
    def arrays(self) -> dict[str, np.ndarray]:
        """All columns by name."""
        described = [(c["name"], c["unit"], c["meaning"], c["text"]) for c in self._columns]
        blocks = [_native.read_dataset_block(file, described) for file in self.files]
        rows = sum(len(block[0]) for block in blocks)
        if rows != len(self):
            raise DatasetError(
                f"{self.path} holds {rows} rows of {len(self)}: blocks are missing, or the folder is gone",
                "run the same sweep with out= again: it makes missing blocks anew",
            )
        arrays = {}
        for k, column in enumerate(self._columns):
            parts = [np.array(block[k], dtype=object) if column["text"] else block[k] for block in blocks]
            arrays[column["name"]] = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return arrays

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.arrays:
            raise KeyError(f"there is no column {name!r}{meant(name, self.names)}; there are {', '.join(self.names)}")
        return self.arrays[name]

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def grid(self, name: str) -> np.ndarray:
        """A column with one axis for each key that is varied, in their order, and one for random samples after them: of two keys with 9 values each,
        9 × 9."""
        plan = self._known_plan("grid")
        shape = [count for _, kind, count, _ in plan.axes if kind != "random"]
        shape += [count for _, kind, count, _ in plan.axes if kind == "random"][:1]
        if plan.has_table or plan.diagram is not None or int(np.prod(shape)) != len(self):
            raise SweepError("the points of this sweep lie on no grid", "take the columns as they are: one row for each point")
        return self[name].reshape(shape)

    @property
    def errors(self) -> dict[int, str]:
        """Points with errors, and what went wrong there. Outputs of a run that ended before its time are there nevertheless."""
        return {} if not self.summary["errors"] else {i: text for i, text in self._told() if not text.startswith(_WARNED)}

    @property
    def warnings(self) -> dict[int, str]:
        """Points whose outputs are doubtful, and why."""
        if not self.summary.get("warnings"):
            return {}
        return {i: text.removeprefix(_WARNED) for i, text in self._told() if text.startswith(_WARNED)}

    def _told(self) -> list[tuple[int, str]]:
        return [(i, text) for i, text in enumerate(self["error"]) if text is not None]

    def to_pandas(self) -> pandas.DataFrame:
        """The dataset as a DataFrame; units are in ``.attrs["units"]``."""
        import pandas

        frame = pandas.DataFrame(self.arrays)
        frame.attrs["units"] = self.units
        return frame

    def to_polars(self) -> polars.DataFrame:
        """The dataset as a DataFrame of polars, in which what is missing is null."""
        import polars

        texts = {column["name"] for column in self._columns if column["text"]}
        kinds = {name: polars.String if name in texts else polars.Float64 for name in self.names}
        lists = {name: all.tolist() if name in texts else all for name, all in self.arrays.items()}
        return polars.DataFrame(lists, schema=kinds, nan_to_null=True)

    def _known_plan(self, what: str) -> _native.Sweep:
        if self._plan is None:
            raise SweepError(f"a dataset that was opened has no {what}", "call stickslip.sweep with the same out= instead")
        return self._plan

    def _point(self, i: int) -> int:
        if not -len(self) <= i < len(self):
            raise IndexError(f"there is no point {i}: there are {len(self)}")
        return i % len(self)

    def settings(self, i: int) -> list[str]:
        """What is set at a point: ``key=value``, as for ``--set``."""
        return self._known_plan("settings of points").settings(self._point(i))

    def command(self, i: int) -> str:
        """The command that makes the run of a point again."""
        return (self._command or "") + "".join(f" --set {_quoted(one)}" for one in self.settings(i))

    def run(self, i: int) -> Any:
        """The run of a point, with all that the sweep did not keep: the same bits."""
        from .result import run

        return run(self._scenario, self.settings(i))

    def plot(self, output: str | None = None, ax: Any = None) -> Figure:
        """Curves over one key, maps over two, bands of random samples. ``output``: which, or ``"class"``; without
        it the classes where there are some, else all outputs below each other (in ``ax`` the first)."""
        from ._sweep_plot import plot

        return plot(self, self._known_plan("picture"), output, ax)

    def __repr__(self) -> str:
        errors = self.summary["errors"]
        told = f", {errors} with errors" if errors else ""
        return f"<SweepResult: {len(self)} points{told}; {', '.join(self.names)}; {self.path}>"

    def _repr_html_(self) -> str:
        row = "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>"
        head = row.format("", "least", "greatest", "mean", "points with it").replace("td>", "th>")
        rows = []
        for column in self.summary["columns"]:
            ends = column.get("range")
            unit = f" ({column['unit']})" if column["unit"] not in ("", "1") else ""
            values = [f"{value:.6g}" for _, value in ends] if ends else ["–", "–"]
            mean = f"{column['mean']:.6g}" if "mean" in column else "–"
            rows.append(row.format(html.escape(column["name"] + unit), *values, mean, column["known"]))
        return f"<p>{html.escape(repr(self).split(';')[0].lstrip('<'))}</p><table>{head}{''.join(rows)}</table>"


def _quoted(argument: str) -> str:
    """An argument as a shell takes it."""
    if all(sign.isascii() and (sign.isalnum() or sign in "._=+-/") for sign in argument):
        return argument
    return "'" + argument.replace("'", "'\\''") + "'"

