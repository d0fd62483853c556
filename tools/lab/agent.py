"""What both agents of a run have in common: the run's folder, and its end.

An agent is started by vnchl-linkem at its end of the link: `AGENT.py FOLDER`. In the folder,
settings.json says what to run; agents write their results there, whole or not at all.
"""
import json
import os
import shutil
import signal
import sys
import time

from display import remove_leftovers
from processes import RunFailed, adopt, bury, end, start_time


def read_json(folder, name):
    """A file of the folder; None while there is none."""
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def write_json(folder, name, value):
    """Writes a file that a reader sees whole or not at all."""
    path = os.path.join(folder, name)
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(value, file)
    os.rename(path + ".part", path)


def _runner_lives(task):
    return start_time(task["runner_pid"]) == task["runner_start"]


def main(work, result_name):
    """Runs `work(folder, task, processes)`, which may end by RunFailed or a signal, and then ends all
    `processes`. When nobody is left who would remove the folder, does so."""
    folder = sys.argv[1]
    task = read_json(folder, "settings.json")
    processes = []

    def stop(_number, _frame):
        raise SystemExit(0)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stop)
    adopt()
    try:
        work(folder, task, processes)
    except RunFailed as error:
        write_json(folder, result_name, {"ok": False, "error": str(error)})
    finally:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        end(processes)
        bury()
        remove_leftovers({p.pid for p in processes})
        if not task["keep"]:
            for _ in range(20):  # the runner may be just about to end
                if _runner_lives(task):
                    break
                shutil.rmtree(folder, ignore_errors=True)
                time.sleep(0.01)
