"""Python values as TOML: dictionaries and dataclasses become scenario texts, values become overrides."""

from __future__ import annotations

import dataclasses
import json
import numbers
import re
from collections.abc import Mapping
from typing import Any, TypeGuard

import numpy as np

from .errors import Unwritable

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def is_masked(value: Any) -> bool:
    """Whether it is a masked array or value of NumPy, or a list of such: what reads them as numbers drops their masks."""
    ahead, seen = [value], set()
    while ahead:
        part = ahead.pop()
        if isinstance(part, np.ma.MaskedArray):
            return True
        # Lists may hold themselves.
        if isinstance(part, (list, tuple)) and id(part) not in seen:
            seen.add(id(part))
            ahead += (inner for inner in part if isinstance(inner, (np.ndarray, list, tuple)))
    return False


#: What to do with a masked array.
UNMASK = "is masked: write .filled(...) with a value, or .compressed() to leave the masked entries out"


def key(name: Any) -> str:
    """A key, in quotation marks where it needs them."""
    if not isinstance(name, str):
        raise Unwritable(f"keys of a scenario are strings, not {name!r}")
    return name if _BARE.match(name) else json.dumps(name, ensure_ascii=False)


#: Tables and lists that may stand in each other; no scenario has more than a few.
DEEPEST = 32


def plain(value: Any, depth: int = 0) -> Any:
    """Dataclasses, quantities and arrays as what TOML knows."""
    if depth > DEEPEST:
        raise Unwritable(f"tables and lists stand in each other more than {DEEPEST} deep, or one of them holds itself")
    inside = depth + 1
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        pairs = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {name: plain(part, inside) for name, part in pairs if part is not None}
    if isinstance(value, Mapping):
        return {name: plain(part, inside) for name, part in value.items() if part is not None}
    if is_quantity(value):
        return quantity(value)
    if is_masked(value):
        raise Unwritable(f"an array {UNMASK}")
    if hasattr(value, "tolist") and hasattr(value, "dtype"):
        return plain(value.tolist(), inside)
    if isinstance(value, (list, tuple)):
        return [plain(part, inside) for part in value]
    return value


def is_quantity(value: Any) -> TypeGuard[Any]:
    """Whether it is a number with a unit, as pint has them."""
    return hasattr(value, "magnitude") and hasattr(value, "units")


def quantity(value: Any) -> str | list[Any]:
    """A pint quantity as a string with its unit, which is checked where it is read."""
    magnitude = plain(value.magnitude)
    unit = _unit(value.units)
    if isinstance(magnitude, list):
        return [_with_unit(part, unit) for part in magnitude]
    return _with_unit(magnitude, unit)


def _with_unit(magnitude: Any, unit: str) -> str:
    if isinstance(magnitude, bool) or not isinstance(magnitude, numbers.Real):
        raise Unwritable(f"a quantity whose magnitude is {magnitude!r}, not a real number")
    return f"{float(magnitude)!r} {unit}".strip()


def _unit(units: Any) -> str:
    """The unit in our words: ``kg m^2/s^2``."""
    registry = units._REGISTRY
    above: list[str] = []
    below: list[str] = []
    for name, power in sorted(dict(units._units).items()):
        whole = round(power)
        if whole != power:
            raise Unwritable(f"the unit {units} has a power that is not whole; convert it first, with .to(…)")
        symbol = registry.get_symbol(name)
        symbol = {"°": "deg", "rpm": "rpm"}.get(symbol, symbol)
        written = symbol if abs(whole) == 1 else f"{symbol}^{abs(whole)}"
        (above if whole > 0 else below).append(written)
    if not below:
        return " ".join(above)
    return " ".join(above or ["1"]) + "/" + (below[0] if len(below) == 1 else "(" + " ".join(below) + ")")


def inline(value: Any) -> str:
    """A value on one line."""
    return _written(plain(value))


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key(name)} = {_written(part)}" for name, part in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_written(part) for part in value) + "]"
    raise Unwritable(
        f"{value!r} of type {type(value).__name__} cannot stand in a scenario: "
        "numbers, strings such as \"350 kg\", truth values, lists, dictionaries, dataclasses and pint quantities can"
    )


def document(data: Any) -> str:
    """A scenario text from a dictionary or a dataclass: plain keys first, then tables."""
    data = plain(data)
    if not isinstance(data, dict):
        raise Unwritable(f"a scenario is a dictionary or a dataclass, not {type(data).__name__}")
    lines: list[str] = []
    _table(lines, [], data)
    return "\n".join(lines).strip("\n") + "\n"


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(part, dict) for part in value)


def _table(lines: list[str], path: list[str], data: dict[str, Any]) -> None:
    for name, value in data.items():
        if not (path == [] and isinstance(value, dict)) and not _is_tables(value):
            lines.append(f"{key(name)} = {_written(value)}")
    for name, value in data.items():
        own = [*path, key(name)]
        if _is_tables(value):
            for part in value:
                lines += ["", f"[[{'.'.join(own)}]]"]
                for inner, content in part.items():
                    lines.append(f"{key(inner)} = {_written(content)}")
        elif path == [] and isinstance(value, dict):
            lines += ["", f"[{own[0]}]"]
            _table(lines, own, value)


def overrides(values: Any) -> list[str]:
    """``{"wheel.mass": "350 kg"}`` as the command's ``--set`` has it, or a list of ``"key=value"``."""
    if values is None:
        return []
    if isinstance(values, str):
        return [values]
    if isinstance(values, Mapping):
        # Strings go as they are, as on the command line: the same input, the same bits.
        return [f"{name}={value if isinstance(value, str) else inline(value)}" for name, value in _keys(values)]
    if isinstance(values, (list, tuple)) and all(isinstance(one, str) for one in values):
        return list(values)
    raise Unwritable(
        f"overrides are a dictionary such as {{\"wheel.mass\": \"350 kg\"}} or a list of \"key=value\", not {values!r}"
    )


def _keys(values: Mapping[Any, Any]) -> list[tuple[str, Any]]:
    for name in values:
        if not isinstance(name, str):
            raise Unwritable(f"keys of a scenario are strings such as \"wheel.mass\", not {name!r}")
    return list(values.items())
