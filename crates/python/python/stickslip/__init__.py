"""stickslip: wheels, vehicles, bogies and wheel/rail contacts with dry friction in which rest is exact."""

from . import contact, law
from ._native import __version__
from .errors import Error, RunError, ScenarioError, SimulationError
from .inclusion import NotSolved, Residual, Solution, residual, solve
from .sets import Cone, Disk, HalfLine, Interval

__all__ = [
    "Cone",
    "Disk",
    "Error",
    "HalfLine",
    "Interval",
    "NotSolved",
    "Residual",
    "RunError",
    "ScenarioError",
    "SimulationError",
    "Solution",
    "__version__",
    "contact",
    "law",
    "residual",
    "solve",
]
