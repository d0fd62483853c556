"""X servers of a run: started on a display number that nobody else on the machine has.

Each end of a link has abstract sockets of its own, so an X server that looks for a free number itself
finds :0 free in every run, and takes the socket in /tmp away from whoever had it. So the numbers are
chosen here, by the locks that all X servers respect.
"""
import os
import re
import tempfile

from processes import RunFailed, end, last_line, start, wait_until

SCREEN = "1280x1024"
START_LIMIT = 15  # s
_LOCK = "/tmp/.X{}-lock"
_SOCKET = "/tmp/.X11-unix/X{}"
_TOLD, _LOCKING = 100, 60  # the first numbers that are tried
_NUMBERS = 400


def _free_numbers(first):
    for number in range(first, first + _NUMBERS):
        if not os.path.exists(_LOCK.format(number)) and not os.path.exists(_SOCKET.format(number)):
            yield number


def _reserve():
    """A free display number, now locked for this process: remove_leftovers() gives it back."""
    with tempfile.NamedTemporaryFile("w", dir="/tmp", prefix=".tX-lock-") as file:
        file.write(f"{os.getpid():10d}\n")
        file.flush()
        os.chmod(file.name, 0o444)
        for number in _free_numbers(_TOLD):
            try:
                os.link(file.name, _LOCK.format(number))  # never seen half written
                return number
            except FileExistsError:
                continue  # somebody else was faster
    raise RunFailed(f"no X display number from {_TOLD} on is free: /tmp is full of .X*-lock files")


def start_with_displayfd(argv, log, env=None):
    """Starts an X server that says when it is ready, and then locks no number; (process, number)."""
    number = _reserve()
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    process = start([argv[0], f":{number}", *argv[1:], "-displayfd", str(writer)], log, env,
                    pass_fds=(writer,))
    os.close(writer)
    got = bytearray()

    def told():
        try:
            got.extend(os.read(reader, 32))
        except BlockingIOError:
            pass
        return b"\n" in got

    try:
        ready = wait_until(told, START_LIMIT, [process])
    finally:
        os.close(reader)
    if not ready:
        end([process])
        raise RunFailed(f"{argv[0]} did not start: {last_line(log)}")
    return process, number


def start_with_number(argv, log, env=None):
    """The same for one that has no -displayfd and locks its number itself: tries free ones."""
    for number in _free_numbers(_LOCKING):
        process = start([argv[0], f":{number}", *argv[1:]], log, env)
        if wait_until(lambda: _listens(process.pid, number), START_LIMIT, [process]):
            return process, number
        end([process])
        if "already" not in open(log, encoding="utf-8", errors="replace").read():
            break  # not because somebody else was faster
    raise RunFailed(f"{argv[0]} did not start: {last_line(log)}")


def _listens(pid, number):
    """Whether it has the lock, and so the socket is its own."""
    return _owner(number) == pid and os.path.exists(_SOCKET.format(number))


def _owner(number):
    try:
        with open(_LOCK.format(number), encoding="ascii") as file:
            return int(file.read().strip("\0 \n"))
    except (OSError, ValueError):
        return 0


def remove_leftovers(pids):
    """When our X servers have ended: removes our locks, and what those that were killed outright left."""
    for name in os.listdir("/tmp"):
        number = re.fullmatch(r"\.X(\d+)-lock", name)
        owner = _owner(number[1]) if number else 0
        if owner == os.getpid() or owner in pids and not os.path.exists(f"/proc/{owner}"):
            for path in (_SOCKET.format(number[1]), _LOCK.format(number[1])):
                try:
                    os.unlink(path)
                except OSError:
                    pass
