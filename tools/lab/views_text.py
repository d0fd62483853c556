"""Sentences of the report. All numbers in them are computed from the records, or are the paper's
values that stand in the experiment's file.
"""

import report_data as data
import report_metrics as metrics
import report_targets

KINDS = ("headline", "says")


def says(experiment):
    """What the paper states in its text, from the experiment's file."""
    found = []
    for view in experiment.spec.get("views", []):
        if view.get("kind") == "says":
            found += view.get("text", [])
    return found


def headlines(experiment):
    """The main results, one sentence for each `headline` and `targets` view; never fails."""
    found = []
    for view in experiment.spec.get("views", []):
        make = {"headline": _wins if "wins" in view else _compare, "targets": _targets}.get(
            view.get("kind"))
        if make:
            try:
                found.append(make(view, experiment))
            except (data.ReportError, KeyError) as e:
                found.append(f"(This sentence cannot be made: {e}.)")
    found = [f for f in found if f]
    if found:
        return found
    if experiment.ok():
        return ["Not enough runs for the main result yet."]
    return ["No run succeeded yet."]


def _at(where):
    return ", ".join(metrics.describe(path, value) for path, value in where.items())


def _compare(view, experiment):
    metric = metrics.metric(view["value"])
    at = view.get("at", {})
    ours = metrics.Figure(experiment.select({**at, **view["of"]}), view["value"])
    base = metrics.Figure(experiment.select({**at, **view["over"]}), view["value"])
    if ours.median is None or base.median is None:
        return ""
    of, over = view.get("of_text") or _at(view["of"]), view.get("over_text") or _at(view["over"])
    label = metric.label if metric.unit == "fps" else f"{metric.unit} ({metric.label})"
    of, over = (words + _picture(view, experiment.select({**at, **view[side]}))
                for words, side in ((of, "of"), (over, "over")))
    sentence = (
        f"{_at(at)}: " if at else ""
    ) + f"{metrics.show(ours.median, metric.digits)} {label} with {of} against" + (
        f" {metrics.show(base.median, metric.digits)} with {over}"
    )
    if view.get("difference"):
        more = ours.median - base.median
        size = f"{metrics.show(abs(more), metric.digits)} {metric.unit}"
        return f"{sentence}, {size} {'more' if more >= 0 else 'less'}."
    sentence += _compared(ours.median, base.median)
    paper = view.get("paper")
    if paper:
        whose = view.get("paper_text", "in the paper")
        sentence += f"; {whose} {paper[0]:g} against {paper[1]:g}" + _compared(*paper)
    return sentence + "."


def _picture(view, cells):
    """Beside a frame rate: how good the pictures are, as far as it is known."""
    if view["value"] != "fps":
        return ""
    psnr, level = (metrics.Figure(cells, name).median for name in ("psnr_db", "quality"))
    known = ([] if psnr is None else [f"{metrics.show(psnr, 1)} dB"]) + (
        [] if level is None else [f"JPEG level {metrics.show(level, 1)}"])
    return f" ({', '.join(known)})" if known else ""


def _compared(one, other):
    times = data.ratio(one, other)
    if not times:
        return ""
    if one == other:
        return ", the same"
    more = times > 1
    times = times if more else 1 / times
    shown = f"{times:.0f}" if times >= 10 else f"{times:.2g}" if times >= 2 else f"{times:.2f}"
    if shown == "1.00":
        return ", the same within 0.5 %"
    return f", {shown} times {'as much' if more else 'less'}"


def _targets(view, experiment):
    return report_targets.sentence(view, experiment.select(view.get("where")))


def _wins(view, experiment):
    """On how many links a system is the best in each figure, and on how many it is nearly so."""
    cells = experiment.select(view.get("where"))
    parts = []
    for name in view["values"]:
        metric, won, nearly, links = metrics.metric(name), 0, 0, 0
        for key in data.unique(tuple(c.get(p) for p in view["rows"]) for c in cells):
            here = [c for c in cells if c.fits(dict(zip(view["rows"], key)))]
            figures = {
                s: metrics.Figure([c for c in here if c.system == s], name).median
                for s in experiment.systems_in(here)
            }
            have = [v for v in figures.values() if v is not None]
            if len(have) < 2 or view["wins"] not in figures:
                continue
            links += 1
            mine, up = figures[view["wins"]], metric.better == 1
            won += data.is_best(mine, have, up, tie=0)
            nearly += data.is_best(mine, have, up)
        if links:
            parts.append(f"{metric.label}, on {won} ({nearly}) of {links} links")
    if not parts:
        return ""
    return (f"Where {view['wins']} is the best (in brackets: or within {data.TIE_TEXT} of it):"
            f" {'; '.join(parts)}.")
