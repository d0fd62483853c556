#!/usr/bin/python3
"""The host's end of the guest's serial line: tells the guest the time, says what it reports.

    host_side.py SOCKET

SOCKET is the Unix socket of QEMU's chardev; it may appear within some seconds. Prints "ready" once
the guest shows its first picture, then now and then one line of what the guest reports: frames,
late frames and presses so far, and how well its clock agrees. Ends with QEMU (exit 0), or with one line
that names the cause (exit 1). The lines that are spoken are described in serial.h.
"""
import socket
import sys
import time

CONNECT_LIMIT = 10  # s


def fail(text):
    """One line, and the end."""
    print(f"vnchl-lab-guest: {text}", file=sys.stderr)
    sys.exit(1)


def connect(path):
    """A connection to QEMU's socket, which may not be there yet."""
    give_up = time.monotonic() + CONNECT_LIMIT
    while True:
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect(path)
            return line
        except OSError as error:
            line.close()
            if time.monotonic() > give_up:
                fail(f"no connection to QEMU's socket {path}: {error.strerror or error}")
            time.sleep(0.02)


class Agreement:
    """How far the guest's clock is from ours, as far as the questions' own times tell: a question
    arrives after it was sent, so the least difference between the two is the best look."""

    def __init__(self):
        self.least = self.bound = None

    def seen(self, guest, bound, now):
        """The guest believed it was `guest`, to within `bound` ns, when it asked."""
        self.bound = bound
        late = now - guest
        self.least = late if self.least is None else min(self.least, late)

    def take(self):
        """The text about the questions since the last call."""
        if self.least is None:
            return "clock not known"
        text = (f"clock within {self.bound / 1000:.0f} us, "
                f"a question took at least {self.least / 1000:.0f} us")
        self.least = None
        return text


def serve(line):
    """Answers until QEMU closes the line."""
    pending = b""
    agreement = Agreement()
    while True:
        data = line.recv(4096)
        now = time.monotonic_ns()
        if not data:
            return
        *lines, pending = (pending + data).split(b"\n")
        for words in (text.decode("ascii", "replace").split() for text in lines):
            if words[:1] == ["time"] and len(words) == 4:
                line.sendall(f"{words[1]} {now}\n".encode())
                if words[2] != "0":
                    agreement.seen(int(words[2]), int(words[3]), now)
            elif words[:1] == ["state"] and len(words) == 4:
                print(f"{words[1]} frames, {words[2]} late, {words[3]} presses, {agreement.take()}",
                      flush=True)
            elif words[:1] == ["error"]:
                fail(" ".join(words[1:]))
            elif words == ["ready"]:
                agreement = Agreement()  # until now the guest was still setting its clock
                print("ready", flush=True)


def main():
    """The program."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__.strip())
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    try:
        serve(connect(sys.argv[1]))
    except ConnectionError:
        pass  # QEMU has ended
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
