"""stickslip: wheels, vehicles, bogies and wheel/rail contacts with dry friction in which rest is exact.

>>> import stickslip
>>> r = stickslip.run("wheel-sport-braking", {"wheel.mass": "350 kg"})
>>> r.t, r["x1"], r.events, r.measures["distance"]
"""

from ._native import __version__
from .errors import Error, RunError, ScenarioError, SimulationError
from .result import Result, run
from .scenario import Scenario, scenarios
from .simulation import Simulation

__all__ = [
    "Error",
    "Result",
    "RunError",
    "Scenario",
    "ScenarioError",
    "Simulation",
    "SimulationError",
    "__version__",
    "run",
    "scenarios",
]
