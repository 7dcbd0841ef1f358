"""Theories of creep forces, over arrays of creepages."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from .. import _native
from .._arrays import finite, number, whole
from .bodies import Body, both, hertz

__all__ = ["THEORIES", "CreepForces", "Falling", "Patch", "creep_force", "kalker_coefficients"]

#: The names of the theories of creep forces, as `creep_force` takes them.
THEORIES: tuple[str, ...] = tuple(_native.THEORIES)


@dataclass(frozen=True)
class Falling:
    """Friction that falls with the slip speed of the contact as a whole (Polach 2005): μ(w) = μ₀ ((1 − A) e^{−Bw} + A),
    w = V √(ξ² + η²). A = ``ratio`` between 0 and 1, B = ``decay`` [s/m] ≥ 0, V = ``speed`` [m/s] ≥ 0."""

    mu: float
    ratio: float
    decay: float
    speed: float


@dataclass(frozen=True)
class Patch:
    """A contact ellipse with its load, for theories of creep forces.

    Half-axes a (rolling direction) and b [m], load [N]; friction μ ≥ 0 or ``Falling``; Young's modulus [Pa] and Poisson's ratio, one
    number for both bodies or one for each; ``coefficients`` (C11, C22, C23, C33) in place of Kalker's.
    """

    a: float
    b: float
    load: float
    friction: float | Falling = 0.3
    young: float | tuple[float, float] = 210e9
    poisson: float | tuple[float, float] = 0.3
    coefficients: tuple[float, float, float, float] | None = None
    _area: SimpleNamespace = field(init=False, repr=False, compare=False, hash=False, default=None)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        young, poisson = (np.broadcast_to(finite(name, getattr(self, name)), 2) for name in ("young", "poisson"))
        materials = [(float(e), float(nu)) for e, nu in zip(young, poisson, strict=True)]
        shear_modulus, ratio, _ = _native.contact_material(*materials)
        falls = isinstance(self.friction, Falling)
        numbers = vars(self.friction).items() if falls else [("friction", self.friction)]
        area = SimpleNamespace(
            a=number("a", self.a),
            b=number("b", self.b),
            load=number("load", self.load),
            shear_modulus=shear_modulus,
            poisson=ratio,
            friction=[number(name, value) for name, value in numbers],
            coefficients=None,
        )
        if self.coefficients is not None:
            area.coefficients = finite("coefficients", self.coefficients, (4,)).tolist()
        object.__setattr__(self, "_area", area)
        # Refuses what no theory takes.
        none = np.zeros(1)
        _native.contact_creep("linear", area, none, none, none, _options())

    @classmethod
    def hertz(
        cls,
        first: Body,
        second: Body | None = None,
        *,
        load: float,
        friction: float | Falling = 0.3,
        coefficients: tuple[float, float, float, float] | None = None,
    ) -> Patch:
        """The Hertz contact of two bodies under a load [N]."""
        first, second = both(first, second)
        found = hertz(first, second, load=load)
        young, poisson = (first.young, second.young), (first.poisson, second.poisson)
        return cls(found.a, found.b, found.load, friction, young, poisson, coefficients)  # type: ignore[arg-type]


class CreepForces(NamedTuple):
    """Forces on body 1, with the shape of the creepages.

    fx, fy
        F_x [N], against ξ, and F_y [N], against η.
    mz
        M_z [N·m]; None from theories that do not know it.
    stick
        Share of the contact area that sticks, 0 to 1; None from theories that do not know it.
    """

    #: F_x [N], against ξ.
    fx: np.ndarray
    #: F_y [N], against η.
    fy: np.ndarray
    #: M_z [N·m]; None from theories that do not know it.
    mz: np.ndarray | None
    #: Share of the contact area that sticks; None from theories that do not know it.
    stick: np.ndarray | None


def _options(
    elements: int | None = None,
    order: str = "edge",
    tolerance: float = 1e-8,
    sampling: str | None = None,
    reduction: tuple[float, float] | None = None,
) -> SimpleNamespace:
    return SimpleNamespace(
        elements=None if elements is None else whole("elements", elements, 1, 10_000),
        order=order,
        tolerance=number("tolerance", tolerance),
        sampling=sampling,
        reduction=None if reduction is None else tuple(finite("reduction", reduction, (2,)).tolist()),
    )


def _points(xi: object, eta: object, phi: object) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], tuple[int, ...]]:
    arrays = [finite(name, value) for name, value in (("xi", xi), ("eta", eta), ("phi", phi))]
    try:
        together = np.broadcast_arrays(*arrays)
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise ValueError(f"xi, eta and phi have shapes that do not go together: {shapes}") from None
    first, second, third = (np.ascontiguousarray(array).reshape(-1) for array in together)
    return (first, second, third), together[0].shape


def creep_force(
    theory: str,
    xi: object = 0.0,
    eta: object = 0.0,
    phi: object = 0.0,
    *,
    patch: Patch,
    elements: int | None = None,
    order: str = "edge",
    tolerance: float = 1e-8,
    sampling: str | None = None,
    reduction: tuple[float, float] | None = None,
) -> CreepForces:
    """Creep forces of steady rolling for creepages ξ, η and φ [1/m], numbers or arrays that NumPy can broadcast.

    :param theory: ``linear`` (Kalker, no slip), ``shen-hedrick-elkins``, ``polach``, ``fastsim``, ``exact`` (the half-space on
        elements; each point begins from the last ones, so order them along curves).
    :param patch: the contact, ``Patch(a, b, load, friction)`` or ``Patch.hertz(first, second, load=...)``.
    :param elements: along each side, for ``fastsim`` (50) and ``exact`` (44).
    :param order: of ``exact``: ``edge``, ``second``, or ``first`` as in CONTACT.
    :param tolerance: residual of ``exact``.
    :param sampling: of ``fastsim``: ``centred`` (second order) or ``kalker`` (as first published).
    :param reduction: of ``polach``: factors (k_A, k_S) with 0 < k_S ≤ k_A ≤ 1; (1, 1) is the clean dry contact.
    :raises NotSolved: ``exact`` did not reach its tolerance at a point, which is named by its place in the flattened arrays.

    The interpreter is released while it computes, and Ctrl-C is heard.

    >>> from stickslip.contact import Body, Patch, creep_force
    >>> patch = Patch.hertz(Body(0.46, 0.30), load=42e3, friction=0.3)
    >>> (creep_force("fastsim", [0.0, 0.0017], patch=patch).fx / (0.3 * 42e3)).round(3) + 0.0
    array([ 0.   , -0.537])
    """
    if not isinstance(theory, str):
        raise TypeError(f"theory must be one of {', '.join(THEORIES)}, not {theory!r}")
    if not isinstance(patch, Patch):
        raise TypeError(f"patch must be a Patch, such as Patch.hertz(Body(0.46, 0.3), load=42e3), not {patch!r}")
    points, shape = _points(xi, eta, phi)
    options = _options(elements, order, tolerance, sampling, reduction)
    fx, fy, mz, stick = _native.contact_creep(theory, patch._area, *points, options)
    known = [None if array is None else array.reshape(shape) for array in (mz, stick)]
    return CreepForces(fx.reshape(shape), fy.reshape(shape), *known)


def kalker_coefficients(a: float, b: float, poisson: float = 0.3) -> tuple[float, float, float, float]:
    """Kalker's coefficients (C11, C22, C23, C33) of an ellipse with the half-axes a (rolling direction) and b, 0 ≤ ν ≤ ½."""
    return _native.contact_kalker(number("a", a), number("b", b), number("poisson", poisson))
