"""Chromium for a run: of its own, without a graphics card, and asking nobody for updates. noVNC is shown in it at the
viewer's end, and web pages at the server's."""
import os

PROGRAM = "chromium"
PROGRAMS = {PROGRAM: "chromium"}  # -> Debian package

# It shows the page and nothing else. There is no window manager that tells it that it can be seen.
_OPTIONS = ("--kiosk", "--window-position=0,0", "--no-first-run", "--no-default-browser-check",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            "--disable-breakpad", "--disable-gpu", "--disable-renderer-backgrounding",
            "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows")


def command(size, profile, options, address):
    """Its argument list; `profile` is a folder that is new. As root it has no sandbox."""
    return [PROGRAM, *_OPTIONS, "--window-size=" + size.replace("x", ","),
            *(["--no-sandbox"] if os.geteuid() == 0 else []), f"--user-data-dir={profile}", *options, address]
