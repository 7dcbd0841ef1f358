"""Pictures with matplotlib, in the colours of the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _native
from .errors import Error

if TYPE_CHECKING:
    from .result import Result

#: States in which nothing slides, and those in which something does; the others are left white.
CALM = {"stick", "rolls"}
MOVING = {"slip", "slides", "spins", "locked"}


def plot(result: Result, columns: tuple[str, ...], axes=None):
    """Columns over the first one, those of one unit in one panel; bands where parts stick and slip."""
    import matplotlib.pyplot as plt

    if len(result) < 2:
        raise Error("there are no columns to draw over each other")
    units = result.units
    over = result.columns[0]
    names = list(columns) or usual(result)
    for name in names:
        _ = result[name]
    panels: dict[str, list[str]] = {}
    for name in names:
        panels.setdefault(units.get(name, ""), []).append(name)
    if axes is None:
        size = (8, 0.6 + 2.2 * len(panels))
        _, axes = plt.subplots(len(panels), sharex=True, squeeze=False, figsize=size, layout="constrained")
        axes = axes[:, 0]
    axes = list(axes) if hasattr(axes, "__len__") else [axes]
    if len(axes) < len(panels):
        raise Error(f"{len(panels)} axes are needed, one for each unit: {', '.join(panels)}")
    named, roles = _native.palette()
    theme = dict(named)
    for ax, (unit, own) in zip(axes, panels.items(), strict=False):
        shade(ax, result, theme)
        for k, name in enumerate(own):
            colour, dash = roles[k % len(roles)]
            style = (0, [length / 1.5 for length in dash]) if dash else "-"
            ax.plot(result[over], result[name], color=colour, linestyle=style, linewidth=1.4, label=name)
        ax.set_ylabel(unit if unit not in ("", "1") else "")
        ax.grid(color=theme["grid"], linewidth=0.8)
        ax.set_axisbelow(True)
        ax.tick_params(colors=theme["muted"])
        for spine in ax.spines.values():
            spine.set_color(theme["frame"])
        ax.legend(frameon=False, fontsize="small", labelcolor=theme["ink"])
        ax.margins(x=0)
    unit = units.get(over, "")
    axes[len(panels) - 1].set_xlabel(over if unit in ("", "1") else f"{over} [{unit}]", color=theme["ink"])
    axes[0].set_title(result.scenario.title or result.scenario.name, color=theme["ink"], fontsize="medium", loc="left")
    return axes


def usual(result: Result) -> list[str]:
    """The speeds, or else the first column after the time."""
    units = result.units
    speeds = [name for name in result.columns[1:] if units.get(name) == "m/s"]
    return speeds[:8] or result.columns[1:2]


def shade(ax, result: Result, theme: dict[str, str]) -> None:
    """Blue where every part sticks, orange where one slips, as behind the curves of the reports."""
    strips = result.strips
    edges = sorted({edge for bands in strips.values() for band in bands for edge in band[:2]})
    for begin, end in zip(edges, edges[1:], strict=False):
        middle = 0.5 * (begin + end)
        states = {state for bands in strips.values() for a, b, state in bands if a <= middle <= b}
        if states & MOVING:
            ax.axvspan(begin, end, color=theme["slip-wash"], linewidth=0, zorder=0)
        elif states and states <= CALM:
            ax.axvspan(begin, end, color=theme["stick-wash"], linewidth=0, zorder=0)
