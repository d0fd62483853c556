"""The layouts of the report: from an experiment's cells to a table or a plot.

Each `[[views]]` of an experiment file names a kind and what goes where (docs/lab.md, "Reading the
report"). A view gives a list of blocks of HTML; plots are also written as PNG files.
"""

import itertools
import math

import plots
import report_data as data
import report_html as html
import report_metrics as metrics
import report_targets
import views_text

# What every plot may add below its title, in words.
BETTER = {1: "Higher is better.", -1: "Lower is better.", 0: ""}
BESIDE_RATES = "Longest gaps, unanswered presses and the pictures' quality stand below this chapter's views."


class Folder:
    """Where plots go, and under which name."""

    def __init__(self, path):
        self.path = path
        self.count = {}

    def plot(self, experiment, figure):
        n = self.count[experiment.name] = self.count.get(experiment.name, 0) + 1
        safe = "".join(c if c.isalnum() or c in "-_" else "_" for c in experiment.name)
        return plots.save(figure, self.path, f"{safe}-{n}")


def distinct(cells, path):
    return data.unique(c.get(path) for c in cells if c.get(path) is not None)


def sole(cells, where):
    return [c for c in cells if c.fits(where)]


def panels_of(view, cells):
    """[(title, cells)]: one panel for each value of the setting `panel`, or one in all."""
    path = view.get("panel")
    if not path:
        return [("", cells)]
    return [(name_of(path, v), sole(cells, {path: v})) for v in distinct(cells, path)]


def series_of(view, experiment, cells):
    path = view.get("series", "system")
    if path == "system":
        return path, experiment.systems_in(cells)
    return path, distinct(cells, path)


def name_of(path, value):
    return data.printable(value if path == "system" else metrics.describe(path, value))


def shows_rate(view):
    """Whether it tells a frame rate."""
    told = (*view.get("values", []), view.get("y"), view.get("value"))
    return view.get("kind") == "targets" or any(name in metrics.RATES for name in told)


def caption(view, *sentences):
    said = (view.get("caption", ""), *sentences, BESIDE_RATES if shows_rate(view) else "")
    return " ".join(s for s in said if s)


def spread_note(figures):
    if any(f.runs > 1 for f in figures):
        return "Each point is the median of its repeats; the shade or whisker spans them all."
    return "One run for each point."


# ---- plots ----


def curve(view, experiment, cells, folder):
    x_path, name = view["x"], view["y"]
    metric = metrics.metric(name)
    path, order = series_of(view, experiment, cells)
    shown, used = [], []
    for title, members in panels_of(view, cells):
        series = {}
        for value in order:
            for x in distinct(sole(members, {path: value}), x_path):
                number = data.number(data.plain(x))
                figure = metrics.Figure(sole(members, {path: value, x_path: x}), name)
                if number is not None and (figure.median is not None or figure.failed):
                    series.setdefault(name_of(path, value), []).append(
                        (number, figure.median, figure.low, figure.high)
                    )
                    used.append(figure)
        shown.append((title, series, view.get("paper", {})))
    if not any(f.runs for f in used):
        return []
    drawn = plots.curves(
        shown, [name_of(path, v) for v in order], metrics.axis(x_path),
        f"{metric.label} ({metric.unit})", view.get("x_scale", "linear"),
        view.get("y_scale", "linear"), [(m["at"], m["text"]) for m in view.get("marks", [])],
    )
    text = caption(
        view,
        f"Across: {metrics.axis(x_path)}. Up: {metric.label} ({metric.unit}).",
        BETTER[metric.better],
        spread_note(used),
        "A cross on the axis: the run failed." if any(f.failed for f in used) else "",
        "Dotted lines with hollow marks are the paper's." if view.get("paper") else "",
    )
    return [html.plot(folder.plot(experiment, drawn), view.get("title", ""), text)]


def contour(view, experiment, cells, folder):
    x_path, y_path, name = view["x"], view["y"], view["value"]
    metric = metrics.metric(name)
    cells = [c for c in cells if data.number(data.plain(c.get(y_path))) is not None]
    shown, xs, ys = [], set(), set()
    for title, members in panels_of(view, cells):
        values = {}
        for x in distinct(members, x_path):
            for y in distinct(members, y_path):
                figure = metrics.Figure(sole(members, {x_path: x, y_path: y}), name)
                if figure.median is not None:
                    values[(data.plain(x), data.plain(y))] = figure.median
                    xs.add(data.plain(x))
                    ys.add(data.plain(y))
        if values:
            shown.append((title, values))
    if not shown:
        return []
    drawn = plots.contour(
        shown, sorted(xs), sorted(ys), metrics.axis(x_path), metrics.axis(y_path),
        f"{metric.label} ({metric.unit})", metric.digits,
    )
    text = caption(
        view,
        f"Across: {metrics.axis(x_path)}. Up: {metrics.axis(y_path)}. Colour and numbers:"
        f" {metric.label} ({metric.unit}), brighter is more; between the numbers it is interpolated."
        " The steps of both axes are evenly spaced, not to scale.",
        BETTER[metric.better],
    )
    return [html.plot(folder.plot(experiment, drawn), view.get("title", ""), text)]


def cdf(view, experiment, cells, folder):
    minus = bool(view.get("minus_rtt"))
    path, order = series_of(view, experiment, cells)
    shown = []
    for title, members in panels_of(view, cells):
        series = {}
        for value in order:
            raw, asked = [], 0
            for cell in sole(members, {path: value}):
                rtt = data.number(cell.get("link.rtt_ms")) or 0
                for result in cell.results:
                    found = data.setting(result, "sightings.responses_ms")
                    found = [v for v in found if data.number(v) is not None] if isinstance(
                        found, list) else []
                    raw += [max(v - rtt, 0) if minus else v for v in found]
                    lost = data.number(data.setting(result, "sightings.responses_lost"))
                    asked += len(found) + int(lost or 0)
            if raw:
                series[name_of(path, value)] = (raw, asked)
        if series:
            shown.append((title, series))
    if not shown:
        return []
    what = "response delay (ms)" if minus else "response (ms)"
    drawn = plots.cdf(shown, [name_of(path, v) for v in order], what, view.get("x_scale", "linear"))
    if minus:
        what = "response delay, the response time less one round trip (ms)"
    text = caption(
        view,
        f"Across: {what}. Up: the share of key presses whose effect was on the viewer's screen by"
        " then; a curve that ends below 100 % shows presses that were never answered."
        " Further left and steeper is better.",
    )
    return [html.plot(folder.plot(experiment, drawn), view.get("title", ""), text)]


def arrival(view, experiment, cells, folder):
    """Which share of a large update is on the screen, over time: the mean of all runs of a series."""
    path, order = series_of(view, experiment, cells)
    shown = []
    for title, members in panels_of(view, cells):
        series = {}
        for value in order:
            runs = [result["arrival"] for cell in sole(members, {path: value}) for result in cell.results
                    if (result.get("arrival") or {}).get("shares")]
            if runs:
                step = runs[0]["step_ms"]
                mean = (sum(s) / len(runs) for s in zip(*(run["shares"] for run in runs)))
                series[name_of(path, value)] = [(i * step, s) for i, s in enumerate(mean)]
        if series:
            shown.append((title, series))
    if not shown:
        return []
    drawn = plots.shares(shown, [name_of(path, v) for v in order], "since the press (ms)", "on the screen")
    text = caption(
        view,
        "Across: time since the press (ms). Up: the share of the cells of 16 x 16 pixels that look more like"
        " the new picture than like the one before, the mean of all openings. Further left is better.",
    )
    return [html.plot(folder.plot(experiment, drawn), view.get("title", ""), text)]


def bars(view, experiment, cells, folder):
    g_path, name = view["groups"], view["y"]
    metric = metrics.metric(name)
    path, order = series_of(view, experiment, cells)
    groups = view.get("order") or distinct(cells, g_path)
    shown, used = [], []
    for title, members in panels_of(view, cells):
        values = {}
        for group in groups:
            for value in order:
                figure = metrics.Figure(sole(members, {g_path: group, path: value}), name)
                if figure.median is not None:
                    used.append(figure)
                    values[(group, name_of(path, value))] = (figure.median, figure.low, figure.high)
        if values:
            shown.append((title, values))
    if not used:
        return []
    drawn = plots.bars(
        shown, groups, [name_of(path, v) for v in order], f"{metric.label} ({metric.unit})",
        metric.digits, [(m["at"], m["text"]) for m in view.get("marks", [])],
        view.get("y_scale", "linear"),
    )
    text = caption(
        view, f"Up: {metric.label} ({metric.unit}).", BETTER[metric.better], spread_note(used)
    )
    return [html.plot(folder.plot(experiment, drawn), view.get("title", ""), text)]


# ---- tables ----


def paper_values(view):
    """{(row as number or word, column): {figure: value}} from the layout of the paper's table.

    A row is a list with one entry per column: a number, or a list of numbers, one per figure.
    """
    paper = view.get("paper", {})
    names = paper.get("values", view["values"])
    found = {}
    for row, entries in paper.get("rows", {}).items():
        for column, entry in zip(paper["columns"], entries):
            entry = entry if isinstance(entry, list) else [entry]
            found[(data.plain(row), column)] = {
                n: v for n, v in zip(names, entry) if data.number(v) is not None
            }
    return found


def table(view, experiment, cells, folder):
    """One row for each value of `rows` and figure, three columns for each system: ours, the
    paper's, ours / paper's."""
    r_path, c_path, names = view["rows"], view.get("columns", "system"), view["values"]
    blocks = []
    paper = paper_values(view)
    paper_rows = {row for row, _ in paper}
    for title, members in panels_of(view, cells):
        columns = view.get("order") or view.get("paper", {}).get("columns") or (
            experiment.systems_in(members) if c_path == "system" else distinct(members, c_path))
        rows = [] if view.get("paper_rows_only") else distinct(members, r_path)
        rows = data.unique([*rows, *paper_rows])
        if not members or not rows:
            continue
        blocks.append(
            html.paper_table(
                ", ".join(t for t in (view.get("title", ""), title) if t),
                caption(view, metrics.explain(names)),
                metrics.axis(r_path),
                [(c if c_path == "system" else metrics.describe(c_path, c)) for c in columns],
                [metrics.metric(n) for n in names],
                [
                    (
                        row,
                        [
                            [
                                (
                                    metrics.Figure(sole(members, {r_path: row, c_path: c}), n),
                                    paper.get((row, c), {}).get(n),
                                )
                                for c in columns
                            ]
                            for n in names
                        ],
                    )
                    for row in rows
                ],
            )
        )
    return blocks


def quality(view, experiment, cells, folder):
    """Slow-motion benchmarking: the data sent per drawn frame at full rate over that in slow
    motion, where every frame arrives. One row for each value of `rows`."""
    slow, full, r_path = view["slow"], view["full"], view["rows"]
    columns = experiment.systems_in(cells)
    rows = []
    for row in distinct(cells, r_path):
        entries = []
        for system in columns:
            at = {"system": system, r_path: row}
            fast = metrics.Figure(sole(cells, {**at, **full}), "kb_per_drawn")
            reference = metrics.Figure(sole(cells, {**at, **slow}), "kb_per_drawn")
            direct = metrics.Figure(sole(cells, {**at, **full}), "shown_percent")
            share = data.ratio(fast.median, reference.median)
            entries.append((None if share is None else 100 * share, direct))
        rows.append((metrics.describe(r_path, row), entries))
    if not any(share is not None or d.median is not None for _, e in rows for share, d in e):
        return []
    return [html.quality_table(view.get("title", ""), caption(view), columns, rows)]


def difference(view, experiment, cells, folder):
    """How much more one setting of a link takes than another, in ms and in the round trips that it has more.
    One row for each value of `rows`."""
    metric, r_path = metrics.metric(view["value"]), view["rows"]
    columns = experiment.systems_in(cells)
    rows, known = [], False
    for row in distinct(cells, r_path):
        entries = []
        for system in columns:
            sides = [sole(cells, {"system": system, r_path: row, **view[side]}) for side in ("of", "over")]
            figures = [metrics.Figure(side, view["value"]) for side in sides]
            medians = [figure.median for figure in figures]
            more = None if None in medians or math.inf in medians else medians[0] - medians[1]
            rtts = [data.number(side[0].get("link.rtt_ms")) for side in sides if side]
            longer = rtts[0] - rtts[1] if len(rtts) == 2 and None not in rtts else 0
            known |= more is not None
            entries.append((figures, more, more / longer if more is not None and longer > 0 else None))
        rows.append((metrics.describe(r_path, row), entries))
    if not known:
        return []
    return [html.difference_table(view.get("title", ""), caption(view), columns, metric, rows)]


def matrix(view, experiment, cells, folder):
    """One row for each link, one column for each system; the best of a row is emphasised."""
    names, r_paths = view["values"], view["rows"]
    blocks = []
    for title, members in panels_of(view, cells):
        columns = experiment.systems_in(members)
        rows = []
        for key in data.unique(tuple(c.get(p) for p in r_paths) for c in members):
            where = dict(zip(r_paths, key))
            here = {c: sole(members, {**where, "system": c}) for c in columns}
            figures = {n: [metrics.Figure(here[c], n) for c in columns] for n in names}
            lines = []
            for n in names:
                medians = [f.median for f in figures[n]]
                up = {1: True, -1: False}.get(metrics.metric(n).better)
                lines.append([(f, data.is_best(f.median, medians, up)) for f in figures[n]])
            rows.append((", ".join(metrics.describe(p, v) for p, v in where.items()), lines))
        if rows:
            blocks.append(
                html.matrix_table(
                    ", ".join(t for t in (view.get("title", ""), title) if t),
                    caption(view), columns, names, rows,
                )
            )
    return blocks


def targets(view, experiment, cells, folder):
    """One row for each link and figure: what is to be reached, what both systems reach, and by how
    much the first one misses the target, or is worse than the second."""
    rows = report_targets.rows(view, cells)
    if not rows:
        return []
    return [html.targets_table(view.get("title", ""), caption(view), view["of"], view["against"], rows)]


def beside_rates(experiment):
    """What a chapter with frame rates has below its views, which need not repeat it: what else belongs to a
    rate, of each cell and system."""
    if not any(shows_rate(view) for view in views_of(experiment)):
        return []
    links = {}
    for cell in experiment.cells:
        words = ", ".join(metrics.describe(p, v) for p, v in data.flatten(cell.axes).items())
        links.setdefault(words or "all", []).append(cell)
    rows = [(link, [(system, [metrics.Figure(sole(cells, {"system": system}), name)
                              for name in metrics.BESIDE_RATES])
                    for system in experiment.systems_in(cells)])
            for link, cells in links.items()]
    known = [any(figures[i].runs for _, systems in rows for _, figures in systems)
             for i in range(len(metrics.BESIDE_RATES))]
    return [html.rates_table(list(itertools.compress(metrics.BESIDE_RATES, known)), [
        (link, [(system, list(itertools.compress(figures, known))) for system, figures in systems])
        for link, systems in rows])] if any(known) else []


KINDS = {"curve": curve, "contour": contour, "cdf": cdf, "arrival": arrival, "bars": bars, "table": table,
         "matrix": matrix, "quality": quality, "difference": difference, "targets": targets}


def views_of(experiment):
    """The experiment's views; for one without any, a matrix over whatever was varied."""
    views = experiment.spec.get("views", [])
    if [v for v in views if v.get("kind") not in views_text.KINDS]:
        return views
    rows = {}
    for cell in experiment.cells:
        for name in data.flatten(cell.axes):
            rows[name] = True
    values = ["fps", "partial_fps", "longest_gap_ms", "response_p50", "response_p95", "lost_percent", "age_p50"]
    return views + [{"kind": "matrix", "rows": list(rows) or ["server"], "values": values}]


def draw(view, experiment, folder):
    """The blocks of one view; a note when it cannot be drawn."""
    kind = view.get("kind")
    if kind in views_text.KINDS:
        return []
    try:
        if kind not in KINDS:
            raise data.ReportError(f'unknown kind "{kind}"')
        blocks = KINDS[kind](view, experiment, experiment.select(view.get("where")), folder)
    except data.ReportError as e:
        return [html.note(f"{view.get('title', kind)}: {e}")]
    except KeyError as e:
        return [html.note(f"{view.get('title', kind)}: this {kind} needs the key {e}")]
    return blocks or [html.note(f"{view.get('title', kind)}: no figures yet.")]
