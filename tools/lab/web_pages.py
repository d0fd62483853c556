#!/usr/bin/python3
"""A web server with pages of text and pictures, and a browser on DISPLAY that goes from one to the next: what Lai and
Nieh's web benchmark was ("Limits of Wide-Area Thin-Client Computing", section 2.3.2). Prints "ready" when the first
page is there; ends on SIGTERM, or with the browser.

    web_pages.py --size WxH --pages-per-second N --seed N --profile FOLDER [--clicks bitmap|image]

With --clicks there is one page, and each click fetches the next picture into it: the paper's two operations that
download something (section 2.3.1).

Each page is fetched, with its pictures; when all of it is there, its marks appear (tools/marks/mark.h): the number of
the page, and when it was asked for. So the time until it is seen has the browser's own in it. The next page is asked
for a while later. Nothing is taken from the browser's caches.
"""
import argparse
import http.server
import os
import random
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib

import browser
from processes import die_with

PAGES = 54
FRAME, FRAME_END, INPUT = 1, 2, 3
PICTURE = (320, 240)  # of a click
BESIDE = 8  # pixels between it and the marks
CELL, COLUMNS = 8, 10
FINDER = (1, 0, 1, 1, 0, 0, 1, 0, 1, 0)
MOST_PICTURES = 5
WORDS = ("the network of this desktop is far away and slow but every page has to show some text beside its pictures so "
         "that a reader can follow it while the next one is on its way through a long and narrow line").split()


def crc(data):
    """CRC-16/CCITT-FALSE."""
    value = 0xffff
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xffff
    return value


def cells(kind, number, at):
    """A mark's rows of cells, 1 is white. `at` is s of the monotonic clock."""
    stamp = int(at * 1e5) & 0xffffffff or 1
    data = struct.pack(">II", kind << 28 | number & 0xfffffff, stamp)
    bits = [byte >> bit & 1 for byte in data + struct.pack(">H", crc(data)) for bit in range(7, -1, -1)]
    return [list(FINDER), *(bits[at:at + COLUMNS] for at in range(0, len(bits), COLUMNS))]


def png(width, height, rows):
    """A picture of rows of RGB bytes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    raw = b"".join(b"\0" + row for row in rows)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(
        b"IDAT", zlib.compress(raw, 6)) + chunk(b"IEND", b"")


def mark(kind, number, at):
    """A mark as a picture."""
    rows = [b"".join((b"\xff" if white else b"\0") * 3 * CELL for white in row) for row in cells(kind, number, at)]
    return png(CELL * COLUMNS, CELL * len(rows), [row for row in rows for _ in range(CELL)])


def photo(rng, width, height):
    """Something like a photograph: soft colours with some noise."""
    corners = [[rng.randrange(256) for _ in range(3)] for _ in range(4)]
    rows = []
    for y in range(height):
        left, right = ([corners[a][c] + (corners[b][c] - corners[a][c]) * y / height for c in range(3)]
                       for a, b in ((0, 2), (1, 3)))
        noise = rng.randbytes(3 * width)
        rows.append(bytes(max(0, min(255, int(left[i % 3] + (right[i % 3] - left[i % 3]) * (i // 3) / width)
                                     + noise[i] % 9 - 4)) for i in range(3 * width)))
    return png(width, height, rows)


class Site:
    """The pages and their pictures: the same for the same seed."""

    def __init__(self, size, seed):
        self.width, self.height = map(int, size.split("x"))
        rng = random.Random(seed)
        self.photos = [photo(rng, rng.randrange(120, 260), rng.randrange(90, 180)) for _ in range(24)]
        self.pages = []
        for number in range(PAGES):  # some have more text, others more pictures
            pictures = [rng.randrange(len(self.photos)) for _ in range(number % (MOST_PICTURES + 1))]
            text = [" ".join(rng.choice(WORDS) for _ in range(rng.randrange(30, 90))) for _ in range(8 - len(pictures))]
            self.pages.append((rng.choice(("#fff", "#fffbe8", "#eef4ff")), pictures, text))

    def page(self, number, period_ms):
        """The HTML of a page; the next one is asked for `period_ms` after it was."""
        colour, pictures, text = self.pages[number % PAGES]
        parts = [f"<p>{words}.</p>" for words in text]
        for at, picture in enumerate(pictures):
            parts.insert(2 * at, f'<img class="photo" src="/photo/{picture}?{number}">')
        corners = (("frame", FRAME, "left:0;top:0"), ("end", FRAME_END, f"left:{self.width - CELL * COLUMNS}px;"
                                                      f"top:{self.height - CELL * (len(FINDER) - 1)}px"))
        marks = "".join(f'<img class="mark" src="/mark/{kind}/{number}" style="{place}">' for _, kind, place in corners)
        return (f"<!doctype html><meta charset=utf-8><title>Page {number}</title><style>"
                f"body{{margin:0;width:{self.width}px;height:{self.height}px;overflow:hidden;background:{colour};"
                "font:15px/1.35 sans-serif;position:relative}"
                "p,h1{margin:6px 90px}.photo{margin:4px 0 4px 90px;vertical-align:top}"
                ".mark{position:absolute;visibility:hidden}</style>"
                f"<body><h1>Page {number % PAGES + 1} of {PAGES}</h1>{''.join(parts)}{marks}<script>"
                f"const began = performance.now(), next = '/page/{number + 1}';"
                "addEventListener('load', () => {for (const m of document.querySelectorAll('.mark')) "
                "m.style.visibility = 'visible';"
                f"fetch('/seen/{number}');"
                f"setTimeout(() => fetch('/next/{number + 1}').then(() => location.replace(next)), "
                f"Math.max({period_ms} - (performance.now() - began), 0));"
                "});</script>").encode()


class Clicks:
    """The page whose picture changes with each click."""

    def __init__(self, kind, seed):
        rng, (width, height) = random.Random(seed), PICTURE
        self.pictures = [photo(rng, width, height) for _ in range(2)] if kind == "image" else [
            png(width, height, [colour * width] * height) for colour in (b"\xff\xff\xff", b"\xff\0\0")]

    def page(self):
        """Its HTML. A click shows how many there were, asks for the next picture, and when that is drawn its marks."""
        width, height = PICTURE
        side = CELL * COLUMNS
        places = {"frame": (0, 0), "end": (0, height - CELL * (len(FINDER) - 1)), "area": (side + BESIDE, 0),
                  "input": (side + width + 2 * BESIDE, 0)}
        at = "".join(f"#{name}{{left:{left}px;top:{top}px}}" for name, (left, top) in places.items())
        return ("<!doctype html><meta charset=utf-8><title>Clicks</title><style>body{margin:0;background:#fff}"
                f"img{{position:absolute}}{at}</style><body><img id=area src=/picture/0><img id=frame src=/mark/1/0>"
                "<img id=end src=/mark/2/0><img id=input src=/mark/3/0><script>"
                "let count = 0;"
                "const fetched = async (id, src) => {const i = new Image(); i.id = id; i.src = src; await i.decode(); "
                "return i;};"
                "const put = images => {for (const i of images) document.getElementById(i.id).replaceWith(i);};"
                "addEventListener('load', () => fetch('/seen/0'));"
                "addEventListener('mousedown', async () => {const n = ++count; await fetch('/next/' + n);"
                "put([await fetched('input', '/mark/3/' + n)]);"
                "put([await fetched('area', '/picture/' + n)]);"
                "put(await Promise.all([fetched('frame', '/mark/1/' + n), fetched('end', '/mark/2/' + n)]));});"
                "</script>").encode()


class Handler(http.server.BaseHTTPRequestHandler):
    """What the browser asks for."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """One of /page/N, /mark/KIND/N, /photo/N, /picture/N, /seen/N, and /next/N: the page N is about to be asked
        for. From then on its time counts, because the browser may change the screen before its question comes."""
        _, what, *rest = self.path.partition("?")[0].split("/")
        server, kind, content = self.server, "image/png", b""
        try:
            if what == "page":
                server.asked.setdefault(int(rest[0]), time.monotonic())
                content = server.site.page() if server.clicks else server.site.page(int(rest[0]), server.period_ms)
                kind = "text/html"
            elif what == "mark":
                content = mark(int(rest[0]), int(rest[1]), server.asked[int(rest[1])])
            elif what == "photo":
                content = server.site.photos[int(rest[0])]
            elif what == "picture":
                content = server.site.pictures[int(rest[0]) % 2]
            elif what == "next":
                server.asked[int(rest[0])] = time.monotonic()
            elif what == "seen":
                server.seen.set()
            else:
                raise KeyError(what)
        except (ValueError, IndexError, KeyError, AttributeError):
            self.send_error(404)
            return
        self.send_response(200)
        for name, value in (("Content-Type", kind), ("Content-Length", len(content)), ("Cache-Control", "no-store")):
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Nothing."""


def serve(site, period_ms):
    """A server that has begun; what was asked for when is in `asked`, and `seen` is set with the first page."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.site, server.period_ms, server.asked, server.seen = site, period_ms, {}, threading.Event()
    server.clicks = isinstance(site, Clicks)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main(argv):
    """The exit status."""
    parser = argparse.ArgumentParser(prog="web_pages.py")
    parser.add_argument("--size", required=True)
    parser.add_argument("--pages-per-second", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--profile", required=True)
    parser.add_argument("--clicks", choices=("bitmap", "image"))
    options = parser.parse_args(argv)
    site = Clicks(options.clicks, options.seed) if options.clicks else Site(options.size, options.seed)
    server = serve(site, round(1000 / options.pages_per_second))
    argv = browser.command(options.size, options.profile, [], f"http://127.0.0.1:{server.server_port}/page/0")
    env = {**os.environ, "HOME": options.profile}
    os.makedirs(options.profile, mode=0o700)
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=sys.stderr, env=env,
                               preexec_fn=die_with(os.getpid()))
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    while not server.seen.wait(0.1):
        if process.poll() is not None:
            break
    else:
        print("ready", flush=True)
    process.wait()
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
