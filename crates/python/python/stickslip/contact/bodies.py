"""Two bodies and Hertz's contact between them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import inf, isfinite

from .. import _native
from .._arrays import number

__all__ = ["Body", "Hertz", "both", "hertz", "pressing"]


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
            if getattr(self, name) == 0:
                raise ValueError(f"{name} = 0: it must be a number other than 0 [m]; stickslip.contact.Body() is a plane")
        for name in ("young", "poisson"):
            object.__setattr__(self, name, number(name, getattr(self, name)))

    def _solid(self) -> tuple[float, float, float, float]:
        return self.radius, self.lateral_radius, self.young, self.poisson


@dataclass(frozen=True)
class Hertz:
    """Hertz's contact.

    a, b
        Half-axes along the rolling direction and across [m]; b is None in line contact.
    p0
        Greatest pressure [Pa].
    approach
        Of distant points of the bodies [m]; None in line contact, where there are no such points.
    load
        Normal load [N]; in line contact per length [N/m].
    stiffness
        Tangential stiffness of the resting contact along x and y [N/m] (Mindlin); None in line contact.
    """

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


def both(first: Body, second: Body | None) -> tuple[Body, Body]:
    """Two bodies; the second is like the first unless it is given."""
    for name, body in (("first", first), ("second", second)):
        if not (isinstance(body, Body) or (body is None and name == "second")):
            raise TypeError(f"{name} must be a Body, such as Body(radius=0.46, lateral_radius=0.3), not {body!r}")
    return first, first if second is None else second


def pressing(first: Body, second: Body, load: object, approach: object, load_per_length: object) -> tuple[str, float]:
    """What presses the bodies together, by name: exactly one of the three. Under a load per length they are cylinders."""
    given = {"load": load, "approach": approach, "load_per_length": load_per_length}
    given = {name: value for name, value in given.items() if value is not None}
    if len(given) != 1:
        found = " and ".join(given) or "none of them"
        raise TypeError(f"one of load [N], approach [m] and load_per_length [N/m] presses the bodies together: {found} is given")
    ((name, value),) = given.items()
    if name == "load_per_length":
        for which, body in (("first", first), ("second", second)):
            if isfinite(body.lateral_radius):
                raise ValueError(
                    f"load_per_length presses parallel cylinders, and the {which} body has lateral_radius = {body.lateral_radius} m: leave "
                    "lateral_radius out, or write load=... [N] for an ellipse"
                )
    return name, number(name, value)


#: From this share of a radius on half a contact is no small part of the body any more, as Hertz takes it to be.
SHARE = 0.3


def small(first: Body, second: Body, a: float, b: float | None, level: int) -> None:
    """Refuses a contact that reaches beyond its bodies, and warns of one that is not small beside them: mostly a stiffness or a load in other units.
    The warning is about the caller's line, so many calls up."""
    halves = [("radius", a)] + ([("lateral_radius", b)] if b is not None else [])
    for name, half in halves:
        for body in (first, second):
            radius = abs(getattr(body, name))
            if not half > SHARE * radius:
                continue
            found = (
                f"the contact would be {2 * half:.3g} m {'long' if name == 'radius' else 'wide'} on a body with {name} = {getattr(body, name):.3g} m, where "
                f"Hertz's theory has contacts that are small beside the radii. Are all numbers in SI units? young is {body.young:g} Pa (steel has 210e9 Pa, "
                "rubber some 1e6 Pa)"
            )
            if half >= radius:
                raise ValueError(found)
            warnings.warn(found, stacklevel=level)
            return


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
    first, second = both(first, second)
    by, value = pressing(first, second, load, approach, load_per_length)
    found = Hertz(*_native.contact_hertz(first._solid(), second._solid(), by, value))
    told = [found.a, found.b, found.p0, found.approach, *(found.stiffness or ())]
    if not all(part is None or (isfinite(part) and part > 0) for part in told):
        raise ValueError(f"{by} = {value}: the contact is too small or too large for numbers: {found}")
    small(first, second, found.a, found.b, 3)
    return found
