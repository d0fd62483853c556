"""The most that a program may ask of the kernel as receive buffer, net.core.rmem_max, raised for as
long as a lab needs more.

Linux has one such limit for the whole machine: at the ends of a link it can be read and not be set. So
a guard beside the lab raises it and puts it back. The guard ends with the lab, however that ends,
since it waits for the other end of a pipe. Several labs may run at a time: a file names those that
need the limit, and the last of them puts back what was there before the first. When guards were
killed as well, the next lab finds that in the file.

    python3 receive_limit.py BYTES [FILE HOLDERS]     the guard; says "ready" or, in one line, why it cannot
"""
import contextlib
import fcntl
import json
import os
import signal
import subprocess
import sys

import link
from processes import start_time

LIMIT = "/proc/sys/net/core/rmem_max"
HOLDERS = "/run/vnchl-lab-rmem_max.json"  # only root can write here, as there; gone after a reboot


def wanted(runs):
    """The largest window that one of these runs asks for; 0 when none does."""
    windows = [r.settings["window"] for r in runs]
    return max((link.byte_count(w) for w in windows if w not in (None, "auto")), default=0)


class Limit:
    """The limit, and the file that names who needs it: {"before", "raised", "holders"}, a holder being
    a pid and when that process started."""

    def __init__(self, path=LIMIT, holders=HOLDERS):
        self.path, self.holders = path, holders

    def value(self):
        """The limit now; 0 where it cannot be read."""
        try:
            with open(self.path, encoding="ascii") as file:
                return int(file.read())
        except (OSError, ValueError):
            return 0

    @contextlib.contextmanager
    def _state(self):
        """The file's content, without those that have ended; written when this ends."""
        with open(self.holders, "a+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            try:
                state = json.load(file)
            except ValueError:  # new, or cut off
                state = {"holders": []}
            state["holders"] = [h for h in state["holders"] if start_time(h[0]) == h[1]]
            if not state["holders"]:
                self._put_back(state)
            try:
                yield state
            finally:
                file.truncate(0)
                json.dump(state, file)

    def _put_back(self, state):
        """Nobody needs it any more. A limit that somebody else has set meanwhile stays."""
        if "before" in state and self.value() == state["raised"]:
            self._set(state["before"])
        state.pop("before", None)
        state.pop("raised", None)

    def _set(self, value):
        with open(self.path, "w", encoding="ascii") as file:
            file.write(f"{value}\n")

    def hold(self, value, pid):
        """For this process the limit is at least `value`. Raises OSError when it cannot be."""
        with self._state() as state:
            before = self.value()
            if before < value:
                self._set(value)
                state.setdefault("before", before)
                state["raised"] = value
            state["holders"].append([pid, start_time(pid)])

    def release(self, pid):
        """This process needs it no more."""
        with self._state() as state:
            state["holders"] = [h for h in state["holders"] if h[0] != pid]
            if not state["holders"]:
                self._put_back(state)


@contextlib.contextmanager
def raised(value, *paths):
    """While this lasts programs may ask for `value` bytes. Gives None, or why they may not. `paths`: other
    files than the kernel's, as for Limit."""
    if not value:
        yield None
        return
    command = [sys.executable, "-B", os.path.abspath(__file__), str(value), *paths]
    guard = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             text=True, start_new_session=True)
    try:
        said = guard.stdout.readline().strip()
        yield None if said == "ready" else said or "its guard has ended"
    finally:
        guard.stdin.close()
        guard.wait()
        guard.stdout.close()


def main(argv):
    """The guard: until standard input ends, or SIGTERM."""
    def stop(_number, _frame):
        raise SystemExit(0)

    for number in (signal.SIGINT, signal.SIGHUP):  # the lab's end is what counts
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, stop)
    value, one, held = int(argv[0]), Limit(*argv[1:]), False
    try:
        if one.value() < value or os.access(one.holders, os.W_OK):
            one.hold(value, os.getpid())
            held = True
        print("ready", flush=True)
        sys.stdin.read()
    except OSError as error:
        print(f"net.core.rmem_max stays at {one.value()} bytes ({error.strerror}); root can raise it",
              flush=True)
        sys.stdin.read()
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if held:
            one.release(os.getpid())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
