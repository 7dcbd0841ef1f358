"""Rolling contact: Hertz, tractions on the half-space, creep forces. SI units.

Two bodies are pressed together and roll over each other towards +x at the speed V. The creepages

    ξ = (v_x1 − v_x2)/V,    η = (v_y1 − v_y2)/V,    φ = (ω_z1 − ω_z2)/V  [1/m]

are what rigid bodies would slip (body 1 is the wheel). Tractions and forces are those on body 1 and so oppose creepage:
F_x < 0 for ξ > 0; M_z = ∫ (x r_y − y r_x). x is the rolling direction, the leading edge is at +x.
"""

from .bodies import Body, Hertz, hertz
from .creep import THEORIES, CreepForces, Falling, Patch, creep_force, kalker_coefficients
from .rolling import Rolling, shift, steady, transient

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
