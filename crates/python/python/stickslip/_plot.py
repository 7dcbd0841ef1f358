"""Pictures of runs with matplotlib, in the colours of the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._style import dress, roles, theme
from .errors import Error

if TYPE_CHECKING:
    from .result import Result

#: States in which nothing slides, and those in which something does; the others are left white.
CALM = {"stick", "rolls", "rises", "stands"}
MOVING = {"slip", "slides", "spins", "locked", "falls"}

#: The colour of the others.
WHITE = "white"

#: Columns that show a run of a model, where these are not its speeds.
USUAL = {
    "half-car": ("heave", "pitch", "gap_front", "gap_rear"),
    "rail-wheel": ("x1", "x2", "f"),
    "towed-wheel": ("psi", "u1", "u2"),
    "squeal": ("v", "F"),
}

#: Speeds of rims, which are the opposite of the chassis' where wheels roll, by the beginnings of their names: drawn with the other sign, as in
#: the reports, so that what rolls lies on it.
RIMS = {"wheel": ("x2",), "rail-wheel": ("x2",), "vehicle": ("v_",), "motorcycle": ("v_",)}

#: What is measured in a unit.
QUANTITIES = {
    "m/s": "speed", "m": "place", "rad": "angle", "rad/s": "angular speed", "N": "force", "N m": "torque", "J": "energy", "°C": "temperature",
}

#: States of wheels: where there are wheels, these are what the bands show.
OF_WHEELS = {"rolls", "slides", "locked", "spins", "stands", "in the air", "flies"}

#: Curves in one panel at the most.
MOST = 8

#: Curves that turn more often are drawn from their least to their greatest values, in so many pieces.
TURNS, PIECES = 800, 500

#: Shares of what a panel shows that are not looked at: steps of a curve, whole curves.
ROUNDING, NOTHING = 1e-5, 1e-9

#: What is shown of the end of a run that is too quick to be seen as a whole: so many turns.
LAST = 24


def plot(result: Result, columns: tuple[str, ...], axes: Any = None) -> Any:
    """Columns over the first one, those of one unit in one panel; bands where parts stick and slip."""
    import matplotlib.pyplot as plt

    if len(result) < 2:
        raise Error("there are no columns to draw over each other")
    if result.t is None and not columns and {"x", "y", "p", "status"} <= set(result.columns):
        from ._contact_plot import plot as contact

        return contact(result, axes)
    units = result.units
    over = result.columns[0]
    names = list(columns) or usual(result)
    rims = () if columns else RIMS.get(result.scenario.model, ())
    mirrored = {name for name in names if rims and name.startswith(rims)}
    for name in names:
        _ = result[name]
    panels: dict[str, list[str]] = {}
    for name in names:
        panels.setdefault(units.get(name, ""), []).append(name)
    quick = not columns and turns(result[names[0]]) > TURNS
    count = len(panels) + quick
    if axes is None:
        _, axes = plt.subplots(count, squeeze=False, figsize=(8, 0.6 + 2.2 * count), layout="constrained")
        axes = axes[:, 0]
        for ax in axes[1 : len(panels)]:
            ax.sharex(axes[0])
            axes[0].tick_params(labelbottom=False)
    axes = list(axes) if hasattr(axes, "__len__") else [axes]
    if len(axes) < count:
        raise Error(f"{count} axes are needed, one for each unit: {', '.join(panels)}{', and one for the end' * quick}")
    seen: dict[str, set[str]] = {}
    for ax, own in zip(axes, panels.values(), strict=False):
        draw(ax, result, over, own, slice(None), seen, mirrored)
    if quick:
        ends = np.flatnonzero(np.diff(np.sign(np.diff(result[names[0]]))))
        draw(axes[count - 1], result, over, next(iter(panels.values())), slice(ends[-LAST], None), seen, mirrored)
    unit = units.get(over, "")
    for ax in {axes[len(panels) - 1], axes[count - 1]}:
        ax.set_xlabel(over if unit in ("", "1") else f"{over} [{unit}]", color=theme()["ink"])
    key(axes[count - 1], seen)
    axes[0].set_title(result.scenario.title or result.scenario.name, color=theme()["ink"], fontsize="medium", loc="left")
    return axes


def usual(result: Result) -> list[str]:
    """What shows a run of its model, the speeds, or else the first column after the time."""
    own = [name for name in USUAL.get(result.scenario.model, ()) if name in result]
    units = result.units
    speeds = [name for name in result.columns[1:] if units.get(name) == "m/s"]
    greatest = {name: float(np.abs(result[name]).max(initial=0.0)) for name in speeds}
    seen = [name for name in speeds if greatest[name] > NOTHING * max(greatest.values())]
    return own or seen[:MOST] or speeds[:1] or result.columns[1:2]


def turns(values: np.ndarray) -> int:
    """How often a curve turns."""
    steps = np.diff(values)
    way = np.where(np.abs(steps) > ROUNDING * np.ptp(values), np.sign(steps), 0.0)
    return int(np.count_nonzero(np.diff(way[way != 0])))


def draw(ax: Any, result: Result, over: str, names: list[str], rows: slice, seen: dict[str, set[str]], mirrored: set[str]) -> None:
    """Curves of one unit, some of them with the other sign. `seen` gathers what the bands behind them stand for."""
    x = result[over][rows]
    shade(ax, result, (float(x[0]), float(x[-1])), seen)
    for k, name in enumerate(names):
        colour, dash = roles()[k % len(roles())]
        # No minus before zero.
        values = 0.0 - result[name][rows] if name in mirrored else result[name][rows]
        name = f"−{name}, rim" if name in mirrored else name
        if turns(values) > TURNS:
            at, low, high = hull(x, values)
            ax.fill_between(at, low, high, color=colour, alpha=0.45, linewidth=0.6, label=f"{name}, least to greatest")
        else:
            ax.plot(x, values, color=colour, linestyle=dash, linewidth=1.4, label=name)
    unit = result.units.get(names[0], "")
    shown = "" if unit in ("", "1") else f"[{unit}]"
    what = names[0] if len(names) == 1 else QUANTITIES.get(unit, "")
    ax.set_ylabel(f"{what} {shown}".strip(), color=theme()["ink"])
    dress(ax)
    if len(names) > 1:
        # Beside the panel: curves over time leave no corner of it free.
        ax.legend(frameon=False, fontsize="small", labelcolor=theme()["ink"], loc="upper left", bbox_to_anchor=(1.0, 1.0))
    ax.margins(x=0)


def hull(x: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Least and greatest values of pieces of a curve, and where they are."""
    starts = np.unique(np.linspace(0, len(x), PIECES, endpoint=False).astype(int))
    ends = np.append(starts[1:], len(x)) - 1
    return 0.5 * (x[starts] + x[ends]), np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)


#: States as they are told in legends, in this order: those of wheels where there are wheels, whose brakes slip while they roll.
ORDER = ("stick", "rolls", "stands", "rises", "slip", "slides", "locked", "spins", "falls")


def key(ax: Any, seen: dict[str, set[str]]) -> None:
    """What the bands behind the curves are, below the last panel, in the words of the states that they stand for."""
    from matplotlib.legend import Legend
    from matplotlib.patches import Patch

    def told(wash: str, states: set[str]) -> str:
        if states in ({"stick"}, {"slip"}):
            return "all stick" if wash == "stick-wash" else "something slips"
        order = sorted(states, key=lambda state: (ORDER.index(state) if state in ORDER else len(ORDER), state))
        return f"{'all' if wash == 'stick-wash' else 'some'}: {', '.join(order)}"

    names = {wash: told(wash, seen[wash]) for wash in ("stick-wash", "slip-wash", WHITE) if seen.get(wash)}
    if names:
        bands = [Patch(facecolor=theme().get(wash, wash), edgecolor=theme()["frame"]) for wash in names]
        # Beside the name of the axis there is room for two.
        below = -0.16 if len(names) < 3 else -0.30
        how = {"frameon": False, "fontsize": "small", "labelcolor": theme()["ink"], "ncols": len(names), "borderaxespad": 0.0, "borderpad": 0.0}
        legend = Legend(ax, bands, list(names.values()), loc="upper right", bbox_to_anchor=(1.0, below), **how)
        # What is clipped to the panel has no room of its own in the layout.
        ax.add_artist(legend).set_clip_on(False)


def shade(ax: Any, result: Result, ends: tuple[float, float], seen: dict[str, set[str]]) -> None:
    """Blue where every part sticks, orange where one slips, as behind the curves of the reports, white where one is open or in the air and none slips;
    what is too short to be seen is left out."""
    wheels = {name: bands for name, bands in result.strips.items() if any(state in OF_WHEELS for _, _, state in bands)}
    # Rolling resistance slips as long as anything moves, and controllers are no contacts.
    strips = wheels or result.strips
    edges = sorted({edge for bands in strips.values() for band in bands for edge in band[:2]})
    least = (ends[1] - ends[0]) / 4000
    pieces: list[tuple[float, float, str, set[str]]] = []
    for begin, end in zip(edges, edges[1:], strict=False):
        if end <= ends[0] or begin >= ends[1]:
            continue
        middle = 0.5 * (begin + end)
        states = {state for bands in strips.values() for a, b, state in bands if a <= middle <= b}
        wash = "slip-wash" if states & MOVING else "stick-wash" if states <= CALM else WHITE
        own = states & MOVING or (states if states <= CALM else states - CALM)
        if own and pieces and pieces[-1][1:3] == (begin, wash):
            pieces[-1] = (pieces[-1][0], end, wash, pieces[-1][3] | own)
        elif own:
            pieces.append((begin, end, wash, own))
    for begin, end, wash, own in pieces:
        if end - begin > least:
            seen.setdefault(wash, set()).update(own)
            if wash != WHITE:
                ax.axvspan(max(begin, ends[0]), min(end, ends[1]), color=theme()[wash], linewidth=0, zorder=0)
