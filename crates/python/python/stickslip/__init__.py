"""stickslip: wheels, vehicles, bogies and wheel/rail contacts with dry friction in which rest is exact.

>>> import stickslip
>>> r = stickslip.run("wheel-sport-braking", {"wheel.mass": "350 kg"})
>>> r.t, r["x1"], r.events, r.measures["distance"]
"""

from . import contact, law
from ._native import __version__
from .errors import DatasetError, Error, RunError, ScenarioError, SimulationError, SweepError, Unwritable
from .inclusion import NotSolved, Residual, Solution, residual, solve
from .result import Result, run
from .scenario import Scenario, scenarios
from .sets import Cone, Disk, HalfLine, Interval
from .simulation import Simulation
from .stability import Stability, stability
from .sweep import Found, SweepResult, find, outputs, sweep, write_points

__all__ = [
    "Cone",
    "DatasetError",
    "Disk",
    "Error",
    "Found",
    "HalfLine",
    "Interval",
    "NotSolved",
    "Residual",
    "Result",
    "RunError",
    "Scenario",
    "ScenarioError",
    "Simulation",
    "SimulationError",
    "Solution",
    "Stability",
    "SweepError",
    "SweepResult",
    "Unwritable",
    "__version__",
    "contact",
    "find",
    "law",
    "outputs",
    "residual",
    "run",
    "scenarios",
    "solve",
    "stability",
    "sweep",
    "write_points",
]
