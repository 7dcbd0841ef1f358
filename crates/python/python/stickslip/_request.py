"""What is asked of a sweep, from the ways in which Python says it to the words of the command."""

from __future__ import annotations

import csv
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ._toml import UNMASK, is_masked, is_quantity, quantity
from .errors import SweepError

__all__ = ["vary_words", "pair_words", "output_words", "write_points"]


def word(value: Any, what: str) -> str:
    """A value as a cell of a table of points has it; numbers by the shortest digits that give the same bits back."""
    if is_masked(value):
        raise _masked(what)
    if is_quantity(value):
        value = quantity(value)
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:  # A scalar of NumPy.
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise SweepError(f"{what} is {value}", "values of points are finite numbers, words, true or false")
        return repr(value)
    if isinstance(value, str) and value.strip():
        return value
    raise SweepError(
        f"{what} is {value!r}, of the type {type(value).__name__}",
        'write a number in SI units, a text with a unit such as "4 mm", a word, True or False',
    )


def _masked(what: str) -> SweepError:
    return SweepError(f"{what} {UNMASK}", "a point whose values are not known cannot be run")


def _toml(value: Any, what: str) -> str:
    text = word(value, what)
    return json.dumps(text, ensure_ascii=False) if isinstance(value, str) or is_quantity(value) else text


def _is_list(value: Any) -> bool:
    return (isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))) or hasattr(value, "to_list")


def vary_words(vary: Any) -> list[str]:
    """``{"ground.friction": "0.2:1:17", "wheel.mass": [300, 350]}``, or a list of ``"key=range"``."""
    if vary is None:
        return []
    if isinstance(vary, str):
        return [vary]
    if isinstance(vary, Mapping):
        return [f"{key}={_axis(key, value)}" for key, value in vary.items()]
    if isinstance(vary, Sequence) and all(isinstance(one, str) for one in vary):
        return list(vary)
    raise SweepError(
        f"vary is of the type {type(vary).__name__}",
        'write a dictionary of keys and ranges or lists, or a list of "key=range"',
    )


def _axis(key: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (set, frozenset)):
        raise SweepError(f"{key} is varied over a set, which has no order", f"write a list: {sorted(value, key=str)}")
    if is_masked(value):
        raise _masked(f"what {key} is varied over")
    if _is_list(value):
        entries = list(value)
        if not entries:
            raise SweepError(f"{key} is varied over an empty list", "write at least one value")
        return "[" + ", ".join(_toml(one, f"a value of {key}") for one in entries) + "]"
    raise SweepError(
        f"{key} is varied over {value!r}", 'write a range such as "0.2:1:17", a list, or "normal(1, 0.1)"'
    )


def pair_words(pairs: Any, name: str) -> list[str]:
    """``{"run.duration": "10/v"}``, or a list of ``"key=formula"``."""
    if pairs is None:
        return []
    if isinstance(pairs, str):
        return [pairs]
    if isinstance(pairs, Mapping):
        return [f"{key}={value}" for key, value in pairs.items()]
    if isinstance(pairs, Sequence) and all(isinstance(one, str) for one in pairs):
        return list(pairs)
    raise SweepError(f"{name} is of the type {type(pairs).__name__}", "write a dictionary of texts, or a list of them")


def output_words(outputs: Any) -> list[str]:
    """``"stopping_distance"``, a list of such, or a dictionary of names and formulas."""
    return pair_words(outputs, "outputs")


def _columns(points: Any) -> dict[str, list[Any]]:
    """Columns of points by their keys."""
    if hasattr(points, "columns") and hasattr(points, "__getitem__"):  # A DataFrame of pandas or polars.
        names = [str(key) for key in points.columns]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise SweepError(f"columns of points have one name: {', '.join(twice)}", "each key stands in one column")
        return {str(key): list(points[key].to_list()) for key in points.columns}
    if isinstance(points, Mapping):
        for key, value in points.items():
            if isinstance(value, str):
                raise SweepError(f"points[{key!r}] is a text", f"ranges are for vary: vary={{{key!r}: {value!r}}}")
            if is_masked(value):
                raise _masked(f"points[{key!r}]")
            if not _is_list(value) or getattr(value, "ndim", 1) != 1:
                raise SweepError(f"points[{key!r}] is not a list of values", "write one value for each point")
        return {str(key): list(value) for key, value in points.items()}
    if isinstance(points, Sequence) and not isinstance(points, (str, bytes)):
        rows = list(points)
        for number, row in enumerate(rows):
            if not isinstance(row, Mapping):
                raise SweepError(f"point {number} is no dictionary", 'write [{"key": value, …}, …]')
            if list(row) != list(rows[0]) and set(row) != set(rows[0]):
                raise SweepError(
                    f"point {number} has the keys {', '.join(map(str, row))}, and point 0 {', '.join(map(str, rows[0]))}",
                    "all points have the same keys",
                )
        return {str(key): [row[key] for row in rows] for key in (rows[0] if rows else ())}
    raise SweepError(
        f"points are of the type {type(points).__name__}",
        "write a dictionary of arrays, a list of dictionaries, a DataFrame, or the path of a CSV file",
    )


def write_points(points: Any, path: str | os.PathLike[str]) -> Path:
    """Writes points to a CSV file that ``stickslip sweep --points`` reads: the dataset is the same."""
    columns = _columns(points)
    lengths = {key: len(values) for key, values in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{key} has {length}" for key, length in lengths.items())
        raise SweepError(f"columns of points differ in length: {told}", "write one value of each key for each point")
    if not columns or not next(iter(lengths.values())):
        raise SweepError("there are no points", "write at least one")
    rows = zip(*([word(one, f"{key} of point {i}") for i, one in enumerate(all)] for key, all in columns.items()), strict=True)
    path = Path(path)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
    return path
