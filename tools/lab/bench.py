"""A server with content on its desktop, on this machine alone: what lean.py and accel_cost.py measure at."""
import json
import shutil
import socket
import sys
import tempfile

import contents
from display import remove_leftovers, start_with_displayfd
from processes import RunFailed, end, last_line, wait_until
from servers import Desk, listening

START_S = 20


def free_port():
    """A TCP port nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def percentile(values, share):
    """By the nearest rank."""
    return sorted(values)[max(0, -(-len(values) * share // 100) - 1)]


def exit_status(program, work):
    """Does the work; an error of a run is one line."""
    try:
        work()
    except (RunFailed, OSError) as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 1
    return 0


def write_record(record, lines, file_name):
    """Prints the lines that tell people, and writes all of it."""
    print("\n".join(lines(record)))
    with open(file_name, "w", encoding="ascii") as file:
        json.dump(record, file)
        file.write("\n")


class ServerBench:
    """What is started here ends with it, in the opposite order."""

    OPTIONS = ()  # of Xvnc, beside the usual ones

    def __init__(self, tools, content, geometry):
        self.folder = tempfile.mkdtemp(prefix="vnchl-bench-")
        self.desk = Desk({"content": content, "seed": 1, "geometry": geometry}, self.folder, tools)

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        end(reversed(self.desk.processes))
        remove_leftovers([p.pid for p in self.desk.processes])
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self):
        """The server and its content; who needs more starts it here, too."""
        self.port = free_port()
        self.server, display = start_with_displayfd(
            ["Xvnc", "-geometry", self.desk.settings["geometry"], "-depth", "24", "-rfbport",
             str(self.port), *self.security(), "-nolisten", "tcp", *self.OPTIONS],
            self.desk.log("server"))
        self.desk.keep(self.server)
        contents.show(self.desk, display)
        self.await_port(self.port, self.server, "server")

    def security(self):
        """The server's options for how viewers get in."""
        return ["-SecurityTypes", "None"]

    def await_port(self, port, process, log):
        """Until the process listens there."""
        if not wait_until(lambda: listening(port), START_S, [process]):
            raise RunFailed(f"{process.args[0]} did not start: {last_line(self.desk.log(log))}")
