"""stickslip: wheels, vehicles, bogies and wheel/rail contacts with dry friction in which rest is exact."""

from ._native import __version__
from .errors import DatasetError, Error, RunError, ScenarioError, SimulationError, SweepError
from .sweep import Found, SweepResult, find, sweep, write_points

__all__ = [
    "DatasetError",
    "Error",
    "Found",
    "RunError",
    "ScenarioError",
    "SimulationError",
    "SweepError",
    "SweepResult",
    "__version__",
    "find",
    "sweep",
    "write_points",
]
