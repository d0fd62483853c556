"""X servers of a run: started on a free display number."""
import os
import re

from processes import RunFailed, end, last_line, start, wait_until

SCREEN = "1280x1024"
START_LIMIT = 15  # s
_LOCK = "/tmp/.X{}-lock"
_SOCKET = "/tmp/.X11-unix/X{}"


def start_with_displayfd(argv, log, env=None):
    """Starts an X server that chooses a display number itself; (process, number)."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    process = start([*argv, "-displayfd", str(writer)], log, env, pass_fds=(writer,))
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
    return process, int(got.split()[0])


def start_with_number(argv, log, env=None, first=60):
    """The same for one that has to be told the number: tries free ones."""
    for number in range(first, first + 400):
        if os.path.exists(_LOCK.format(number)) or os.path.exists(_SOCKET.format(number)):
            continue
        process = start([argv[0], f":{number}", *argv[1:]], log, env)
        if wait_until(lambda n=number: os.path.exists(_SOCKET.format(n)), START_LIMIT, [process]) \
                and process.poll() is None and _owner(number) == process.pid:
            return process, number
        end([process])
        if "already" not in open(log, encoding="utf-8", errors="replace").read():
            break  # not because somebody else was faster
    raise RunFailed(f"{argv[0]} did not start: {last_line(log)}")


def _owner(number):
    try:
        with open(_LOCK.format(number), encoding="ascii") as file:
            return int(file.read().strip("\0 \n"))
    except (OSError, ValueError):
        return 0


def remove_leftovers(pids):
    """Removes locks and sockets that X servers of ours left because they were killed outright."""
    for name in os.listdir("/tmp"):
        number = re.fullmatch(r"\.X(\d+)-lock", name)
        if number and _owner(number[1]) in pids and not os.path.exists(f"/proc/{_owner(number[1])}"):
            for path in (_SOCKET.format(number[1]), _LOCK.format(number[1])):
                try:
                    os.unlink(path)
                except OSError:
                    pass
