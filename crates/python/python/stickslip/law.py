"""Coefficients of friction that depend on the slip speed, over arrays of slips.

The bound of a contact under the load N is μ(|s|) N; slips are in m/s. ``law(0.0)`` is the coefficient of a contact that
sticks. Equations, with μ_s = ``static`` and μ_k = ``kinetic``:

    Coulomb          μ
    StaticKinetic    μ_s at rest, μ_k while it slips
    Stribeck         μ_k + (μ_s − μ_k) exp(−(|s|/v_s)^δ)
    Sech             μ_k + (μ_s − μ_k) sech(α|s|)
    Table            straight between points (|s|, μ), held outside
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from . import _native
from ._arrays import finite, number

__all__ = ["Coulomb", "Law", "Sech", "StaticKinetic", "Stribeck", "Table"]


class Law:
    """A coefficient of friction over the slip speed."""

    def _named(self) -> tuple[str, list[float]]:
        raise NotImplementedError

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            object.__setattr__(self, name, number(name, value))
        _native.friction_check(*self._named())

    def __call__(self, slip: object) -> np.ndarray:
        """μ at slips of any sign [m/s]; the shape is that of ``slip``."""
        array = finite("slip", slip)
        return _native.friction_at(*self._named(), array.reshape(-1)).reshape(array.shape)

    def slope(self, slip: object) -> np.ndarray:
        """dμ/d|s| [s/m] at slips other than 0; below zero where friction falls. At a corner of a table there is none, and a
        ValueError says so."""
        array = finite("slip", slip)
        return _native.friction_slope(*self._named(), array.reshape(-1)).reshape(array.shape)


@dataclass(frozen=True)
class Coulomb(Law):
    """The same μ ≥ 0 at all speeds."""

    mu: float

    def _named(self) -> tuple[str, list[float]]:
        return "coulomb", [self.mu]


@dataclass(frozen=True)
class StaticKinetic(Law):
    """``static`` while the contact sticks, ``kinetic`` ≤ ``static`` while it slips."""

    static: float
    kinetic: float

    def _named(self) -> tuple[str, list[float]]:
        return "static-kinetic", [self.static, self.kinetic]


@dataclass(frozen=True)
class Stribeck(Law):
    """From ``static`` to ``kinetic`` over the Stribeck speed [m/s] > 0, with an exponent > 0."""

    static: float
    kinetic: float
    speed: float
    exponent: float = 1.0

    def _named(self) -> tuple[str, list[float]]:
        return "stribeck", [self.static, self.kinetic, self.speed, self.exponent]


@dataclass(frozen=True)
class Sech(Law):
    """From ``static`` to ``kinetic`` with the rate alpha [s/m] ≥ 0."""

    static: float
    kinetic: float
    alpha: float

    def _named(self) -> tuple[str, list[float]]:
        return "sech", [self.static, self.kinetic, self.alpha]


@dataclass(frozen=True)
class Table(Law):
    """Points (slip speed |s| ≥ 0 [m/s], coefficient ≥ 0) with rising speeds, straight between them and held outside."""

    points: Sequence[tuple[float, float]]

    def __post_init__(self) -> None:
        array = finite("points", self.points)
        if array.ndim != 2 or array.shape[1] != 2:
            raise ValueError(f"points have the shape {array.shape}: write [(speed, coefficient), ...]")
        object.__setattr__(self, "points", tuple(map(tuple, array.tolist())))
        _native.friction_check(*self._named())

    def _named(self) -> tuple[str, list[float]]:
        return "table", [value for point in self.points for value in point]


def of(friction: object) -> Law:
    """The law, or Coulomb's with a number."""
    return friction if isinstance(friction, Law) else Coulomb(number("friction", friction))
