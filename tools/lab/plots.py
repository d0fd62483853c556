"""The report's plots: plain data in, a matplotlib figure out. Nothing here knows about records.

The colours are Okabe and Ito's, which people with any kind of colour vision can tell apart; each
series has a marker and a dash pattern of its own as well.
"""

import base64
import io
import math
import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter  # noqa: E402
from matplotlib.ticker import NullLocator  # noqa: E402

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7F7F00"]
MARKERS = ["o", "s", "^", "D", "v", "P", "h", "*"]
DASHES = ["-", (0, (5, 1.5)), (0, (1.5, 1)), (0, (5, 1, 1, 1)), "-", (0, (5, 1.5)), "-", "--"]
INK, FAINT = "#1c2733", "#d9dee3"

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.edgecolor": "#8593a0",
    "axes.labelcolor": INK,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.7,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "svg.fonttype": "path",
    "svg.hashsalt": "report",
    "text.parse_math": False,
    "figure.dpi": 100,
}


def style(index):
    return {
        "color": COLOURS[index % len(COLOURS)],
        "marker": MARKERS[index % len(MARKERS)],
        "linestyle": DASHES[index % len(DASHES)],
    }


def tidy(value):
    """A number on an axis: no needless zeros, no powers of ten."""
    return f"{value:g}" if abs(value) < 100000 else f"{value:.0f}"


def _panels(count, width=4.6, height=3.4, share_x=False):
    columns = min(count, 3 if count != 4 else 2)
    rows = math.ceil(count / columns)
    if count == 1:
        width, height = 7.4, 3.9
    elif columns == 2:
        width = 5.2
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            rows, columns, figsize=(width * columns, height * rows), squeeze=False,
            layout="constrained", sharey=True,
            sharex=share_x,
        )
    axes = [a for row in axes for a in row]
    for spare in axes[count:]:
        spare.set_axis_off()
    return figure, axes[:count]


def _scale(ax, which, scale, ticks=()):
    """`log`, `symlog` (log with a place for 0) or linear; plain numbers as tick labels, at `ticks`
    if these are given."""
    if scale == "linear":
        return
    named = ax.xaxis if which == "x" else ax.yaxis
    if scale == "symlog":
        above = [t for t in ticks if t > 0]
        getattr(ax, f"set_{which}scale")("symlog", linthresh=min(above) if above else 1)
    else:
        getattr(ax, f"set_{which}scale")("log")
        named.set_major_locator(LogLocator(subs=(1, 2, 5)))
    named.set_major_formatter(FuncFormatter(lambda v, _: tidy(v)))
    named.set_minor_formatter(NullFormatter())
    named.set_minor_locator(NullLocator())
    if ticks:
        named.set_ticks(list(ticks))


def _possible(scale, values):
    """The scale, or linear where a logarithm does not exist."""
    return "linear" if scale == "log" and not all(v > 0 for v in values) else scale


def _round_log(value, up):
    """The next 1, 2 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(value))
    steps = [power * f for f in (1, 2, 5, 10)]
    return min(t for t in steps if t >= value * 0.999) if up else max(
        t for t in steps if t <= value * 1.001)


def _limits(ax, which, scale):
    """From 0, or from one round number to another, over everything that was drawn."""
    low, high = getattr(ax, f"get_{which}lim")()
    if scale == "log":
        getattr(ax, f"set_{which}lim")(_round_log(low, False), _round_log(high, True))
    elif low != 0:
        getattr(ax, f"set_{which}lim")(0, high)


def _mark(ax, marks):
    for value, text in marks:
        ax.axhline(value, color="#6b7785", linewidth=1, linestyle=(0, (4, 3)))
        ax.annotate(
            text, (1, value), xycoords=("axes fraction", "data"), fontsize=7.5, ha="right",
            va="bottom", color="#3c4752", xytext=(0, 1.5), textcoords="offset points",
            bbox={"boxstyle": "square,pad=0.1", "lw": 0, "fc": "white", "alpha": 0.8},
        )


def _legend(figure, axes, places=None):
    seen = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels()):
            seen.setdefault(label, handle)
    if seen:
        columns = min(len(seen), places or (4 if len(axes) == 1 else 5))
        figure.legend(seen.values(), seen.keys(), loc="upper center", bbox_to_anchor=(0.5, 0.0),
                      ncol=columns)


def curves(panels, order, x_label, y_label, x_scale="linear", y_scale="linear", marks=()):
    """panels: [(title, {series: [(x, y, low, high)]}, {series of the paper: [(x, y)]})].

    A y of None is a run that failed: a cross on the axis, and a gap in the line. A paper's series
    has the colour of ours when it has the same name. marks: [(y, text)].
    """
    figure, axes = _panels(len(panels))
    colour = {name: i for i, name in enumerate(order)}
    points = [p for _, series, _ in panels for line in series.values() for p in line]
    y_scale = _possible(y_scale, [p[1] for p in points if p[1] is not None])
    x_scale = _possible(x_scale, [p[0] for p in points])
    with plt.rc_context(STYLE):
        for ax, (title, series, paper) in zip(axes, panels):
            ticks = set()
            for name in order:
                points = sorted(series.get(name, []), key=lambda p: p[0])
                ticks.update(p[0] for p in points)
                _curve(ax, name, points, style(colour[name]), 0.016 * colour[name])
            for name, points in paper.items():
                x, y = zip(*sorted(points))
                ticks.update(x)
                look = style(colour[name]) if name in colour else {"color": "#6b7785", "marker": "o"}
                ax.plot(
                    x, y, color=look["color"], marker=look["marker"], linestyle=(0, (1, 1.5)),
                    markerfacecolor="white", linewidth=1.2, label=f"{name} (paper)",
                )
            _scale(ax, "x", x_scale, sorted(ticks))
            _scale(ax, "y", y_scale)
            _mark(ax, marks)
            ax.set_title(title)
            ax.set_xlabel(x_label)
        _limits(axes[0], "y", y_scale)
        axes[0].set_ylabel(y_label)
        _legend(figure, axes)
    return figure


def _curve(ax, name, points, look, lift):
    """One series; `lift` keeps the crosses of several series apart."""
    failed = [p[0] for p in points if p[1] is None]
    nan = float("nan")
    if len(failed) < len(points):
        x = [p[0] for p in points]
        y, low, high = ([nan if p[i] is None else p[i] for p in points] for i in (1, 2, 3))
        ax.plot(x, y, label=name, **look)
        if any(p[2] != p[3] for p in points):
            ax.fill_between(x, low, high, color=look["color"], alpha=0.15, linewidth=0)
    if failed:
        ax.plot(
            failed, [0.015 + lift] * len(failed), transform=ax.get_xaxis_transform(), marker="x",
            linestyle="none", color=look["color"], markersize=6, markeredgewidth=1.8, clip_on=False,
        )


def contour(panels, x_values, y_values, x_label, y_label, value_label, digits):
    """panels: [(title, {(x, y): value})]. Steps of both axes are even, whatever their values."""
    figure, axes = _panels(len(panels))
    everything = [v for _, values in panels for v in values.values()]
    top = max(everything + [1e-9])
    levels = MaxNLocator(12).tick_values(0, top)
    tints = matplotlib.colors.BoundaryNorm(levels, 256)
    nan = float("nan")
    with plt.rc_context(STYLE):
        for ax, (title, values) in zip(axes, panels):
            grid = [[values.get((x, y), nan) for x in x_values] for y in y_values]
            filled = numpy.ma.masked_invalid(grid)
            if len(x_values) > 1 and len(y_values) > 1 and filled.count() > 3:
                shown = ax.contourf(filled, levels=levels, cmap="cividis", norm=tints)
                ax.contour(filled, levels=levels, colors="white", linewidths=0.4, alpha=0.6)
            else:
                shown = ax.imshow(filled, cmap="cividis", norm=tints, origin="lower", aspect="auto")
            for (x, y), value in values.items():
                ax.annotate(
                    f"{value:.{digits}f}", (x_values.index(x), y_values.index(y)), fontsize=8,
                    ha="center", va="center", color="white" if value < 0.55 * top else INK,
                    annotation_clip=False,
                    bbox={"boxstyle": "round,pad=0.15", "lw": 0,
                          "fc": matplotlib.colormaps["cividis"](tints(value))},
                )
            ax.grid(False)
            ax.set_xticks(range(len(x_values)), [tidy(x) for x in x_values])
            ax.set_yticks(range(len(y_values)), [tidy(y) for y in y_values])
            ax.set_xlim(-0.3, len(x_values) - 0.7)
            ax.set_ylim(-0.3, len(y_values) - 0.7)
            ax.set_title(title)
            ax.set_xlabel(x_label)
        axes[0].set_ylabel(y_label)
        bar = figure.colorbar(shown, ax=axes, label=value_label, pad=0.01)
        bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: tidy(v)))
    return figure


def cdf(panels, order, x_label, x_scale="linear"):
    """panels: [(title, {series: (values, asked)})]: `asked` counts those that never came as well,
    so that a curve which ends below 1 tells what was lost."""
    figure, axes = _panels(len(panels), share_x=True)
    colour = {name: i for i, name in enumerate(order)}
    with plt.rc_context(STYLE):
        for ax, (title, series) in zip(axes, panels):
            for name in order:
                values, asked = series.get(name, ([], 0))
                if not values:
                    continue
                values = sorted(values)
                if x_scale == "log":
                    values = [max(v, 1) for v in values]
                total = max(asked, len(values))
                look = style(colour[name])
                look.pop("marker")
                shares = [(i + 1) / total for i in range(len(values))]
                ax.step([values[0]] + values, [0] + shares, where="post", label=name, **look)
            _scale(ax, "x", x_scale)
            ax.set_ylim(0, 1.02)
            ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{100 * v:.0f} %"))
            ax.set_title(title)
            ax.set_xlabel(x_label)
        _limits(axes[0], "x", x_scale)
        axes[0].set_ylabel("presses answered by then")
        _legend(figure, axes)
    return figure


def shares(panels, order, x_label, y_label):
    """panels: [(title, {series: [(x, share)]})], shares from 0 to 1."""
    figure, axes = _panels(len(panels), share_x=True)
    colour = {name: i for i, name in enumerate(order)}
    with plt.rc_context(STYLE):
        for ax, (title, series) in zip(axes, panels):
            for name in order:
                if name in series:
                    look = style(colour[name])
                    look.pop("marker")
                    ax.plot(*zip(*series[name]), label=name, **look)
            _scale(ax, "x", "linear")
            ax.set_ylim(0, 1.02)
            ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{100 * v:.0f} %"))
            ax.set_title(title)
            ax.set_xlabel(x_label)
        _limits(axes[0], "x", "linear")
        axes[0].set_ylabel(y_label)
        _legend(figure, axes)
    return figure


def bars(panels, groups, order, y_label, digits, marks=(), y_scale="linear"):
    """panels: [(title, {(group, series): (value, low, high)})]."""
    figure, axes = _panels(len(panels), width=5.2)
    width = 0.82 / max(len(order), 1)
    y_scale = _possible(y_scale, [v[0] for _, values in panels for v in values.values()])
    with plt.rc_context(STYLE):
        for ax, (title, values) in zip(axes, panels):
            for i, name in enumerate(order):
                have = [(g, values[(group, name)]) for g, group in enumerate(groups)
                        if (group, name) in values]
                if not have:
                    continue
                at = [g - 0.41 + width * (i + 0.5) for g, _ in have]
                heights = [v[0] for _, v in have]
                low = [max(v[0] - v[1], 0) for _, v in have]
                high = [max(v[2] - v[0], 0) for _, v in have]
                shown = ax.bar(at, heights, width * 0.94, color=COLOURS[i % len(COLOURS)], label=name)
                if any(low) or any(high):
                    ax.errorbar(at, heights, [low, high], fmt="none", ecolor=INK, elinewidth=0.8,
                                capsize=1.5)
                ax.bar_label(shown, [f"{h:.{digits}f}" for h in heights], fontsize=6.5, padding=2)
            _mark(ax, marks)
            if y_scale == "log":
                _scale(ax, "y", "log")
            ax.grid(False, axis="x")
            ax.set_xticks(range(len(groups)), [str(g) for g in groups])
            ax.set_title(title)
        axes[0].set_ylabel(y_label)
        _legend(figure, axes)
    return figure


def timeline(times, panels):
    """panels: [(label, scale, [(name, values)])], one below the other. Each value is of the time since
    the one before, the first one's since 0; a 0 on a logarithmic scale is a gap."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(len(panels), 1, figsize=(7.4, 1.6 * len(panels)), squeeze=False,
                                    sharex=True, layout="constrained")
        axes = [a for row in axes for a in row]
        for ax, (label, scale, lines) in zip(axes, panels):
            for i, (name, values) in enumerate(lines):
                values = [v if v > 0 or scale == "linear" else float("nan") for v in values]
                look = style(i)
                look.pop("marker")
                ax.step([0, *times], [values[0], *values], where="pre", label=name or None, **look)
            _scale(ax, "y", scale)
            _limits(ax, "y", scale)
            ax.set_ylabel(label)
            if len(lines) > 1:
                ax.legend(loc="lower right", bbox_to_anchor=(1, 0.95), ncol=len(lines))
        axes[-1].set_xlabel("time (s)")
        axes[-1].set_xlim(0, times[-1])
        figure.align_ylabels(axes)
    return figure


def write(figure, path):
    """Writes a file; its name says in which format. The same plot gives the same file."""
    with plt.rc_context(STYLE):
        figure.savefig(path, dpi=150, bbox_inches="tight",
                       metadata={"Date": None, "Creator": None} if path.endswith(".svg") else None)
    plt.close(figure)


def save(figure, folder, name):
    """Writes FOLDER/NAME.png and returns the same plot as the text of a data: URI (SVG)."""
    with plt.rc_context(STYLE):
        figure.savefig(os.path.join(folder, name + ".png"), dpi=150, bbox_inches="tight")
        svg = io.BytesIO()
        figure.savefig(svg, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    return "data:image/svg+xml;base64," + base64.b64encode(svg.getvalue()).decode()
