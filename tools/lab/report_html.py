"""HTML of the report. Every text passes through esc(): errors and names come from other programs.

One page that needs nothing else: style inline, plots as data: URIs, no script.
"""

import html
import math

import report_data as data
import report_metrics as metrics

STYLE = """
:root { color-scheme: light; --ink: #1c2733; --soft: #56636f; --line: #d9dee3; --tint: #f4f6f8;
  --accent: #0072b2; --best: #dcefe7; --bad: #a33c00; --badtint: #fdf0e8; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: #fff;
  font: 15px/1.5 "DejaVu Sans", "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 24px 28px 80px; }
h1 { font-size: 26px; margin: 8px 0 4px; }
h2 { font-size: 20px; margin: 0 0 4px; padding-top: 22px; border-top: 3px solid var(--accent); }
h3 { font-size: 15px; margin: 26px 0 6px; }
p { margin: 6px 0; max-width: 84ch; }
section { margin-top: 44px; }
a { color: var(--accent); }
.soft, figcaption { color: var(--soft); font-size: 13px; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(180px, 1fr)); gap: 10px;
  margin: 16px 0; padding: 0; }
.facts div { background: var(--tint); border-radius: 6px; padding: 8px 12px; }
.facts dt { color: var(--soft); font-size: 12px; }
.facts dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.facts .bad { background: var(--badtint); }
.main { background: #eaf3f9; border-left: 4px solid var(--accent); padding: 8px 14px;
  margin: 12px 0; border-radius: 0 6px 6px 0; max-width: none; }
.note { background: var(--tint); padding: 6px 12px; border-radius: 6px; color: var(--soft); }
figure { margin: 22px 0; }
figure img { max-width: 100%; height: auto; display: block; }
figcaption { max-width: 96ch; margin-top: 6px; }
.scroll { overflow-x: auto; margin: 10px 0; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 8px; text-align: right; border-bottom: 1px solid var(--line);
  vertical-align: baseline; }
thead th { background: var(--tint); font-weight: 600; vertical-align: bottom; }
th.left, td.left { text-align: left; }
tbody th { font-weight: 600; text-align: left; white-space: nowrap; }
th.group, td.group { border-left: 2px solid #b8c2cb; }
tr.first > * { border-top: 1px solid #b8c2cb; }
td.ours { font-weight: 600; }
td.paper, td.ratio { color: var(--soft); }
td.best { background: var(--best); font-weight: 700; }
td.missed { color: var(--bad); background: var(--badtint); white-space: nowrap; }
td.failed { color: var(--bad); background: var(--badtint); text-align: left; font-size: 11.5px;
  width: 120px; min-width: 100px; line-height: 1.25; font-weight: 400; overflow-wrap: anywhere; }
.matrix td, .matrix th { padding-top: 1px; padding-bottom: 1px; }
td.soft { white-space: nowrap; }
.glance td:last-child { white-space: nowrap; }
.range { display: block; font-size: 11px; color: var(--soft); font-weight: 400; white-space: nowrap; }
details { margin: 12px 0; }
summary { cursor: pointer; color: var(--accent); }
.glance td { vertical-align: top; }
li { margin: 2px 0; }
code { font-size: 12.5px; overflow-wrap: anywhere; }
@media print { main { max-width: none; padding: 0; } section { break-before: page; } }
"""

DOUBTFUL = "†"


def esc(text):
    """Text for HTML, also inside quotes; without control characters; at most some lines of it."""
    text = data.printable(text)
    if len(text) > 2000:
        text = text[:2000] + " …"
    return html.escape(text, quote=True)


def short(text, limit=90):
    text = " ".join(str(text).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def note(text):
    return f'<p class="note">{esc(text)}</p>'


def plot(uri, title, caption):
    heading = f"<h3>{esc(title)}</h3>" if title else ""
    return (
        f'{heading}<figure><img src="{uri}" alt="{esc(title)}: {esc(caption)}">'
        f"<figcaption>{esc(caption)}</figcaption></figure>"
    )


def table(title, caption, head, body, kind=""):
    label = (f"<h3>{esc(title)}</h3>" if title else "")
    label += f'<p class="soft">{esc(caption)}</p>' if caption else ""
    return (
        f'{label}<div class="scroll"><table class="{kind}" aria-label="{esc(title)}">'
        f"<thead>{head}</thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def details(summary, text):
    """HTML that is shown when its summary is clicked on."""
    return f"<details><summary>{esc(summary)}</summary>{text}</details>"


def failed(figure, lines=1, columns=1):
    """A place for figures that no run gave: a few words; all of them on hovering, and below."""
    reason = figure.errors[-1]
    words = short(reason, 64 if lines > 1 else 40)
    return (
        f'<td class="failed group" rowspan="{lines}" colspan="{columns}" title="{esc(reason)}">'
        f"<b>failed</b> {esc(words)}</td>"
    )


def own(figure, digits, css=""):
    """Our figure: the median, below it the extremes and the standard deviation of the repeats; a dash where the
    runs have none."""
    if figure.median is None:
        return f'<td class="{css}">{"-" if figure.lacking else ""}</td>'
    text = metrics.show(figure.median, digits) + (DOUBTFUL if figure.doubtful else "")
    if figure.runs > 1:
        low, high = metrics.show(figure.low, digits), metrics.show(figure.high, digits)
        if low != high:
            deviation = f", ± {metrics.show(figure.deviation, digits)}" if figure.deviation is not None else ""
            text += f'<span class="range">{low} – {high}{deviation}</span>'
    return f'<td class="{css}" title="{figure.runs} runs">{text}</td>'


def typed(value, digits):
    """A paper's figure with all the digits it has there."""
    if value is None:
        return ""
    text = f"{value:.{digits}f}"
    return text if float(text) == value else f"{value:g}"


# ---- the kinds of tables ----


def paper_table(title, caption, row_axis, columns, figures, rows):
    """rows: [(row, [for each figure [for each column (Figure, paper's value)]])].

    A column has up to three parts: ours, the paper's, and their ratio where there are both.
    """
    entries = [[line[i] for _, lines in rows for line in lines] for i in range(len(columns))]
    ours = [any(f.runs or f.errors for f, _ in e) for e in entries]
    papers = [any(p is not None for _, p in e) for e in entries]
    ours = [o or not p for o, p in zip(ours, papers)]
    spans = [3 if o and p else 1 for o, p in zip(ours, papers)]
    many = len(figures) > 1
    head = f'<tr><th class="left" rowspan="2">{esc(row_axis)}</th>'
    head += '<th class="left" rowspan="2"></th>' if many else ""
    head += "".join(
        f'<th class="group" colspan="{s}">{esc(c)}</th>' for c, s in zip(columns, spans)
    )
    head += "</tr><tr>"
    for o, p in zip(ours, papers):
        parts = (["ours"] if o else []) + (["paper"] if p else []) + (["ratio"] if o and p else [])
        head += "".join(
            f'<th class="{"group" if i == 0 else ""}">{t}</th>' for i, t in enumerate(parts)
        )
    head += "</tr>"
    body = []
    for row, lines in rows:
        name = f"{row:g}" if isinstance(row, float) else row
        for i, (metric, line) in enumerate(zip(figures, lines)):
            text = '<tr class="first">' if i == 0 and many else "<tr>"
            if i == 0:
                text += f'<th rowspan="{len(lines)}">{esc(name)}</th>'
            if many:
                text += f'<td class="left soft">{esc(metrics.labelled(metric))}</td>'
            for (figure, paper), o, p in zip(line, ours, papers):
                if o and figure.failed:
                    text += failed(figure, len(lines)) if i == 0 else ""
                elif o:
                    text += own(figure, metric.digits, "ours group")
                if p:
                    css = "paper" if o else "paper group"
                    text += f'<td class="{css}">{typed(paper, metric.digits)}</td>'
                if o and p:
                    times = data.ratio(figure.median, paper)
                    text += f'<td class="ratio">{"" if times is None else f"{times:.2f}"}</td>'
            body.append(text + "</tr>")
    explain = "" if many else f"{figures[0].label} ({figures[0].unit}). "
    if not many:
        explain += {1: "Higher is better. ", -1: "Lower is better. ", 0: ""}[figures[0].better]
    explain += "Ratio: ours divided by the paper's. " if 3 in spans else ""
    return table(title, explain + caption, head, body)


SHORT = {"response_p50": "response p50, ms", "response_p95": "p95, ms", "age_p50": "age p50, ms",
         "fps": "fps", "partial_fps": "fps with halves", "longest_gap_ms": "longest gap, ms",
         "lost_percent": "not answered, %", "psnr_db": "PSNR p50, dB", "psnr_p5": "PSNR p5, dB",
         "ssim": "SSIM p50", "quality": "JPEG level"}


def short_label(name):
    """What a figure is called where there is little room."""
    return SHORT.get(name, metrics.labelled(metrics.metric(name)))


def matrix_table(title, caption, columns, names, rows):
    """rows: [(link, [for each figure [for each column (Figure, best?)]])]."""
    figures = [metrics.metric(n) for n in names]
    labels = [short_label(n) for n in names]
    head = '<tr><th class="left">link</th><th></th>'
    head += "".join(f'<th class="group">{esc(c)}</th>' for c in columns) + "</tr>"
    body = []
    for link, lines in rows:
        for i, (metric, line, label) in enumerate(zip(figures, lines, labels)):
            text = '<tr class="first">' if i == 0 else "<tr>"
            if i == 0:
                text += f'<th rowspan="{len(lines)}">{esc(link)}</th>'
            text += f'<td class="left soft">{esc(label)}</td>'
            for figure, best in line:
                if not figure.failed:
                    text += own(figure, metric.digits, "group best" if best else "group")
                elif i == 0:
                    text += failed(figure, len(lines))
            body.append(text + "</tr>")
    explain = metrics.explain(names) + f" Shaded and bold: the best of its row, or within {data.TIE_TEXT} of it. "
    return table(title, explain + caption, head, body, "matrix")


def rates_table(names, rows):
    """rows: [(link, [(system, [for each figure Figure])])]. Opened by a click."""
    head = '<tr><th class="left">link</th><th class="left"></th>'
    head += "".join(f"<th>{esc(short_label(n))}</th>" for n in names) + "</tr>"
    body = []
    for link, systems in rows:
        for i, (system, figures) in enumerate(systems):
            text = '<tr class="first">' if i == 0 else "<tr>"
            if i == 0:
                text += f'<th rowspan="{len(systems)}">{esc(link)}</th>'
            text += f'<td class="left soft">{esc(system)}</td>'
            if figures[0].failed:
                text += failed(figures[0], columns=len(names))
            else:
                text += "".join(own(f, metrics.metric(n).digits) for n, f in zip(names, figures))
            body.append(text + "</tr>")
    return details("Beside each frame rate: longest gap, presses not answered, how good the pictures are",
                   table("", metrics.explain(names), head, body, "matrix"))


def quality_table(title, caption, columns, rows):
    """rows: [(name, [for each column (share in % or None, Figure of frames shown)])]."""
    head = '<tr><th class="left" rowspan="2"></th>'
    head += "".join(f'<th class="group" colspan="2">{esc(c)}</th>' for c in columns) + "</tr><tr>"
    head += '<th class="group">by data</th><th>by frames</th>' * len(columns) + "</tr>"
    body = []
    for name, entries in rows:
        text = f"<tr><th>{esc(name)}</th>"
        for share, direct in entries:
            if direct.failed:
                text += failed(direct, columns=2)
                continue
            text += f'<td class="group ours">{"" if share is None else f"{share:.0f} %"}</td>'
            shown = metrics.show(direct.median, 0)
            text += f"<td>{shown + ' %' if shown else ''}</td>"
        body.append(text + "</tr>")
    return table(title, caption, head, body)


def verdict(short, metric):
    """Whether something is reached, or by how much it is not."""
    if short is None:
        return '<td class="group"></td>'
    if short == 0:
        return '<td class="group best">met</td>'
    by = "" if short == math.inf else f" by {metrics.show(short, metric.digits)} {esc(metric.unit)}"
    return f'<td class="group missed">missed{by}</td>'


def targets_table(title, caption, of, against, rows):
    """rows: [(link, [report_targets.Line])]."""
    head = '<tr><th class="left">link</th><th></th><th class="group">target</th>'
    head += "".join(f'<th class="group">{esc(t)}</th>'
                    for t in (of, against, "target", f"no worse than {against}")) + "</tr>"
    body = []
    for link, lines in rows:
        for i, line in enumerate(lines):
            text = '<tr class="first">' if i == 0 else "<tr>"
            if i == 0:
                text += f'<th rowspan="{len(lines)}">{esc(link)}</th>'
            text += f'<td class="left soft">{esc(metrics.labelled(line.metric))}</td>'
            sign = "≥" if line.metric.better == 1 else "≤"
            shown = metrics.show(line.bound, line.metric.digits)
            text += f'<td class="group">{f"{sign} {shown}" if shown else ""}</td>'
            for figure in (line.ours, line.theirs):
                if not figure.failed:
                    text += own(figure, line.metric.digits, "group")
                elif i == 0:
                    text += failed(figure, len(lines))
            text += verdict(line.miss, line.metric) + verdict(line.behind, line.metric)
            body.append(text + "</tr>")
    explain = (f"Whether {of} reaches each target, and is no worse than {against}, by the medians."
               f" Up to {data.TIE_TEXT} from {against} count as equal there; a target has to be reached. ")
    explain += metrics.explain(line.ours.name for _, lines in rows for line in lines) + " "
    return table(title, explain + caption, head, body, "matrix")


def difference_table(title, caption, columns, metric, rows):
    """rows: [(name, [for each column (its two Figures, the difference or None, in round trips or None)])]."""
    heads = "".join(f'<th class="group" colspan="2">{esc(c)}</th>' for c in columns)
    body = []
    for name, entries in rows:
        text = f"<tr><th>{esc(name)}</th>"
        for figures, more, trips in entries:
            wrong = next((f for f in figures if f.failed), None)
            if wrong:
                text += failed(wrong, columns=2)
                continue
            doubt = DOUBTFUL if any(f.doubtful for f in figures) else ""
            sign = "+" if more is not None and more > 0 else ""
            shown = "" if more is None else sign + metrics.show(more, metric.digits) + doubt
            text += f'<td class="group ours">{shown}</td>'
            text += f'<td>{"" if trips is None else f"{trips:.1f} RTT"}</td>'
        body.append(text + "</tr>")
    explain = f"{metric.label}: what it is more, {metric.unit}, and in round trips. Of medians. "
    return table(title, explain + caption, f'<tr><th class="left"></th>{heads}</tr>', body)


def facts(pairs):
    """pairs: [(name, text, whether it is a warning)]."""
    return '<dl class="facts">' + "".join(
        f'<div class="{"bad" if bad else ""}"><dt>{esc(name)}</dt><dd>{esc(text)}</dd></div>'
        for name, text, bad in pairs
    ) + "</dl>"


def page(title, parts):
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{esc(title)}</title><style>{STYLE}</style></head>\n<body><main>\n"
        + "\n".join(parts)
        + "\n</main></body></html>\n"
    )
