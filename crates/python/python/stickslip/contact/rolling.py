"""Pressure, tractions and slips on the half-space."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from .. import _native, law
from .._arrays import number, whole
from .bodies import Body, Hertz, both, pressing, small

__all__ = ["Rolling", "shift", "steady", "transient"]


@dataclass(frozen=True, repr=False)
class Rolling:
    """Pressure, tractions and slips of a contact. Tables have one row for each y and one column for each x. ``plot()`` draws them.

    x, y
        Centres of the elements along the rolling direction and across [m].
    dx, dy
        Sides of an element [m]; dy is 1 in line contact.
    pressure
        Table of the pressure [Pa].
    traction_x, traction_y
        Tables of the tractions on body 1 [Pa].
    slip_x, slip_y
        Tables of the slip of body 1 over body 2, exactly 0.0 where it sticks: over the rolling speed [1]; after a shift a distance [m].
    slip_ahead
        Where slips belong: so many elements ahead of the centres (slips are differences along the rolling direction).
    status
        Table: 0 outside the contact, 1 where it sticks, 2 where it slips.
    xi, eta, phi
        Creepages, given or found [1], [1], [1/m]; after a shift the distances [m] and the angle [rad].
    fx, fy, mz
        Forces on body 1 [N] ([N/m] in line contact) and moment [N·m].
    limit
        What friction transmits at the most, μN on this grid [N].
    load, approach
        Normal load [N] and approach [m] on this grid.
    stick_share
        Share of the elements in contact that stick, 0 to 1.
    power
        Frictional power over the rolling speed, −∫ r·s [N].
    residual, normal_residual, iterations
        Relative residuals reached, of the tractions and of the pressure; iterations for the tractions.
    hertz
        Hertz's solution of the same contact.
    history
        One value for each step: ``distance`` [m], ``xi``, ``eta``, ``fx``, ``fy``, ``stick_share``, ``residual``, ``iterations``.
        ``xi`` and ``eta`` are creepages [1]; of a shift, also of one before rolling (``distance`` 0), distances [m].
    """

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

    def plot(self, axes: Any = None) -> Any:
        """Draws tractions, and where the contact sticks and slips, with matplotlib; after several steps the way there, too. Gives the axes."""
        from .._contact_plot import plot

        drawn: Any = _Drawn(self)
        return plot(drawn, axes)

    def __repr__(self) -> str:
        line = self.hertz.b is None
        elements = f"{len(self.x)}" if line else f"{len(self.x)} × {len(self.y)}"
        force = "N/m" if line else "N"
        return (
            f"<stickslip.contact.Rolling: {elements} elements, F_x = {self.fx:g} {force}, F_y = {self.fy:g} {force}, "
            f"{100 * self.stick_share:.3g} % sticks, residual {self.residual:.1e}>"
        )


class _Drawn:
    """A contact with the names of the command's tables, as pictures of runs know them."""

    def __init__(self, field: Rolling) -> None:
        x, y = np.meshgrid(field.x, field.y)
        tables = (x, y, field.pressure, field.traction_x, field.traction_y, field.status)
        names = ("x", "y", "p", "r_x", "r_y", "status")
        self._columns = {name: np.asarray(table).reshape(-1) for name, table in zip(names, tables, strict=True)}
        way = {{"fx": "F_x", "fy": "F_y"}.get(name, name): values for name, values in field.history.items()}
        self.tables = {"history": way} if len(way["distance"]) > 1 else {}
        self.scenario = SimpleNamespace(title="", name="")

    def __getitem__(self, name: str) -> np.ndarray:
        return self._columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self._columns


def _roll(course: str, given: dict[str, Any], motion: tuple[str, str, str] = ("xi", "eta", "phi")) -> Rolling:
    """Rolls, or shifts, by the arguments of the functions below, under their names."""
    first, second = both(given["first"], given["second"])
    slides, speed, steps = law.of(given["friction"]), given.get("speed"), given.get("steps", 1)
    for moved, forced in zip(motion, ("fx", "fy"), strict=False):
        if given[moved] is not None and given[forced] is not None:
            raise TypeError(f"both {moved} and {forced} are given: leave one of them out")
    if isinstance(slides, law.Coulomb) and not slides.mu > 0:
        raise ValueError(f"friction = {slides.mu}: it must be greater than 0")
    if speed is None and not isinstance(slides, law.Coulomb) and course != "shift":
        raise TypeError("friction that depends on the slip speed needs the rolling speed: speed=... [m/s]")
    by, value = pressing(first, second, given["load"], given["approach"], given["load_per_length"])
    outline = Hertz(*_native.contact_hertz(first._solid(), second._solid(), by, value))
    small(first, second, outline.a, outline.b, 4)
    elements = given["elements"]
    along, across = elements if isinstance(elements, (tuple, list)) and len(elements) == 2 else (elements, elements)
    asked = SimpleNamespace(
        first=first._solid(),
        second=second._solid(),
        by=by,
        value=value,
        friction=slides._named(),
        speed=1.0 if speed is None else number("speed", speed),
        course=course,
        creepage=tuple(0.0 if given[name] is None else number(name, given[name]) for name in motion),
        force=tuple(_optional(name, given[name]) for name in ("fx", "fy")),
        steps=whole("steps", steps),
        along=None if along is None else whole("elements", along, 1, 4096),
        across=None if across is None else whole("elements", across, 1, 4096),
        length=_optional("length", given["length"]),
        width=_optional("width", given["width"]),
        order=given.get("order", "edge"),
        tolerance=number("tolerance", given["tolerance"]),
    )
    found = _native.contact_roll(asked)
    found["hertz"] = Hertz(*found["hertz"])
    found["status"] = found["status"].reshape(found["pressure"].shape)
    return Rolling(**found)


def _optional(name: str, value: object) -> float | None:
    return None if value is None else number(name, value)


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
    :param order: ``edge`` (the most accurate for creepages), ``second``, ``first`` (as in CONTACT; nearer for much spin on few elements).
    :param tolerance: residual to reach.
    :raises NotSolved: it was not reached.

    The interpreter is released while it computes, and Ctrl-C is heard.
    """
    return _roll("steady", locals())


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
    """Rolling step by step, one element each, from a contact without tractions; with ``shifted``, from one that the forces ``fx``, ``fy`` (one
    at least) have shifted at rest. Creepages and spin are per distance rolled, in both: they shift nothing, and are 0 in the shift.

    ``history`` has all steps, the fields are those of the last. With ``shifted`` its first entry, at ``distance`` 0, is the shift: there
    ``xi`` and ``eta`` are distances [m]. The other arguments are those of ``steady``."""
    return _roll("shifted" if shifted else "transient", locals())


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
    return _roll("shift", locals(), ("x", "y", "angle"))
