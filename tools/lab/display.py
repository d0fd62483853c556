"""X servers of a run: started on a free display number, and their windows made ready for the eye."""
import ctypes
import ctypes.util
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
            return int(file.read())
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


class _Attributes(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int), ("width", ctypes.c_int),
                ("height", ctypes.c_int), ("border_width", ctypes.c_int), ("depth", ctypes.c_int),
                ("visual", ctypes.c_void_p), ("root", ctypes.c_ulong), ("c_class", ctypes.c_int),
                ("bit_gravity", ctypes.c_int), ("win_gravity", ctypes.c_int),
                ("backing_store", ctypes.c_int), ("backing_planes", ctypes.c_ulong),
                ("backing_pixel", ctypes.c_ulong), ("save_under", ctypes.c_int),
                ("colormap", ctypes.c_ulong), ("map_installed", ctypes.c_int),
                ("map_state", ctypes.c_int), ("all_event_masks", ctypes.c_long),
                ("your_event_mask", ctypes.c_long), ("do_not_propagate_mask", ctypes.c_long),
                ("override_redirect", ctypes.c_int), ("screen", ctypes.c_void_p)]


class Screen:
    """What a person's hand would do on a screen without a window manager: look which window is there,
    give it the keyboard, put the pointer out of the way."""

    VIEWABLE = 2

    def __init__(self, display):
        name = ctypes.util.find_library("X11")
        if not name:
            raise RunFailed("libX11 is not installed: apt-get install libx11-6")
        x = self.x = ctypes.CDLL(name)
        # a window may go while we look at it: that is no reason to die
        self.ignore = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda d, e: 0)
        x.XSetErrorHandler(self.ignore)
        x.XOpenDisplay.restype = ctypes.c_void_p
        x.XDefaultRootWindow.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(x.XOpenDisplay(display.encode()))
        if not self.display:
            raise RunFailed(f"cannot open the display {display}")
        self.root = ctypes.c_ulong(x.XDefaultRootWindow(self.display))

    def windows(self):
        """The windows one sees, the largest first: [(area, x, y, width, height, id)]."""
        root, parent, many = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
        children = ctypes.POINTER(ctypes.c_ulong)()
        self.x.XQueryTree(self.display, self.root, ctypes.byref(root), ctypes.byref(parent),
                          ctypes.byref(children), ctypes.byref(many))
        found = []
        for i in range(many.value):
            a = _Attributes()
            if self.x.XGetWindowAttributes(self.display, ctypes.c_ulong(children[i]),
                                           ctypes.byref(a)) and a.map_state == self.VIEWABLE:
                found.append((a.width * a.height, a.x, a.y, a.width, a.height, children[i]))
        if many.value:
            self.x.XFree(children)
        return sorted(found, reverse=True)

    def give_keyboard(self, window):
        """The window gets the keys, as if it had been clicked on."""
        revert_to_root = 1
        self.x.XSetInputFocus(self.display, ctypes.c_ulong(window), revert_to_root, ctypes.c_ulong(0))
        self.x.XSync(self.display, 0)

    def put_pointer(self, x, y):
        """Moves the pointer there."""
        self.x.XWarpPointer(self.display, ctypes.c_ulong(0), self.root, 0, 0, 0, 0, int(x), int(y))
        self.x.XSync(self.display, 0)

    def close(self):
        """Lets the display go."""
        self.x.XCloseDisplay(self.display)

