"""What is shown on a desktop: the scenes of vnchl-lab-content, a film played by a real player, and pages in a real
browser.

docs/lab-content.md describes each scene.
"""
import os
import subprocess
import sys

import browser
from processes import RunFailed, last_line, wait_until

DRAWN = ("video", "starts", "inactive", "typing", "scrolling", "drag", "pages",
         "writing", "terminal", "browsing", "windows", "captions",
         "letter", "scroll", "fill", "bitmap", "image", "menu")
FILM = "film"
BROWSER = "browser"
CLICKS = {"fetched-bitmap": "bitmap", "fetched-image": "image"}  # in it
IN_BROWSER = (BROWSER, *CLICKS)
SCENES = DRAWN + (FILM, *IN_BROWSER)
FILM_SIZE, FILM_FPS = "352x240", 24  # of the file that make-video.sh makes
READY_LIMIT = 20  # s
ENCODING_LIMIT = 120  # s
PAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "web_pages.py")
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "content")


def can_be_drawn(settings):
    """Whether the eye can draw what is shown: the scenes of vnchl-lab-content, which the guest in QEMU
    draws, too. The demo server writes its frame rate into its film."""
    return settings["content"]["scene"] in DRAWN and settings["server"] != "demo"


def programs(settings):
    """What a scene needs of other people: program -> Debian package."""
    if settings["content"]["scene"] == FILM:
        return {"ffmpeg": "ffmpeg", "mpv": "mpv", "xdotool": "xdotool"}
    return browser.PROGRAMS if settings["content"]["scene"] in IN_BROWSER else {}


def _film(desk, env):
    """The film's file, made when it is first needed and kept beside the programs."""
    path = os.path.join(os.path.dirname(desk.tools["content"]), "film.mpg")
    if not os.path.exists(path):
        try:
            made = subprocess.run([os.path.join(SCRIPTS, "make-video.sh"), path], env=env, text=True,
                                  capture_output=True, timeout=ENCODING_LIMIT, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise RunFailed(f"the film cannot be made: {error}") from None
        if made.returncode != 0:
            raise RunFailed(f"the film cannot be made: {made.stderr.strip().splitlines()[0]}"
                            if made.stderr.strip() else "the film cannot be made")
    return path


def display_file(folder):
    """Where the X display's name is to stand, for a content that waits for it."""
    return os.path.join(folder, "x-display")


def _command(desk, env):
    settings, content = desk.settings, desk.settings["content"]
    if content["scene"] == FILM:
        return [os.path.join(SCRIPTS, "play-video.sh"), _film(desk, env),
                f"{content['fps'] / FILM_FPS:g}"]
    if content["scene"] in IN_BROWSER:
        clicks = content["scene"] in CLICKS
        return [sys.executable, "-B", PAGES, "--size", settings["geometry"] if clicks else content["size"],
                "--pages-per-second", f"{content['fps']:g}", "--seed", str(settings["seed"]), "--profile",
                os.path.join(desk.folder, "pages-home"), *(["--clicks", CLICKS[content["scene"]]] if clicks else [])]
    return [desk.tools["content"], content["scene"], "--size", content["size"], "--fps",
            f"{content['fps']:g}", "--seed", str(settings["seed"])]


def wait(desk):
    """Waits until the content is drawn."""
    log = desk.log("content")

    def ready():
        with open(log, encoding="utf-8", errors="replace") as file:
            return any(line.strip() == "ready" for line in file)

    if not wait_until(ready, READY_LIMIT, [desk.content]):
        raise RunFailed(f"the content did not start: {last_line(log)}")


def show(desk, display):
    """Starts the content on an X display and waits until it is drawn."""
    env = {**os.environ, "DISPLAY": f":{display}", "VNCHL_LAB_CONTENT": desk.tools["content"]}
    desk.content = desk.run(_command(desk, env), "content", env)
    wait(desk)


def show_far(desk, log="content", **variables):
    """Starts the content, which waits until display_file() names an X display across the link. No other
    program is the server: its options are the content's."""
    env = {**os.environ, "VNCHL_LAB_CONTENT": desk.tools["content"], **variables}
    desk.content = desk.run([os.path.join(SCRIPTS, "on-display.sh"), display_file(desk.folder),
                             *_command(desk, env), *desk.settings["server_options"]], log, env)
