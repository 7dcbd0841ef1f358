"""Numbers that come in: arrays of float64 without a gap in memory, or an exception that names the argument."""

from __future__ import annotations

import numbers

import numpy as np

from ._toml import UNMASK, is_masked, is_quantity

__all__ = ["finite", "floats", "number", "whole"]


def floats(name: str, value: object, shape: tuple[int, ...] | None = None) -> np.ndarray:
    """The argument as a contiguous array of float64. Whole numbers and smaller floats are converted, and so are slices and
    transposed arrays; complex numbers, text, masked arrays and objects are refused."""
    if is_quantity(value):
        raise TypeError(f"{name} has the unit {value.units}: numbers are in SI units here; write .m_as(...) with the unit that is meant")
    if is_masked(value):
        raise TypeError(f"{name} {UNMASK}")
    try:
        array = np.asarray(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} is no array of numbers: {error}") from None
    if array.dtype.kind not in "biuf":
        kind = "complex numbers; write .real if that is meant" if array.dtype.kind == "c" else f"dtype {array.dtype}"
        raise TypeError(f"{name} must hold real numbers, not {kind}")
    if shape is not None and array.shape != shape:
        raise ValueError(f"{name} has the shape {array.shape}, and {shape} is needed")
    return np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)


def finite(name: str, value: object, shape: tuple[int, ...] | None = None) -> np.ndarray:
    """The same; NaN and infinities are refused with their place."""
    array = floats(name, value, shape)
    if not np.isfinite(array).all():
        place = tuple(int(k) for k in np.argwhere(~np.isfinite(array))[0])
        at = f"[{', '.join(map(str, place))}]" if place else ""
        raise ValueError(f"{name}{at} = {array[place]}: it must be a finite number")
    return array


def number(name: str, value: object, *, infinite: bool = False) -> float:
    """One real number."""
    array = (floats if infinite else finite)(name, value)
    if array.size != 1:
        raise TypeError(f"{name} must be one number, not an array of shape {array.shape}")
    found = float(array.reshape(()))
    if found != found:
        raise ValueError(f"{name} = nan: it must be a number")
    return found


def whole(name: str, value: object, least: int = 1, most: int = 1 << 20) -> int:
    """One whole number."""
    # Large whole numbers have no float of their own.
    exact = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    found = int(value) if exact else number(name, value)
    if found != int(found) or not least <= found <= most:
        raise ValueError(f"{name} = {value}: it must be a whole number from {least} to {most}")
    return int(found)
