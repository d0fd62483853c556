#!/usr/bin/python3
"""Turns the lab's records into one page: index.html, and each plot as a PNG file beside it.

    tools/lab/report.py RESULTS_DIR [--out DIR]

Reads every *.jsonl in RESULTS_DIR. The page needs no network. It refuses an experiment with records of
different machines.
"""

import argparse
import collections
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import report_data as data  # noqa: E402
import report_html as html  # noqa: E402
import report_metrics as metrics  # noqa: E402
from records import LANES_BUSY, OTHERS_BUSY  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
EXPERIMENTS = os.path.join(HERE, "experiments")


def versions_of(records):
    """{program: [versions]} over all records."""
    found = collections.defaultdict(dict)
    for record in records:
        versions = record.get("versions")
        for program, version in (versions if isinstance(versions, dict) else {}).items():
            if version:
                found[str(program)][str(version)] = True
    return {program: list(versions) for program, versions in sorted(found.items())}


def machine_text(machine):
    parts = [str(machine.get("cpu") or "unknown CPU")]
    if machine.get("cores"):
        parts.append(f"{machine['cores']} cores")
    if data.number(machine.get("memory_mb")):
        parts.append(f"{machine['memory_mb'] / 1024:.0f} GiB")
    if machine.get("kernel"):
        parts.append(f"Linux {machine['kernel']}".replace("Linux Linux", "Linux"))
    return ", ".join(parts)


def anchor(experiment):
    return "x-" + "".join(c if c.isalnum() or c == "-" else "-" for c in experiment.name)


def title_of(experiment):
    return str(experiment.spec.get("title") or experiment.name)


def place(experiment):
    """Where it stands on the page: what most readers look for first, then by name."""
    first = ["quick", "peers"]
    known = experiment.name in first
    return (first.index(experiment.name) if known else len(first), experiment.name)


def counts(ok, failed):
    return f"{ok} run{'' if ok == 1 else 's'}" + (f", {failed} failed" if failed else "")


def lanes_text(results):
    """How many runs were made at a time, and how busy that kept the machine."""
    jobs = sorted({int(data.jobs_of(r)) for r in results})
    busy = [data.number(r.get("machine_busy")) for r in results]
    text = " or ".join(map(str, jobs))
    if any(b is not None for b in busy):
        text += f"; the machine was {100 * data.median(busy):.0f} % busy (median)"
    return text or "unknown"


def summary(records, experiments, machines, sentences):
    """The top of the page: what was run, where, and each experiment's main result."""
    ok, failed = sum(e.ok() for e in experiments), sum(e.failed() for e in experiments)
    results = [r for e in experiments for c in e.cells for r in c.results]
    doubtful = sum(c.doubtful for e in experiments for c in e.cells)
    again = sum(e.superseded for e in experiments)
    started = sorted(r["started"] for r in records if isinstance(r.get("started"), str))
    took = sum(data.number(r.get("took_s")) or 0 for r in records)
    ends = dict.fromkeys(t[:16].replace("T", " ") for t in started[:1] + started[-1:])
    days = " to ".join(ends) + " UTC" if ends else "unknown"
    facts = [
        ("Experiments", f"{len(experiments)}", False),
        ("Runs that gave figures", f"{ok}", ok == 0),
        ("Runs that failed", f"{failed}", failed > 0),
        ("Doubtful runs", f"{doubtful}", doubtful > 0),
        ("Runs at a time", lanes_text(results), False),
        ("Measured", days, False),
        ("Time of the runs added up", f"{took / 3600:.1f} h" if took >= 3600 else f"{took / 60:.0f} min",
         False),
        ("Machine", "; ".join(dict.fromkeys(map(machine_text, machines))), False),
    ]
    facts += [(p, ", ".join(v), len(v) > 1) for p, v in versions_of(records).items()]
    notes = [
        "Every figure is computed from the records of runs: real servers and viewers, on the two ends"
        " of an emulated link on one machine. Where runs were repeated it is the median, with"
        " the extremes and the standard deviation (±) below it. A blank was not run; a failure says why. The"
        " papers' figures come from other machines, years ago: compare how the systems relate, not the numbers as such."
    ]
    if len(machines) > 1:
        notes.append(f"The experiments were run on {len(machines)} machines, each experiment on one: compare figures"
                     " within a chapter, not from chapter to chapter.")
    if doubtful:
        notes.append(
            f"{html.DOUBTFUL} marks figures with a doubtful run: other programs used more than"
            f" {100 * OTHERS_BUSY:.0f} % of the machine, with several runs at a time the whole machine was"
            f" more than {100 * LANES_BUSY:.0f} % busy, or the kernel did not grant the window that the"
            " viewer was to have. Each chapter ends with the reasons."
        )
    if again:
        notes.append(f"{again} older records were left out because the same run was made again.")
    older = sum(metrics.counts_between_frames(r["result"]) for r in records if isinstance(r.get("result"), dict))
    if older:
        notes.append(
            f"In {older} of {len(records)} records, of older versions, frames per second are counted from the"
            " first frame seen to the last one: time in which nothing came before and after does not count."
            " Look at the longest gap beside them. Today they are frames / measured time."
        )
    levels = sum(metrics.tells_last_level(r["result"], r["settings"]) for r in records)
    if levels:
        notes.append(
            f"In {levels} of {len(records)} records, of older versions, the JPEG level is what was asked for last."
            " Today it is the mean over the measured time."
        )
    rows = []
    for experiment, said in zip(experiments, sentences):
        rows.append(
            f'<tr><td class="left"><a href="#{anchor(experiment)}">{html.esc(title_of(experiment))}'
            f'</a></td><td class="left">{html.esc(" ".join(said))}</td>'
            f'<td class="left">{counts(experiment.ok(), experiment.failed())}</td></tr>'
        )
    head = '<tr><th class="left">experiment</th><th class="left">main result</th>'
    head += '<th class="left">runs</th></tr>'
    return [
        "<h1>Remote desktops over far, slow and lossy links</h1>",
        *[f"<p>{html.esc(n)}</p>" for n in notes],
        html.facts(facts),
        html.table("Main results", "", head, rows, "glance"),
    ]


def failures(experiment):
    """How often runs failed, and why."""
    reasons = collections.Counter(
        (cell.system, error) for cell in experiment.cells for error in cell.errors
    )
    if not reasons:
        return []
    return _listed(f"{sum(reasons.values())} failed runs and their reasons", reasons)


def doubted(experiment):
    """How many runs are doubtful, and why."""
    reasons = collections.Counter(
        (cell.system, reason) for cell in experiment.cells for reason in cell.doubts
    )
    if not reasons:
        return []
    runs = sum(cell.doubtful for cell in experiment.cells)
    return _listed(f"{runs} doubtful runs ({html.DOUBTFUL}) and why", reasons)


def _listed(title, reasons):
    items = "".join(
        f"<li>{n} × <b>{html.esc(system)}</b>: <code>{html.esc(reason)}</code></li>"
        for (system, reason), n in reasons.most_common()
    )
    return [html.details(title, f"<ul>{items}</ul>")]


def chapter(experiment, said, folder):
    import views
    import views_text

    spec = experiment.spec
    parts = [f'<section id="{anchor(experiment)}"><h2>{html.esc(title_of(experiment))}</h2>']
    source = f"{spec['paper']} · " if spec.get("paper") else ""
    parts.append(f'<p class="soft">{html.esc(source)}experiment <code>{html.esc(experiment.name)}'
                 f"</code> · {counts(experiment.ok(), experiment.failed())}</p>")
    if spec.get("what"):
        parts.append(f"<p>{html.esc(spec['what'])}</p>")
    if not spec:
        parts.append(html.note("Its file is not in tools/lab/experiments: shown in the general layout."))
    parts.append(f'<p class="main"><b>Result.</b> {html.esc(" ".join(said))}</p>')
    stated = views_text.says(experiment)
    if stated:
        items = "".join(f"<li>{html.esc(s)}</li>" for s in stated)
        parts.append(f"<h3>What the paper states</h3><ul>{items}</ul>")
    for view in views.views_of(experiment):
        parts += views.draw(view, experiment, folder)
    parts += views.beside_rates(experiment)
    parts += failures(experiment) + doubted(experiment)
    parts.append("</section>")
    return parts


def write(results, out):
    """Builds the page; returns its path. Raises ReportError with one line."""
    records = data.read_records(results)
    machines = data.machines(records)
    experiments = sorted(data.group(records, EXPERIMENTS), key=place)
    try:
        import views
        import views_text
    except ModuleNotFoundError as e:
        raise data.ReportError(f"{e.name} is missing; tools/setup.sh lab installs it") from None
    try:
        os.makedirs(out, exist_ok=True)
        folder = views.Folder(out)
        sentences = [views_text.headlines(e) for e in experiments]
        parts = summary(records, experiments, machines, sentences)
        for experiment, said in zip(experiments, sentences):
            parts += chapter(experiment, said, folder)
        path = os.path.join(out, "index.html")
        with open(path + ".part", "w", encoding="utf-8") as file:
            file.write(html.page("Remote desktops over far links", parts))
        os.replace(path + ".part", path)
    except OSError as e:
        raise data.ReportError(f"cannot write {e.filename or out}: {e.strerror}") from None
    return path


def main(argv):
    parser = argparse.ArgumentParser(
        prog="report.py", description="One page from the lab's records."
    )
    parser.add_argument("results", metavar="RESULTS_DIR", help="folder with *.jsonl")
    parser.add_argument("--out", metavar="DIR", help="where the page goes [RESULTS_DIR/report]")
    args = parser.parse_args(argv)
    try:
        print(write(args.results, args.out or os.path.join(args.results, "report")))
    except data.ReportError as e:
        print(f"report: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
