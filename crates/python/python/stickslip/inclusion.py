"""The inclusion that everything else stands on: find contact forces r with

    s = W r + b,      −s ∈ N_C(r),      C = C₁ × … × C_k.

s: slip velocities at the contacts; W: how forces change slips; b: slips without contact forces; C: what the contacts can
transmit (``Interval``, ``Disk``, ``HalfLine``, ``Cone``). Signs: r is the force on the system and s the slip seen from the
same side, so a contact that slips has r against s. Any consistent units do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from . import _native
from ._arrays import finite, number
from .errors import Error
from .sets import Set, named

__all__ = ["NotSolved", "Residual", "Solution", "residual", "solve"]


class NotSolved(Error, RuntimeError):
    """A problem without a solution, or a solver that did not reach its tolerance: then the best residual that it has seen comes with it."""

    def __init__(
        self,
        message: str,
        residual: float | None = None,
        tolerance: float | None = None,
        iterations: int | None = None,
    ) -> None:
        super().__init__(message)
        #: Relative residual reached; None where there is no solution.
        self.residual = residual
        #: Relative residual asked for.
        self.tolerance = tolerance
        #: Iterations made.
        self.iterations = iterations

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.args[0], self.residual, self.tolerance, self.iterations)


class Residual(NamedTuple):
    """How far forces are from a solution.

    absolute
        max over the contacts of |r − Proj_C(r − s/w)| w, in the unit of the slips; w: the greatest diagonal entry of W at the contact (that of
        all contacts, or the greatest entry of W, where these are 0).
    relative
        The same over max|b| + max w|r|.
    """

    #: max over the contacts of |r − Proj_C(r − s/w)| w, in the unit of the slips; w: the greatest diagonal entry of W at the contact.
    absolute: float
    #: The same over max|b| + max w|r|.
    relative: float


@dataclass(frozen=True)
class Solution:
    """Forces and slips that obey the law, in the units of W and b.

    r
        Contact forces, inside their sets.
    s
        Slips W r + b; exactly 0.0 where a contact sticks.
    states
        What each contact does: ``stick``; ``slip+`` or ``slip-`` on a line; ``slip`` in the plane (its direction is that of ``s``); ``open``.
    residual
        Residual of r, recomputed from what is returned: ``residual.absolute``, ``residual.relative``.
    iterations
        Newton steps; None where the solver does not count.
    solver
        Which solver found it: ``dense: Newton``, ``dense: cases`` (it was tried which contacts stick), ``dense: splitting``, or the name of another
        one, as `solve` takes it.
    unique
        True where r is the only solution, False where others obey the law as well, None where neither could be shown: with cones, with a W that
        is not monotone (x·Wx < 0 for some x) unless W leaves room for others, and where forces end so near to a bound that rounding decides.
    undetermined
        Contacts whose forces W does not determine; those returned are of least norm.
    """

    #: Contact forces, inside their sets.
    r: np.ndarray
    #: Slips W r + b; exactly 0.0 where a contact sticks.
    s: np.ndarray
    #: What each contact does: ``stick``, ``slip+`` or ``slip-`` on a line, ``slip``, ``open``.
    states: list[str]
    #: Residual of r, recomputed from what is returned.
    residual: Residual
    #: Newton steps; None where the solver does not count.
    iterations: int | None
    #: Which solver found it, and how.
    solver: str
    #: True: r is the only solution. False: others obey the law as well. None: neither could be shown (cones, W that is not monotone, rounding).
    unique: bool | None
    #: Contacts whose forces W does not determine; those returned are of least norm.
    undetermined: list[int]


def _problem(W: object, b: object, C: object) -> tuple[np.ndarray, np.ndarray, list[Set], int]:
    sets = named(C)
    n = sum(c.dim for c in sets)
    w = finite("W", W)
    if w.shape != (n, n):
        parts = f"{len(sets)} contacts with {n} force components together"
        raise ValueError(f"W has the shape {w.shape}, and C {parts}: W must be {n}×{n}")
    return w.reshape(-1), finite("b", b, (n,)), sets, n


def solve(
    W: object,
    b: object,
    C: object,
    *,
    start: object | None = None,
    tolerance: float = 1e-12,
    solver: str | None = None,
) -> Solution:
    """Solves s = W r + b, −s ∈ N_C(r).

    :param W: square matrix, one row for each force component: slip per force. It need not be symmetric. Where it is not monotone
        (x·Wx < 0 for some x) there may be no solution, or several: one that is found obeys the law, and ``unique`` is None.
    :param b: slips without contact forces.
    :param C: one set for each contact, in the order of the components: ``[Disk(2.0), Interval(-1.0, 1.0)]``, or in short
        ``[("disk", 2.0), (-1.0, 1.0)]``, ``"half-line"``, ``("cone", 0.3)``.
    :param start: forces to begin with; zeros by default.
    :param tolerance: relative residual to reach (see ``Residual``).
    :param solver: ``dense`` (any W and C, for up to some hundred components), ``monotone`` (many contacts of one size), or one
        of the special ones (``one-disk``, ``nine-regions``, ``two-intervals``, ``star``, ``star-any-intervals``,
        ``damped-star``, ``coupled``), which refuse what they are not made for. None: ``dense``, beyond 200 components ``monotone``
        where it can.
    :raises NotSolved: the tolerance was not reached, with the residual that was; or there is no solution, since forces without a bound can grow in
        a direction that W does not see, and b drives them on; or rows differ so much in size that small ones are lost in rounding.

    The interpreter is released while it computes. Ctrl-C is heard between iterations of ``dense``; the others end by themselves.

    >>> import stickslip
    >>> stickslip.solve([[2.0, 1.0], [1.0, 2.0]], [3.0, -0.5], [(-1, 1), (-1, 1)]).states
    ['slip+', 'stick']
    """
    w, free, sets, n = _problem(W, b, C)
    begin = np.zeros(n) if start is None else finite("start", start, (n,))
    if solver is not None and not isinstance(solver, str):
        raise TypeError(f"solver must be a name or None, not {solver!r}")
    found = _native.inclusion_solve(w, free, [c._named() for c in sets], begin, number("tolerance", tolerance), solver)
    r, s, states, left, iterations, how, unique, undetermined = found
    return Solution(r, s, states, Residual(*left), iterations, how, unique, undetermined)


def residual(W: object, b: object, C: object, r: object) -> Residual:
    """How far the forces r are from a solution; see ``Residual``. 0 if and only if they are one, but for rounding."""
    w, free, sets, n = _problem(W, b, C)
    return Residual(*_native.inclusion_residual(w, free, [c._named() for c in sets], finite("r", r, (n,))))
