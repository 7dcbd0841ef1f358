"""Pictures of contacts that are solved once: tractions, and where they stick and slip."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._style import dress, roles, shades, theme
from .errors import Error

if TYPE_CHECKING:
    from .result import Result

#: Forces that change by less than this share are given, and reached to the tolerance of the solver.
GIVEN = 1e-4

#: Arrows of tractions along each axis at the most.
ARROWS = 22


def plot(result: Result, axes: Any) -> Any:
    import matplotlib.pyplot as plt

    line = len(np.unique(result["y"])) == 1
    way = result.tables.get("history")
    panels = (1 if line else 2) + (way is not None)
    if axes is None:
        _, axes = plt.subplots(1, panels, squeeze=False, figsize=(1.0 + 4.4 * panels, 4.0), layout="constrained")
        axes = axes[0]
    axes = list(axes) if hasattr(axes, "__len__") else [axes]
    if len(axes) < panels:
        raise Error(f"{panels} axes are needed")
    if line:
        _line(result, axes[0])
    else:
        _magnitude(result, axes[0])
        _states(result, axes[1])
    if way is not None:
        _way(way, axes[panels - 1], line)
    axes[0].set_title(result.scenario.title or result.scenario.name, color=theme()["ink"], fontsize="medium", loc="left")
    return axes


def _tractions(result: Result) -> tuple[np.ndarray, np.ndarray, str]:
    """Along x and across, with the unit that they are drawn in."""
    if "r_x" in result:
        return 1e-6 * result["r_x"], 1e-6 * result["r_y"], "MPa"
    # Of finite elements: nodal forces over the piece of surface that belongs to a node.
    share = np.divide(result["p"], result["F_n"], out=np.zeros_like(result["p"]), where=result["F_n"] > 0)
    return 1e-6 * result["F_x"] * share, 1e-6 * result["F_y"] * share, "MPa"


def _line(result: Result, ax: Any) -> None:
    """Traction and pressure over x, on bands of stick and slip."""
    order = np.argsort(result["x"], kind="stable")
    x, status = 1e3 * result["x"][order], result["status"][order]
    along, _, unit = (part if isinstance(part, str) else part[order] for part in _tractions(result))
    pressure = 1e-6 * result["p"][order]
    edges = np.concatenate([[x[0]], 0.5 * (x[1:] + x[:-1]), [x[-1]]])
    for k in np.flatnonzero(status > 0):
        wash = theme()["stick-wash" if status[k] == 1 else "slip-wash"]
        ax.axvspan(edges[k], edges[k + 1], color=wash, linewidth=0, zorder=0)
    (ink, _), (second, dash) = roles()[:2]
    slips = (status == 2) & (pressure > 0)
    if slips.any():
        mu = np.median(np.abs(along[slips]) / pressure[slips])
        ax.plot(x, np.sign(np.sum(along) or 1.0) * mu * pressure, color=second, linestyle=dash, linewidth=1.2, label="what friction can transmit")
    ax.plot(x, along, color=ink, linewidth=1.6, label="traction")
    ax.set_xlabel("x [mm], rolling direction")
    ax.set_ylabel(f"traction on body 1 [{unit}]")
    dress(ax)
    from matplotlib.patches import Patch

    lines, names = ax.get_legend_handles_labels()
    washes = [("stick-wash", "sticks", 1), ("slip-wash", "slips", 2)]
    lines += [Patch(facecolor=theme()[wash], edgecolor=theme()["frame"], label=name) for wash, name, state in washes if (status == state).any()]
    names += [name for _, name, state in washes if (status == state).any()]
    ax.legend(lines, names, frameon=False, fontsize="small", labelcolor=ink, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2)


def _grid(result: Result) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """x and y of columns and rows [mm], and where each entry lies; None where the places make no grid."""
    x, i = np.unique(result["x"], return_inverse=True)
    y, j = np.unique(result["y"], return_inverse=True)
    return (1e3 * x, 1e3 * y, j * len(x) + i) if len(x) * len(y) == len(i) else None


def _field(ax: Any, result: Result, values: np.ndarray, **how: Any) -> Any:
    """Values over the contact; nothing outside."""
    grid = _grid(result)
    if grid is None:
        inside = result["status"] > 0
        return ax.scatter(1e3 * result["x"][inside], 1e3 * result["y"][inside], c=values[inside], s=24, linewidths=0, **how)
    x, y, at = grid
    table = np.full(len(x) * len(y), np.nan)
    table[at] = np.where(result["status"] > 0, values, np.nan)
    shown = np.ma.masked_invalid(table.reshape(len(y), len(x)))
    return ax.pcolormesh(x, y, shown, shading="nearest", rasterized=True, **how)


def _frame(ax: Any, result: Result) -> None:
    inside = result["status"] > 0
    if inside.any():
        for part, limit in (("x", ax.set_xlim), ("y", ax.set_ylim)):
            low, high = 1e3 * result[part][inside].min(), 1e3 * result[part][inside].max()
            limit(low - 0.12 * (high - low), high + 0.12 * (high - low))
    ax.set_aspect("equal")
    ax.set_xlabel("x [mm], rolling direction")
    ax.set_ylabel("y [mm]")
    dress(ax)


def _magnitude(result: Result, ax: Any) -> None:
    along, across, unit = _tractions(result)
    mesh = _field(ax, result, np.hypot(along, across), cmap=shades(), vmin=0.0)
    bar = ax.figure.colorbar(mesh, ax=ax, label=f"traction [{unit}]", shrink=0.85)
    bar.outline.set_edgecolor(theme()["frame"])
    _frame(ax, result)


def _states(result: Result, ax: Any) -> None:
    """Blue where the surfaces stick, orange where they slip; arrows of the tractions on body 1."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    colours = [theme()["stick-pale"], theme()["slip-pale"]]
    _field(ax, result, result["status"], cmap=ListedColormap(colours), vmin=0.5, vmax=2.5)
    along, across, _ = _tractions(result)
    chosen = result["status"] > 0
    grid = _grid(result)
    if grid is not None:
        x, y, at = grid
        step = max(1, -(-int(np.sqrt(chosen.sum())) // ARROWS))
        chosen = chosen & (at % len(x) % step == 0) & (at // len(x) % step == 0)
    ax.quiver(1e3 * result["x"][chosen], 1e3 * result["y"][chosen], along[chosen], across[chosen], color=theme()["ink"], pivot="mid", width=0.004)
    _frame(ax, result)
    patches = [Patch(color=colour, label=name) for colour, name in zip(colours, ("sticks", "slips"), strict=True)]
    ax.legend(handles=patches, frameon=False, fontsize="small", labelcolor=theme()["ink"], loc="upper right")


def _way(way: dict[str, np.ndarray], ax: Any, line: bool) -> None:
    """Forces over the distance rolled; where these are given, creepages."""
    moves = [name for name in ("F_x", "F_y") if np.ptp(way[name]) > GIVEN * np.abs(way[name]).max(initial=0.0)]
    rolls = way["distance"] > 0
    shown = moves or [name for name in ("xi", "eta") if np.ptp(way[name][rolls]) > 0]
    for name, (colour, dash) in zip(shown, roles(), strict=False):
        values = 1e-3 * way[name] if moves else 100 * np.where(rolls, way[name], np.nan)
        ax.plot(1e3 * way["distance"], values, color=colour, linestyle=dash, linewidth=1.6, label=name)
    ax.set_xlabel("distance rolled [mm]")
    ax.set_ylabel(f"force on body 1 [kN{'/m' * line}]" if moves else "creepage [%]")
    dress(ax)
    ax.margins(x=0)
    ax.legend(frameon=False, fontsize="small", labelcolor=theme()["ink"])
