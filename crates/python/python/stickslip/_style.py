"""How pictures look: the colours of the reports."""

from __future__ import annotations

from functools import cache
from typing import Any

from . import _native


@cache
def theme() -> dict[str, str]:
    """Colours by name."""
    return dict(_native.palette()[0])


@cache
def roles() -> list[tuple[str, Any]]:
    """Colours and dashes of curves, in their order."""
    scaled = lambda dash: (0, [length / 1.5 for length in dash]) if dash else "-"  # noqa: E731
    return [(colour, scaled(dash)) for colour, dash in _native.palette()[1]]


@cache
def shades() -> Any:
    """Colours of values on maps, from the least to the greatest."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("stickslip", [[part / 255 for part in colour] for colour in _native.palette()[2]])


def dress(ax: Any) -> None:
    """Frame, grid and numbers of a panel."""
    ax.grid(color=theme()["grid"], linewidth=0.8)
    ax.set_axisbelow(True)
    ax.tick_params(colors=theme()["muted"])
    for spine in ax.spines.values():
        spine.set_color(theme()["frame"])
