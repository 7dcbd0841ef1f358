"""stickslip: wheels, vehicles, bogies and wheel/rail contacts with dry friction in which rest is exact."""

from ._native import __version__
from .errors import Error, RunError, ScenarioError, SimulationError

__all__ = ["Error", "RunError", "ScenarioError", "SimulationError", "__version__"]
