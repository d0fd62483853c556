"""Targets: what a system is to reach on each link, and whether it does; and whether it is anywhere
worse than another one. Computed from medians. Nothing here draws or writes HTML.
"""

import math
from collections import namedtuple

import report_data as data
import report_metrics as metrics
import report_series as series

# One figure on one link. `bound` may be None: only compared. `miss` and `behind` say by how much the
# bound, or the other system, is not reached: 0 is reached, None is not known.
Line = namedtuple("Line", "metric bound ours theirs miss behind")

# On no link may the other system be better in these (by more than a tie).
COMPARED = ("fps", "response_p95")
# These are told beside them.
TOLD = metrics.PICTURE


def _figure(system, cells, name, target, beside):
    """The system's figure; `beside` gives the cells of links that differ in what it is told only."""
    def own(some):
        return [c for c in some if c.system == system]

    if "steady" not in target:
        return metrics.Figure(own(cells), name)
    steady = {n: metrics.Figure(own(beside(target["steady"])), n).median
              for n in ("fps", "age_p95", "response_p95")}
    return metrics.Figure(own(cells), name, lambda r, s: series.back_s(r, s, steady))


def _bound(name, target, rtt, beside):
    """The figure that is to be reached at least or at most; None when it is not known yet."""
    given = [k for k in ("at_least", "at_most", "as_at") if k in target]
    if len(given) != 1:
        raise data.ReportError(f"the target {name} needs one of at_least, at_most and as_at")
    if given == ["as_at"]:  # the best that any system reaches there
        best = max if metrics.metric(name).better == 1 else min
        found = [metrics.Figure([c], name).median for c in beside(target["as_at"])]
        return best((v for v in found if v is not None), default=None)
    return target[given[0]] + target.get("rtts", 0) * (rtt or 0)


def _short_of(figure, bound, more_is_better, slack=0.0):
    """By how much the figure is worse than the bound and a share of it."""
    value = math.inf if figure.failed else figure.median
    if value is None or bound is None:
        return None
    if value == math.inf:  # it did not come
        return math.inf
    by = bound - value if more_is_better else value - bound
    return by if by > slack * abs(bound) else 0


def _lines(view, targets, cells, everything):
    """The lines of one link, whose cells these are."""
    rtt = data.number(cells[0].get("link.rtt_ms"))
    here = {path: cells[0].get(path) for path in view["rows"]}
    lines = []

    def beside(where):
        return [c for c in everything if c.fits({**here, **where})]

    for name in dict.fromkeys([*targets, *COMPARED, *TOLD]):
        metric, target = metrics.metric(name), targets.get(name)
        up = metric.better == 1
        ours, theirs = (_figure(system, cells, name, target or {}, beside)
                        for system in (view["of"], view["against"]))
        bound = None if target is None else _bound(name, target, rtt, beside)
        behind = _short_of(ours, theirs.median, up, data.TIE) if name in COMPARED else None
        if target is not None or any(f.runs or f.lacking and name in TOLD for f in (ours, theirs)):
            lines.append(Line(metric, bound, ours, theirs, _short_of(ours, bound, up), behind))
    return lines


def rows(view, cells):
    """[(link, [Line])] of a view, as far as there are runs."""
    found = []
    for entry in view["targets"]:
        targets = {k: v for k, v in entry.items() if k != "where"}
        here = [c for c in cells if c.fits(entry.get("where"))]
        here = [c for c in here if c.system in (view["of"], view["against"])]
        for key in data.unique(tuple(c.get(p) for p in view["rows"]) for c in here):
            where = dict(zip(view["rows"], key))
            words = [metrics.describe(p, v) for p, v in where.items() if v not in ("", None)]
            found.append((", ".join(words),
                          _lines(view, targets, [c for c in here if c.fits(where)], cells)))
    return found


def sentence(view, cells):
    """How many are met; empty when nothing is known yet."""
    lines = [line for _, of_link in rows(view, cells) for line in of_link]
    misses = [line.miss for line in lines if line.miss is not None]
    behind = [line.behind for line in lines if line.behind is not None]
    said = []
    if misses:
        said.append(f"{misses.count(0)} of {len(misses)} targets met")
    if behind:
        said.append(f"{view['of']} no worse than {view['against']} in {behind.count(0)} of"
                    f" {len(behind)} figures (up to {data.TIE_TEXT} count as equal)")
    return "; ".join(said) + "." if said else ""
