#!/usr/bin/python3
"""The lab's command line: runs experiments and tells about them. docs/lab.md is its manual."""
import argparse
import os
import signal
import sys

import campaign
import experiment as experiments
import receive_limit
import records
import report_data
import runner
from progress import duration

DEFAULT_OUT = os.path.join(runner.ROOT, "lab-results")
MOST_JOBS = 64
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _arguments(argv):
    parser = argparse.ArgumentParser(
        prog="lab.py", description="Runs VNC servers and viewers over emulated links and measures what "
        "a user would see. docs/lab.md is the manual.", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="run experiments, or what is left of them")
    run.add_argument("experiments", nargs="+", metavar="EXPERIMENT",
                     help="a name, a group, or the path of a file")
    run.add_argument("--out", default=DEFAULT_OUT, metavar="DIR", help="for records [./lab-results]")
    run.add_argument("--build", default=os.path.join(runner.ROOT, "build"), metavar="DIR",
                     help="where the programs were built [./build]")
    run.add_argument("--keep", action="store_true", help="keep the folders of the runs, and name them")
    run.add_argument("--retry", action="store_true", help="also runs that failed twice")
    run.add_argument("--new-machine", action="store_true",
                     help="start a new file when there are records of another machine")
    show = commands.add_parser("show", help="how many runs, and how long they take")
    show.add_argument("experiments", nargs="+", metavar="EXPERIMENT")
    run.add_argument("--jobs", type=int, default=1, metavar="N", help="runs at a time [1]")
    for command in (run, show):
        command.add_argument("--quick", action="store_true", help="only what the files call quick")
        command.add_argument("--repeats", type=int, metavar="N", help="repeats of each run")
        command.add_argument("--only", action="append", default=[], metavar="KEY=VALUE",
                             help="only runs with this setting, system or case; may be given often")
    commands.add_parser("list", help="the experiments there are")
    whole = commands.add_parser("campaign", help="all that is measured of one version")
    whole.add_argument("parts", nargs="*", metavar="PART", help="parts, or folders of parts [all]")
    whole.add_argument("--list", action="store_true", help="what it is and how long it takes, and nothing else")
    whole.add_argument("--publish", action="store_true", help="copy the records below docs/results, and nothing else")
    whole.add_argument("--out", default=DEFAULT_OUT, metavar="DIR", help="for records [./lab-results]")
    whole.add_argument("--build", default=os.path.join(runner.ROOT, "build"), metavar="DIR",
                       help="where the programs were built [./build]")
    commands.add_parser("report", help="write the report page (has its own --help)", add_help=False)
    return parser, parser.parse_args(argv)


def _fail(text):
    print(f"lab: {text}", file=sys.stderr)
    return 1


def _named(names):
    """The experiments of these names and groups, each once."""
    found = {}
    for name in names:
        group = [] if "/" in name or name.endswith(".toml") else experiments.in_group(name)
        for one in group or [name]:
            loaded = experiments.load(one)
            found[loaded.name] = loaded
    return list(found.values())


def _runs(experiment, options):
    """The runs that the options choose."""
    runs = experiment.runs(options.quick, options.repeats)
    for only in options.only:
        key, equals, value = only.partition("=")
        if not equals:
            raise experiments.ExperimentError(f"--only '{only}' is not KEY=VALUE, like server=tigervnc")
        runs = [r for r in runs if r.matches(key, value)]
    return runs


def _run(options):
    chosen = [(e, _runs(e, options)) for e in _named(options.experiments)]
    if not any(runs for _, runs in chosen):
        return _fail("nothing to run: no run matches --only")
    one = runner.Runner(options.build, options.keep, options.jobs)
    with receive_limit.raised(receive_limit.wanted([r for _, runs in chosen for r in runs])) as lacking:
        if lacking:
            print(f"lab: {lacking}", file=sys.stderr)
        return 1 if sum(_run_one(one, e, runs, options) for e, runs in chosen) else 0


def _run_one(one, experiment, runs, options):
    """Makes those of the experiment's runs that are left; how many did not succeed, also before."""
    store = records.Store(options.out, experiment.name, one.machine, options.new_machine)
    try:
        runner.run_experiment(one, experiment, store, runs, options.retry)
    finally:
        store.close()
    left = sum(r.key not in store.done for r in runs)
    print(f"{experiment.name}: {len(runs) - left} of {len(runs)} runs done"
          + (f", {left} failed" if left else "") + f"; records in {store.path}")
    return left


def _show(options):
    for experiment in _named(options.experiments):
        runs = _runs(experiment, options)
        print(f"{experiment.name}: {experiment.title}")
        for text in (experiment.paper and f"after {experiment.paper}", experiment.what.strip()):
            if text:
                print(f"  {text}")
        for name, values, quick in experiment.axes:
            print(f"  {name}: " + ", ".join(experiments.shown(v[0])
                                            for v in (quick if options.quick else values)))
        print("  systems: " + "; ".join(dict.fromkeys(r.system for r in runs)))
        took = sum(runner.seconds(r.settings) for r in runs)
        print(f"  {len(runs)} runs, about {duration(took)}")
    return 0


def _list(_options):
    for name in experiments.names():
        experiment = experiments.load(name)
        print(f"{name:24} {experiment.group:14} {experiment.title}")
    return 0


def _campaign(options):
    most, every = campaign.load()
    parts = campaign.chosen(every, options.parts)
    out, build = os.path.abspath(options.out), os.path.abspath(options.build)
    if options.list:
        print("\n".join(campaign.table(parts)))
        print(f"\nAt most {most / 60:g} hours.")
        return 0
    if options.publish:
        for path in campaign.publish(parts, every, out, os.path.join(runner.ROOT, "docs", "results")):
            print(os.path.relpath(path, runner.ROOT))
        return 0
    bad = campaign.run(parts, out, build, lambda text: print(text, flush=True))
    return _fail(f"not all of these was measured: {', '.join(bad)}") if bad else 0


def _stop(number, _frame):
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    print("\nlab: stopped; started again, it goes on with what is left", file=sys.stderr)
    raise SystemExit(128 + number)


def main(argv):
    """The exit status."""
    if argv[:1] == ["report"]:
        import report
        return report.main(argv[1:])
    parser, options = _arguments(argv)
    if getattr(options, "repeats", None) is not None and not 1 <= options.repeats <= 1000:
        parser.error("--repeats is a number from 1 to 1000")
    if not 1 <= getattr(options, "jobs", 1) <= MOST_JOBS:
        parser.error(f"--jobs is a number from 1 to {MOST_JOBS}")
    for number in SIGNALS:
        signal.signal(number, _stop)
    try:
        return {"run": _run, "show": _show, "list": _list, "campaign": _campaign}[options.command](options)
    except (experiments.ExperimentError, records.RecordsError, runner.LabFailed, campaign.CampaignError,
            report_data.ReportError) as error:
        return _fail(error)
    except BrokenPipeError:
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
