"""Rolling contact: Hertz, tractions on the half-space, creep forces. SI units.

Two bodies are pressed together and roll over each other towards +x at the speed V. The creepages

    ξ = (v_x1 − v_x2)/V,    η = (v_y1 − v_y2)/V,    φ = (ω_z1 − ω_z2)/V  [1/m]

are what rigid bodies would slip (body 1 is the wheel). Tractions and forces are those on body 1 and so oppose creepage:
F_x < 0 for ξ > 0; M_z = ∫ (x r_y − y r_x). x is the rolling direction, the leading edge is at +x.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from . import _native, law
from ._arrays import finite, number, whole

__all__ = [
    "THEORIES",
    "Body",
    "CreepForces",
    "Falling",
    "Hertz",
    "Patch",
    "Rolling",
    "creep_force",
    "hertz",
    "kalker_coefficients",
    "shift",
    "steady",
    "transient",
]

#: The names of the theories of creep forces.
THEORIES: tuple[str, ...] = tuple(_native.THEORIES)


@dataclass(frozen=True)
class Body:
    """One body at the contact: radii of its surface along the rolling direction and across it [m], infinite where it is straight and
    negative where it is hollow; Young's modulus [Pa] and Poisson's ratio (steel by default)."""

    radius: float = inf
    lateral_radius: float = inf
    young: float = 210e9
    poisson: float = 0.3

    def __post_init__(self) -> None:
        for name in ("radius", "lateral_radius"):
            object.__setattr__(self, name, number(name, getattr(self, name), infinite=True))
        for name in ("young", "poisson"):
            object.__setattr__(self, name, number(name, getattr(self, name)))

    def _solid(self) -> tuple[float, float, float, float]:
        return self.radius, self.lateral_radius, self.young, self.poisson


@dataclass(frozen=True)
class Hertz:
    """Hertz's contact."""

    #: Half-axis in the rolling direction [m].
    a: float
    #: Half-axis across [m]; None in line contact.
    b: float | None
    #: Greatest pressure [Pa].
    p0: float
    #: Approach of distant points of the bodies [m]; None in line contact, where there are no such points.
    approach: float | None
    #: Normal load [N]; in line contact per length [N/m].
    load: float
    #: Tangential stiffness of the resting contact along x and y [N/m] (Mindlin); None in line contact.
    stiffness: tuple[float, float] | None


def _bodies(first: Body, second: Body | None) -> tuple[Body, Body]:
    for name, body in (("first", first), ("second", second)):
        if not (isinstance(body, Body) or (body is None and name == "second")):
            raise TypeError(f"{name} must be a Body, such as Body(radius=0.46, lateral_radius=0.3), not {body!r}")
    return first, first if second is None else second


def _pressing(load: object, approach: object, load_per_length: object) -> tuple[str, float]:
    given = {"load": load, "approach": approach, "load_per_length": load_per_length}
    given = {name: value for name, value in given.items() if value is not None}
    if len(given) != 1:
        found = " and ".join(given) or "none of them"
        raise TypeError(f"one of load [N], approach [m] and load_per_length [N/m] presses the bodies together: {found} is given")
    ((name, value),) = given.items()
    return name, number(name, value)


def hertz(
    first: Body,
    second: Body | None = None,
    *,
    load: float | None = None,
    approach: float | None = None,
    load_per_length: float | None = None,
) -> Hertz:
    """The contact of two bodies under a load [N] or at an approach [m], an ellipse; or of parallel cylinders under a load per length
    [N/m], a strip. ``second`` is like the first unless it is given; ``Body()`` is a plane of steel.

    >>> from stickslip.contact import Body, hertz
    >>> round(1e3 * hertz(Body(0.46, 0.30), load=42e3).a, 3)
    4.257
    """
    first, second = _bodies(first, second)
    return Hertz(*_native.contact_hertz(first._solid(), second._solid(), *_pressing(load, approach, load_per_length)))


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
        _native.contact_creep("linear", area, *np.zeros((3, 1)), _options())

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
        first, second = _bodies(first, second)
        found = hertz(first, second, load=load)
        young, poisson = (first.young, second.young), (first.poisson, second.poisson)
        return cls(found.a, found.b, found.load, friction, young, poisson, coefficients)  # type: ignore[arg-type]


class CreepForces(NamedTuple):
    """Forces on body 1, with the shape of the creepages."""

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


def _points(xi: object, eta: object, phi: object) -> tuple[list[np.ndarray], tuple[int, ...]]:
    arrays = [finite(name, value) for name, value in (("xi", xi), ("eta", eta), ("phi", phi))]
    try:
        together = np.broadcast_arrays(*arrays)
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise ValueError(f"xi, eta and phi have shapes that do not go together: {shapes}") from None
    return [np.ascontiguousarray(array).reshape(-1) for array in together], together[0].shape


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
    array([ 0.   , -0.538])
    """
    if not isinstance(theory, str):
        raise TypeError(f"theory must be one of {', '.join(THEORIES)}, not {theory!r}")
    if not isinstance(patch, Patch):
        raise TypeError(f"patch must be a Patch, such as Patch.hertz(Body(0.46, 0.3), load=42e3), not {patch!r}")
    points, shape = _points(xi, eta, phi)
    options = _options(elements, order, tolerance, sampling, reduction)
    found = _native.contact_creep(theory, patch._area, *points, options)
    return CreepForces(*(None if array is None else array.reshape(shape) for array in found))


def kalker_coefficients(a: float, b: float, poisson: float = 0.3) -> tuple[float, float, float, float]:
    """Kalker's coefficients (C11, C22, C23, C33) of an ellipse with the half-axes a (rolling direction) and b, 0 ≤ ν ≤ ½."""
    return _native.contact_kalker(number("a", a), number("b", b), number("poisson", poisson))


@dataclass(frozen=True)
class Rolling:
    """Pressure, tractions and slips of a contact. Tables have one row for each y and one column for each x."""

    #: Centres of the elements along the rolling direction and across [m].
    x: np.ndarray
    y: np.ndarray
    #: Sides of an element [m]; dy is 1 in line contact.
    dx: float
    dy: float
    #: Pressure [Pa].
    pressure: np.ndarray
    #: Tractions on body 1 [Pa].
    traction_x: np.ndarray
    traction_y: np.ndarray
    #: Slip of body 1 over body 2, exactly 0.0 where it sticks: over the rolling speed; after a shift a distance [m].
    slip_x: np.ndarray
    slip_y: np.ndarray
    #: Where slips belong, in elements ahead of the centres.
    slip_ahead: float
    #: 0 outside the contact, 1 where it sticks, 2 where it slips.
    status: np.ndarray
    #: Creepages, given or found; after a shift the distances [m] and the angle [rad].
    xi: float
    eta: float
    phi: float
    #: Forces on body 1 [N] ([N/m] in line contact) and moment [N·m].
    fx: float
    fy: float
    mz: float
    #: μN on this grid [N]: what friction transmits at most.
    limit: float
    #: Normal load [N] and approach [m] on this grid.
    load: float
    approach: float
    #: Share of the elements in contact that stick.
    stick_share: float
    #: Frictional power over the rolling speed, −∫ r·s [N].
    power: float
    #: Residuals reached, of the tractions and of the pressure, and iterations for the tractions.
    residual: float
    normal_residual: float
    iterations: int
    #: Hertz's solution of the same contact.
    hertz: Hertz
    #: One value for each step: ``distance`` [m], ``xi``, ``eta``, ``fx``, ``fy``, ``stick_share``, ``residual``, ``iterations``.
    history: dict[str, np.ndarray]


def _roll(course: str, first: Body, second: Body | None, given: dict, steps: int = 1) -> Rolling:
    first, second = _bodies(first, second)
    by, value = _pressing(given["load"], given["approach"], given["load_per_length"])
    friction = law.of(given["friction"])
    motion, force = given["motion"], given["force"]
    for name, creepage, prescribed in zip(("x", "y"), motion, force, strict=False):
        if creepage is not None and prescribed is not None:
            raise TypeError(f"along {name} both the motion and the force are given: leave one of them out")
    speed = given["speed"]
    if speed is None and not isinstance(friction, law.Coulomb) and course != "shift":
        raise TypeError("friction that depends on the slip speed needs the rolling speed: speed=... [m/s]")
    elements = given["elements"]
    along, across = elements if isinstance(elements, (tuple, list)) and len(elements) == 2 else (elements, elements)
    optional = lambda name, size: None if size is None else number(name, size)  # noqa: E731
    count = lambda size: None if size is None else whole("elements", size, 1, 4096)  # noqa: E731
    asked = SimpleNamespace(
        first=first._solid(),
        second=second._solid(),
        by=by,
        value=value,
        friction=friction._named(),
        speed=1.0 if speed is None else number("speed", speed),
        course=course,
        creepage=tuple(0.0 if part is None else number(name, part) for name, part in zip(given["names"], motion, strict=True)),
        force=tuple(optional(name, part) for name, part in zip(("fx", "fy"), force, strict=True)),
        steps=steps,
        along=count(along),
        across=count(across),
        length=optional("length", given["length"]),
        width=optional("width", given["width"]),
        order=given["order"],
        tolerance=number("tolerance", given["tolerance"]),
    )
    found = _native.contact_roll(asked)
    found["hertz"] = Hertz(*found["hertz"])
    found["status"] = found["status"].reshape(found["pressure"].shape)
    return Rolling(**found)


def steady(
    first: Body,
    second: Body | None = None,
    *,
    load: float | None = None,
    approach: float | None = None,
    load_per_length: float | None = None,
    friction: float | law.Law = 0.3,
    speed: float | None = None,
    xi: float | None = None,
    eta: float | None = None,
    phi: float = 0.0,
    fx: float | None = None,
    fy: float | None = None,
    elements: int | tuple[int, int] | None = None,
    length: float | None = None,
    width: float | None = None,
    order: str = "edge",
    tolerance: float = 1e-8,
) -> Rolling:
    """Steady rolling on the half-space, exactly but for the size of the elements.

    :param first, second: the bodies; the second is like the first unless it is given.
    :param load, approach, load_per_length: one of them presses the bodies together [N], [m], [N/m] (parallel cylinders).
    :param friction: μ > 0, or a law of ``stickslip.law`` over the slip speed of each element, which needs the rolling ``speed`` [m/s].
    :param xi, eta, phi: creepages, φ in 1/m; 0 unless given.
    :param fx, fy: forces on body 1 [N] in place of ξ and η, below μN; the creepages are found. F_x < 0 drives ξ > 0.
    :param elements: along and across (44 × 44; in line contact 110).
    :param length, width: of the grid [m]; 1.1 times Hertz's contact unless given.
    :param order: ``edge`` (the most accurate), ``second``, ``first`` (as in CONTACT).
    :param tolerance: residual to reach.
    :raises NotSolved: it was not reached.

    The interpreter is released while it computes, and Ctrl-C is heard.
    """
    names = ("xi", "eta", "phi")
    given = {**locals(), "motion": (xi, eta, phi), "force": (fx, fy)}
    return _roll("steady", first, second, given)


def transient(
    first: Body,
    second: Body | None = None,
    *,
    steps: int,
    shifted: bool = False,
    load: float | None = None,
    approach: float | None = None,
    load_per_length: float | None = None,
    friction: float | law.Law = 0.3,
    speed: float | None = None,
    xi: float | None = None,
    eta: float | None = None,
    phi: float = 0.0,
    fx: float | None = None,
    fy: float | None = None,
    elements: int | tuple[int, int] | None = None,
    length: float | None = None,
    width: float | None = None,
    order: str = "edge",
    tolerance: float = 1e-8,
) -> Rolling:
    """Rolling step by step, one element each, from a contact without tractions; with ``shifted``, from one that the forces have
    shifted at rest. ``history`` has all steps, the fields are those of the last. The other arguments are those of ``steady``."""
    names = ("xi", "eta", "phi")
    given = {**locals(), "motion": (xi, eta, phi), "force": (fx, fy)}
    return _roll("shifted" if shifted else "transient", first, second, given, whole("steps", steps))


def shift(
    first: Body,
    second: Body | None = None,
    *,
    load: float | None = None,
    approach: float | None = None,
    load_per_length: float | None = None,
    friction: float | law.Law = 0.3,
    x: float | None = None,
    y: float | None = None,
    angle: float = 0.0,
    fx: float | None = None,
    fy: float | None = None,
    elements: int | tuple[int, int] | None = None,
    length: float | None = None,
    width: float | None = None,
    tolerance: float = 1e-8,
) -> Rolling:
    """Body 1 is shifted over body 2 without rolling (Cattaneo, Mindlin): by distances x and y [m] and an angle [rad], or by forces
    [N] on body 1, which oppose the shift. Friction that depends on the slip speed is that of sticking. The other arguments are
    those of ``steady``; in the result ``xi``, ``eta`` and ``phi`` are distances and the angle."""
    names, speed, order = ("x", "y", "angle"), None, "edge"
    given = {**locals(), "motion": (x, y, angle), "force": (fx, fy)}
    return _roll("shift", first, second, given)
