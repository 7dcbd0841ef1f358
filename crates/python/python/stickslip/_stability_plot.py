"""Pictures of roots, in the colours of the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._style import dress, roles, shades, theme
from .errors import Error

if TYPE_CHECKING:
    from .stability import Stability


def plot(found: Stability, axes: Any) -> Any:
    import matplotlib.pyplot as plt

    count = len(found.varied)
    if not count and not found.modes:
        raise Error("the scenario has no steady state, and nothing was varied: there is nothing to draw")
    panels = 2 if count == 1 else 1
    if axes is None:
        size = (8, 5) if panels == 2 else (6.4, 4.4)
        _, axes = plt.subplots(panels, sharex=True, squeeze=False, figsize=size, layout="constrained")
        axes = axes[:, 0]
    axes = list(axes) if hasattr(axes, "__len__") else [axes]
    if len(axes) < panels:
        raise Error(f"{panels} axes are needed")
    [_plane, _locus, _map][count](found, axes)
    for ax in axes:
        dress(ax)
    title = found.scenario.title or found.scenario.name
    values = [f"{key} = {value:.6g} {found.units[key]}".rstrip() for key, all in found.critical.items() for value in all]
    told = f"\ncritical: {', '.join(values)}" if values else ""
    axes[0].set_title(title + told, color=theme()["ink"], fontsize="medium", loc="left")
    return axes


def _colours(found: Stability) -> np.ndarray:
    """Orange what grows, blue what does not."""
    return np.where(found.table["unstable"] > 0, theme()["slip"], theme()["stick"])


#: So many roots have their numbers beside them.
TOLD = 6


def _key(found: Stability, ax: Any) -> None:
    """What the colours of the roots are."""
    from matplotlib.lines import Line2D

    grows = found.table["unstable"] > 0
    named = [("slip", "grows", grows.any()), ("stick", "dies away", (~grows).any())]
    dots = [Line2D([], [], color=theme()[colour], marker="o", linestyle="", label=name) for colour, name, seen in named if seen]
    ax.legend(handles=dots, frameon=False, fontsize="small", labelcolor=theme()["ink"], loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _plane(found: Stability, axes: Any) -> None:
    real, frequency = found.table["real"], found.table["frequency"]
    axes[0].axvline(0.0, color=theme()["frame"], linewidth=1.0)
    axes[0].scatter(real, frequency, c=_colours(found), s=28, linewidths=0)
    if len(real) <= TOLD:
        for sigma, f in zip(real, frequency, strict=True):
            words = f"σ = {sigma:.4g}/s, {f:.4g} Hz"
            side = {"ha": "left", "xytext": (6, 4)} if sigma <= 0 else {"ha": "right", "xytext": (-6, 4)}
            axes[0].annotate(words, (sigma, f), textcoords="offset points", fontsize="small", color=theme()["ink"], **side)
    # A scale that a single root has, too: from 0 on, with room on both sides.
    reach = 1.25 * float(np.abs(real).max(initial=0.0)) or 1.0
    axes[0].set_xlim(-reach, reach)
    axes[0].set_ylim(0.0, 1.25 * float(frequency.max(initial=0.0)) or 1.0)
    axes[0].set_xlabel("σ [1/s]: right of 0 it grows")
    axes[0].set_ylabel("frequency [Hz]")
    _key(found, axes[0])


def _named(found: Stability, key: str) -> str:
    """A key with its unit."""
    unit = found.units[key]
    return f"{key} [{unit}]" if unit else key


def _locus(found: Stability, axes: Any) -> None:
    key = found.varied[0]
    for ax, column, name in zip(axes, ("real", "frequency"), ("σ [1/s]", "frequency [Hz]"), strict=False):
        ax.scatter(found.table[key], found.table[column], c=_colours(found), s=6, linewidths=0)
        ax.set_ylabel(name)
    axes[0].axhline(0.0, color=theme()["frame"], linewidth=1.0)
    for value in found.critical.get(key, []):
        axes[0].axvline(value, color=theme()["frame"], linewidth=1.0)
    axes[1].set_xlabel(_named(found, key))
    _key(found, axes[0])


def _map(found: Stability, axes: Any) -> None:
    places = [np.unique([point["values"][k] for point in found.points]) for k in (0, 1)]
    growth = np.array([np.nan if point["unstable"] is None else point["real"] for point in found.points], dtype=float)
    growth = growth.reshape(len(places[0]), len(places[1]))
    mesh = axes[0].pcolormesh(places[1], places[0], np.ma.masked_invalid(growth), cmap=shades(), shading="nearest", rasterized=True)
    bar = axes[0].figure.colorbar(mesh, ax=axes[0], label="greatest σ [1/s]")
    bar.outline.set_edgecolor(theme()["frame"])
    known = growth[np.isfinite(growth)]
    if min(growth.shape) > 1 and known.size and known.min() < 0 < known.max():
        from matplotlib.lines import Line2D

        border = {"color": roles()[1][0], "linewidth": 1.6}
        axes[0].contour(places[1], places[0], growth, levels=[0.0], colors=border["color"], linewidths=border["linewidth"])
        line = Line2D([], [], label="σ = 0: it grows on the side where σ > 0", **border)
        axes[0].legend(handles=[line], frameon=False, fontsize="small", labelcolor=theme()["ink"], loc="upper left", bbox_to_anchor=(0.0, -0.12))
    axes[0].set_xlabel(_named(found, found.varied[1]))
    axes[0].set_ylabel(_named(found, found.varied[0]))
