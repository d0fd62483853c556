"""Processes of a run: starting them so that they cannot outlive us, ending them, and what /proc says
about them and about the machine.
"""
import ctypes
import os
import signal
import subprocess
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
TICKS = os.sysconf("SC_CLK_TCK")
_prctl = ctypes.CDLL(None).prctl  # looked up now: after a fork beside threads it would not be safe


class RunFailed(Exception):
    """The run cannot be made: one line for its record."""


def die_with(parent, signal_number=signal.SIGTERM):
    """A function for the child to call: it gets the signal when `parent` is gone, or the thread of it
    that started the child, which therefore has to stay as long as the child."""
    def arrange():
        _prctl(PR_SET_PDEATHSIG, int(signal_number), 0, 0, 0)
        if os.getppid() != parent:  # too late to be told
            os.kill(os.getpid(), signal_number)
    return arrange


def start(argv, log, env=None, pass_fds=(), stdout=None):
    """Starts a program in a session of its own, with its output in the file `log`, ended with us."""
    with open(log, "ab") as file:
        try:
            return subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=stdout or file, stderr=file, env=env,
                pass_fds=pass_fds, start_new_session=True, preexec_fn=die_with(os.getpid()))
        except OSError as error:
            raise RunFailed(f"cannot run {argv[0]}: {error.strerror}") from None


def end(processes, grace=1.2):
    """Ends programs that start() started, with their sessions: SIGTERM, and SIGKILL after `grace` s."""
    living = [p for p in processes if p is not None]
    for p in living:
        _signal(p, signal.SIGTERM)
    until = time.monotonic() + grace
    while any(p.poll() is None for p in living) and time.monotonic() < until:
        time.sleep(0.01)
    for p in living:
        _signal(p, signal.SIGKILL)
        p.wait()


def adopt():
    """What our programs leave behind when they end becomes our child. So its CPU time stays in our
    tree: else it would seem to be that of other processes."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def bury(grace=1.2):
    """Waits up to `grace` s for what adopt() made our children."""
    until = time.monotonic() + grace
    while time.monotonic() < until:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.01)
        except ChildProcessError:
            return


def _signal(process, number):
    try:
        os.killpg(process.pid, number)  # the session's first process names its group
    except ProcessLookupError:
        pass


def last_line(log, fallback="it said nothing"):
    """The last line with something in it that a program wrote."""
    try:
        with open(log, encoding="utf-8", errors="replace") as file:
            lines = [line.strip() for line in file.read()[-8000:].splitlines()]
    except OSError:
        lines = []
    lines = [line.removeprefix("(EE)").strip() for line in lines]  # X servers' mark of an error
    lines = [line for line in lines if any(c.isalnum() for c in line)]
    return lines[-1][:300] if lines else fallback


def wait_until(condition, limit, processes=(), step=0.01):
    """Waits for `condition()`; False when `limit` seconds passed or one of the processes ended."""
    until = time.monotonic() + limit
    while not condition():
        if time.monotonic() > until or any(p.poll() is not None for p in processes):
            return bool(condition())
        time.sleep(step)
    return True


def _stat(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        return file.read().rpartition(")")[2].split()


def start_time(pid):
    """When a process started, in ticks since boot: with its pid, who it is. 0: there is none, or only
    what nobody has waited for."""
    try:
        fields = _stat(pid)
        return 0 if fields[0] in "ZX" else int(fields[19])
    except (OSError, IndexError, ValueError):
        return 0


class Table:
    """All processes at one moment: who started whom, and their CPU seconds."""

    READS = 5

    def __init__(self):
        # The time of a process that ends while we read goes to its parent, which we may have read
        # before: then it would be in neither.
        for _ in range(self.READS):
            if self._read():
                break

    def _read(self):
        """Whether all processes stayed meanwhile."""
        self.children, self.cpu = {}, {}
        whole = True
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                fields = _stat(name)
            except OSError:
                whole = False
                continue
            pid = int(name)
            self.children.setdefault(int(fields[1]), []).append(pid)
            # with that of its children that ended: a tree's sum never falls
            self.cpu[pid] = sum(map(int, fields[11:15])) / TICKS
        return whole

    def tree(self, roots):
        """These processes and all they started."""
        found, todo = set(), list(roots)
        while todo:
            pid = todo.pop()
            if pid not in found and pid in self.cpu:
                found.add(pid)
                todo += self.children.get(pid, [])
        return found

    def cpu_s(self, roots):
        """User and system time of these trees, s."""
        return sum(self.cpu[pid] for pid in self.tree(roots))


def peak_kb(pids):
    """The most memory that these processes had resident, each at its own moment, kB."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
                total += next((int(l.split()[1]) for l in file if l.startswith("VmHWM:")), 0)
        except OSError:
            continue
    return total


def machine_times():
    """(busy, busy with interrupts, all) CPU seconds of the machine since boot."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, idle, iowait, irq, softirq, steal = map(int, file.readline().split()[1:9])
    busy = user + nice + system + irq + softirq + steal
    return busy / TICKS, (irq + softirq) / TICKS, (busy + idle + iowait) / TICKS


def device_bytes():
    """(received, sent) IP bytes of the network device of the namespace we are in, other than lo."""
    with open("/proc/self/net/dev", encoding="ascii") as file:
        for line in file:
            name, colon, rest = line.partition(":")
            if colon and name.strip() != "lo":
                fields = rest.split()
                return int(fields[0]), int(fields[8])
    raise RunFailed("there is no network device at this end of the link")
