"""What a contact can transmit: closed convex sets of forces.

With r the force on the system and s the slip velocity, both seen from the same side, the law of a contact is

    −s ∈ N_C(r)      ⇔      r = Proj_C(r − ρ s)   for any ρ > 0:

inside C the contact sticks (s = 0); on the boundary it may slip, against the force. Any consistent units do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, nan
from typing import ClassVar

import numpy as np

from . import _native
from ._arrays import floats, number

__all__ = ["Cone", "Disk", "HalfLine", "Interval", "Set", "named"]


class Set:
    """A closed convex set of contact forces."""

    #: Number of force components.
    dim: ClassVar[int]

    def _named(self) -> tuple[str, float, float]:
        raise NotImplementedError

    def _points(self, name: str, value: object) -> tuple[np.ndarray, tuple[int, ...]]:
        """Points one after the other, and the shape of what has one value for each."""
        array = floats(name, value)
        if self.dim > 1 and (array.ndim == 0 or array.shape[-1] != self.dim):
            raise ValueError(f"{name} has the shape {array.shape}: its last axis must have {self.dim} components")
        if np.isnan(array).any():
            raise ValueError(f"{name} holds nan: it must hold numbers")
        return array.reshape(-1), array.shape if self.dim == 1 else array.shape[:-1]

    def project(self, x: object) -> np.ndarray:
        """The nearest point of the set. ``x`` has the components in its last axis, or any shape for sets on a line."""
        points, shape = self._points("x", x)
        return _native.set_project(self._named(), points).reshape(shape if self.dim == 1 else (*shape, self.dim))

    def support(self, d: object) -> np.ndarray:
        """sup { r·d : r ∈ C }, infinite where it is unbounded: the power that is dissipated at the slip −d."""
        points, shape = self._points("d", d)
        return _native.set_support(self._named(), points).reshape(shape)

    def contains(self, r: object) -> np.ndarray:
        """Whether r lies in the set (but for rounding of the last digit)."""
        points, shape = self._points("r", r)
        return np.array(_native.set_contains(self._named(), points), dtype=bool).reshape(shape)


@dataclass(frozen=True)
class Interval(Set):
    """[lo, hi]: friction along a line, a brake. The ends may be infinite; both are for a joint that holds whatever comes."""

    lo: float
    hi: float
    dim: ClassVar[int] = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "lo", number("lo", self.lo, infinite=True))
        object.__setattr__(self, "hi", number("hi", self.hi, infinite=True))
        _native.set_dim(self._named())

    def _named(self) -> tuple[str, float, float]:
        return "interval", self.lo, self.hi


@dataclass(frozen=True)
class Disk(Set):
    """|r| ≤ radius in the plane: Coulomb friction under a given load, radius = μN ≥ 0."""

    radius: float
    dim: ClassVar[int] = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", number("radius", self.radius))
        _native.set_dim(self._named())

    def _named(self) -> tuple[str, float, float]:
        return "disk", self.radius, nan


@dataclass(frozen=True)
class HalfLine(Set):
    """[0, ∞): a support that pushes and never pulls; s is the speed at which the gap opens."""

    dim: ClassVar[int] = 1

    def _named(self) -> tuple[str, float, float]:
        return "half-line", 0.0, inf


@dataclass(frozen=True)
class Cone(Set):
    """(n, t₁, t₂) with |t| ≤ μ n: friction under a support's own load. The slip is (opening speed, slip in the plane).

    In ``solve`` and ``residual`` the slip is corrected to (s_n + μ|s_t|, s_t) (de Saxcé), which makes the law Coulomb's.
    """

    mu: float
    dim: ClassVar[int] = 3

    def __post_init__(self) -> None:
        object.__setattr__(self, "mu", number("mu", self.mu))
        _native.set_dim(self._named())

    def _named(self) -> tuple[str, float, float]:
        return "cone", self.mu, nan


_KINDS = {"interval": Interval, "disk": Disk, "half-line": HalfLine, "cone": Cone}


def _one(given: object, place: int) -> Set:
    if isinstance(given, Set):
        return given
    forms = 'Interval(-2, 2), ("interval", -2, 2), (-2, 2), Disk(2), ("disk", 2), "half-line", Cone(0.3) or ("cone", 0.3)'
    if isinstance(given, str):
        given = (given,)
    if isinstance(given, (tuple, list)) and given:
        name, *rest = given
        if not isinstance(name, str):
            name, rest = "interval", list(given)
        kind = _KINDS.get(name)
        if kind is not None:
            try:
                return kind(*rest)
            except (TypeError, ValueError) as error:
                raise type(error)(f"contact {place} of C, {given!r}: {error}") from None
    raise TypeError(f"contact {place} of C is {given!r}: write {forms}")


def named(c: object) -> list[Set]:
    """The sets of a list, from their objects or short forms."""
    if isinstance(c, (str, Set)) or not isinstance(c, Iterable):
        raise TypeError("C must be a list with one set for each contact, such as [Disk(2.0), Interval(-1.0, 1.0)]")
    return [_one(given, place) for place, given in enumerate(c)]
