"""Pictures of sweeps, in the colours of the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._style import dress, roles, shades, theme
from .errors import SweepError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._dataset import SweepResult

#: Colours of classes.
CLASSES = [f"{name}-tint" for name in ("rolls", "slides", "locked", "spins", "stands", "flies")]
#: Levels of contour lines.
CONTOURS = 8


def label(result: SweepResult, name: str) -> str:
    """Name and unit of an axis."""
    unit = result.units[name]
    return name if unit in ("", "1") else f"{name} ({unit})"


def plot(result: SweepResult, plan: _native.Sweep, output: str | None, ax: Any) -> Figure:
    import matplotlib.pyplot as plt

    if plan.diagram is not None:
        return _diagram(result, plan, output, ax)
    names = result.names
    own = [name for name in names[plan.varied :] if name != "error"]
    if output is not None and output not in own:
        raise SweepError(f"there is no output {output!r}", f"there are {', '.join(own)}")
    shown = [output] if output is not None else ["class"] if "class" in own else own if ax is None else own[:1]
    draws = [_kind(plan, result, name) for name in shown]
    axes = [ax]
    if ax is None:
        _, axes = plt.subplots(len(draws), squeeze=False, figsize=(6.4, 4.4 * len(draws)), layout="constrained")
        axes = axes[:, 0]
    for ax, draw in zip(axes, draws, strict=True):
        draw(ax)
    return axes[0].figure


def _diagram(result: SweepResult, plan: _native.Sweep, output: str | None, ax: Any) -> Figure:
    """Values over the key that was gone along, those of the way down beside them; of spectra a waterfall."""
    import matplotlib.pyplot as plt

    (column, spectrum), key = plan.diagram or ("", False), result.names[plan.varied - 1]
    if output not in (None, "value", column):
        raise SweepError(f"there is no output {output!r}", f"a diagram shows the values of {column}: leave the name out")
    if ax is None:
        _, ax = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
    known = np.isfinite(result["value"])
    if spectrum:
        known &= result["value"] > 0
        if not known.any():
            raise SweepError("there is nothing to draw", "nothing moves in these runs: look at the column error")
        level = 20 * np.log10(result["value"][known] / result["value"][known].max())
        dots = ax.scatter(result[key][known], result["frequency"][known], c=level, cmap="Greys", vmin=-80, vmax=0, s=9, marker="s", linewidths=0)
        bar = ax.figure.colorbar(dots, ax=ax, label=f"{column} [dB below the greatest line]")
        bar.outline.set_edgecolor(theme()["frame"])
        _frame(ax, result, key, "frequency", "linear")
        return ax.figure
    for direction, (colour, _), size in zip(("own", "up", "down"), roles(), (9, 16, 5), strict=False):
        of = known & (result["direction"] == direction)
        if of.any():
            ax.scatter(result[key][of], result["value"][of], color=colour, s=size, linewidths=0, label=direction)
    _frame(ax, result, key, "value", "linear")
    unit = result.units["value"]
    ax.set_ylabel(column if unit in ("", "1") else f"{column} ({unit})")
    if (result["direction"] != "own").any():
        ax.legend(frameon=False, labelcolor=theme()["ink"])
    return ax.figure


def _kind(plan: _native.Sweep, result: SweepResult, output: str) -> Any:
    """What can be drawn of a sweep."""
    grid = [axis for axis in plan.axes if axis[1] != "random" and axis[2] > 1]
    random = [axis for axis in plan.axes if axis[1] == "random"]
    texts = {name for name, unit in result.units.items() if result[name].dtype == object}
    if plan.has_table and not grid and not random:
        keys = [name for name in result.names[: plan.varied] if name not in texts]
        keys = [key for key in keys if len(np.unique(result[key])) > 1]
        if len(keys) == 1 and output != "class":
            return lambda ax: _curve(ax, result, keys[0], output, "linear")
    elif not plan.has_table and not any(axis[0] in texts for axis in grid):
        scale = {axis[0]: "log" if axis[3] else "linear" for axis in grid}
        if len(grid) == 1 and not random and output != "class":
            return lambda ax: _curve(ax, result, grid[0][0], output, scale[grid[0][0]])
        if len(grid) == 1 and random and output != "class":
            return lambda ax: _bands_on_grid(ax, result, grid[0], random[0][2], output, scale[grid[0][0]])
        if len(grid) == 2 and not random:
            return lambda ax: _map(ax, result, plan, grid[1], grid[0], output, scale)
        if not grid and random and output != "class":
            return lambda ax: _bands(ax, result, random[0][0], output)
    raise SweepError(
        "there is no usual picture of this sweep: curves are drawn over one key, maps over two that are combined",
        "draw columns of to_pandas(), or look at report.html in the folder of a sweep with out=",
    )


def _frame(ax: Any, result: SweepResult, x: str, y: str, scale: str) -> None:
    ax.set_xscale(scale)
    ax.set_xlabel(label(result, x))
    ax.set_ylabel(label(result, y))
    dress(ax)


def _curve(ax: Any, result: SweepResult, x: str, y: str, scale: str) -> None:
    order = np.argsort(result[x], kind="stable")
    marker = "o" if len(result) <= 60 else None
    ax.plot(result[x][order], result[y][order], color=theme()["ink"], linewidth=1.4, marker=marker, markersize=3.5)
    missing = result[x][~np.isfinite(result[y])]
    if len(missing):
        how = {"color": theme()["muted"], "markersize": 4, "transform": ax.get_xaxis_transform(), "clip_on": False}
        ax.plot(missing, np.full(len(missing), 0.015), "x", label="no value", **how)
        ax.legend(frameon=False, fontsize="small", labelcolor=theme()["ink"])
    _frame(ax, result, x, y, scale)


def _band_lines(ax: Any, places: np.ndarray, groups: list[np.ndarray]) -> None:
    def at(share: float) -> list[float]:
        known = [group[np.isfinite(group)] for group in groups]
        return [np.quantile(group, share) if len(group) else np.nan for group in known]

    ax.fill_between(places, at(0.05), at(0.95), color=roles()[3][0], alpha=0.18, linewidth=0, label="nine tenths")
    ax.fill_between(places, at(0.25), at(0.75), color=roles()[1][0], alpha=0.30, linewidth=0, label="middle half")
    ax.plot(places, at(0.5), color=theme()["ink"], linewidth=1.4, label="median")
    ax.legend(frameon=False, labelcolor=theme()["ink"])


def _bands_on_grid(ax: Any, result: SweepResult, axis: Any, samples: int, y: str, scale: str) -> None:
    x, _, count, _ = axis
    places = result[x].reshape(count, samples)[:, 0]
    order = np.argsort(places, kind="stable")
    _band_lines(ax, places[order], list(result[y].reshape(count, samples)[order]))
    _frame(ax, result, x, y, scale)


def _about_trend(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Values about the parabola that fits them best, at the middle of x: what rises along x is no scatter. As the command's bands."""
    if len(np.unique(x)) < 4:
        return y
    middle = np.median(x)
    u = (x - middle) / np.abs(x - middle).max()
    fit = np.polynomial.polynomial.polyfit(u, y, 2)
    rest = y - np.polynomial.polynomial.polyval(u, fit)
    return np.clip(fit[0] + np.sqrt(len(y) / (len(y) - 3)) * rest, y.min(), y.max())


def _bands(ax: Any, result: SweepResult, x: str, y: str) -> None:
    known = np.flatnonzero(np.isfinite(result[y]))
    order = known[np.argsort(result[x][known], kind="stable")]
    ax.plot(result[x][order], result[y][order], ".", color=theme()["frame"], markersize=2, alpha=0.5)
    groups = np.array_split(order, max(1, min(20, len(order) // 20)))
    places = np.array([np.median(result[x][group]) for group in groups])
    _band_lines(ax, places, [_about_trend(result[x][group], result[y][group]) for group in groups])
    _frame(ax, result, x, y, "linear")


def _no_value() -> Any:
    from matplotlib.patches import Patch

    return Patch(facecolor="white", edgecolor=theme()["muted"], hatch="////", linewidth=0, label="no value")


def _missing(ax: Any, xs: np.ndarray, ys: np.ndarray, values: np.ma.MaskedArray) -> None:
    """Hatches cells without a value: they are not the least ones."""
    from matplotlib.colors import ListedColormap

    if np.ma.is_masked(values):
        ax.patch.set(hatch="////", edgecolor=theme()["muted"], linewidth=0)
        known = np.ma.array(np.zeros(values.shape), mask=np.ma.getmaskarray(values))
        ax.pcolormesh(xs, ys, known, cmap=ListedColormap(["white"]), shading="nearest", rasterized=True)


def _map(ax: Any, result: SweepResult, plan: _native.Sweep, x_axis: Any, y_axis: Any, output: str, scale: Any) -> None:
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch
    from matplotlib.patheffects import Normal, Stroke

    (x, _, columns, _), (y, _, rows, _) = x_axis, y_axis
    xs, ys = result[x].reshape(rows, columns)[0], result[y].reshape(rows, columns)[:, 0]
    # Lists may be in any order.
    along, up = np.argsort(xs, kind="stable"), np.argsort(ys, kind="stable")
    xs, ys, placed = xs[along], ys[up], np.ix_(up, along)
    if output == "class":
        names = plan.classes
        number = {name: k for k, name in enumerate(names)}
        values = np.array([number.get(name, np.nan) for name in result["class"]], dtype=float).reshape(rows, columns)[placed]
        colours = [theme()[CLASSES[k % len(CLASSES)]] for k in range(len(names))]
        shown = np.ma.masked_invalid(values)
        _missing(ax, xs, ys, shown)
        ax.pcolormesh(xs, ys, shown, cmap=ListedColormap(colours), vmin=-0.5, vmax=len(names) - 0.5, shading="nearest")
        patches = [Patch(color=colour, label=name) for name, colour in zip(names, colours)]
        patches += [_no_value()] if np.ma.is_masked(shown) else []
        ax.legend(handles=patches, loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False, labelcolor=theme()["ink"])
    else:
        values = np.ma.masked_invalid(result[output].reshape(rows, columns)[placed])
        _missing(ax, xs, ys, values)
        if np.ma.is_masked(values):
            ax.legend(handles=[_no_value()], loc="lower left", bbox_to_anchor=(0.0, 1.0), frameon=False, fontsize="small", labelcolor=theme()["ink"])
        mesh = ax.pcolormesh(xs, ys, values, cmap=shades(), shading="nearest", rasterized=True)
        bar = ax.figure.colorbar(mesh, ax=ax, label=label(result, output))
        bar.outline.set_edgecolor(theme()["frame"])
        if values.count() > 3 and values.max() > values.min() and min(rows, columns) > 1:
            lines = ax.contour(xs, ys, values, levels=CONTOURS, colors=theme()["ink"], linewidths=0.9)
            # On a white rim: readable where lines are close and where the map is dark.
            for text in ax.clabel(lines, fontsize=8, fmt="%g"):
                text.set_path_effects([Stroke(linewidth=2.5, foreground="white"), Normal()])
    ax.set_xscale(scale[x])
    ax.set_yscale(scale[y])
    ax.tick_params(colors=theme()["muted"])
    for side in ax.spines.values():
        side.set_color(theme()["frame"])
    ax.set_xlabel(label(result, x))
    ax.set_ylabel(label(result, y))
