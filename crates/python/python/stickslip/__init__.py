"""stickslip: wheels, vehicles, bogies and wheel/rail contacts with dry friction in which rest is exact.

>>> import stickslip
>>> r = stickslip.run("wheel-sport-braking", {"wheel.mass": "350 kg"})
>>> r.t, r["x1"], r.events, r.measures["distance"]
"""

from ._native import __version__
from .errors import DatasetError, Error, RunError, ScenarioError, SimulationError, SweepError
from .result import Result, run
from .scenario import Scenario, scenarios
from .simulation import Simulation
from .sweep import Found, SweepResult, find, sweep, write_points

__all__ = [
    "DatasetError",
    "Error",
    "Found",
    "Result",
    "RunError",
    "Scenario",
    "ScenarioError",
    "Simulation",
    "SimulationError",
    "SweepError",
    "SweepResult",
    "__version__",
    "find",
    "run",
    "scenarios",
    "sweep",
    "write_points",
]
