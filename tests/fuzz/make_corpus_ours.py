#!/usr/bin/env python3
"""Writes the seed corpora of what is no stream of a server's or a client's: words, the command line,
files that the viewer keeps, messages between a session and its owner, a message of the extended
clipboard, the handshake, and the accelerator's file. The first byte says which kind an input is.
"""

import pathlib
import struct
import sys
import zlib

SHA = b":".join(b"%02X" % n for n in range(32))
WORDS = {
    "address": b"ahost:1",
    "address-port": b"a[2001:db8::1%eth0]::5901",
    "address-scope": b"a::59%0:5a]:55551",
    "address-socket": b"a/run/user/0/vnc",
    "address-link": b"avnc://host:5901",
    "gateway": b"gme@gate.example:22",
    "gateway-command": b"gssh -L %L:%H:%R %G",
    "repeater": b"rID:1234",
    "fingerprint": b"f" + SHA,
    "security": b"lX509Vnc,TLSVnc RA2,None",
    "encodings": b"ltight,copyrect zrle",
    "place": b"w800x600-10+20",
    "scale": b"w150%",
    "monitors": b"w1,3",
    "menu-key": b"wPage_Up",
    "file": b"ufile://localhost/home/me/a%20b.vnc",
    "text": "tn\u00e4me \u202e\x1b[31m\r\n\r".encode(),
}

TIGERVNC = b"TigerVNC Configuration file Version 1.0\n\nServerName=host:1\nViewOnly=1\nQualityLevel=3\n"
OPTIONS = {
    "address": b"host:1\n",
    "many": b"--prp\n40\n-ViewOnly\n--quality=3\n-FullScreen=0\n--window\n1M\n--encodings\nzrle,raw\n[::1]:1\n",
    "headless": b"--headless\n--duration\n3\n--json\n-\n--log=run.log\nhost::5901\n",
    "way": b"--via\nme@gate\n--security-types\nX509Vnc\n--x509-ca\n/ca.pem\nhost\n",
    "repeater": b"--repeater\nhost:5901\nID:1234\n",
    "listen": b"--listen\n5500\n",
    "link": b"vnc://host:5901/?ViewOnly=1&ConnectionName=x\n",
    "file": b"FILE.tigervnc\n\n" + TIGERVNC,
    "file-ini": b"--alert-on-fatal-error=0\nFILE.vnc\n\n[connection]\nhost=h\nport=5901\n[options]\nviewonly=1\n",
    "profile": b"--profile\np\n\nserver = host:1\nquality 3\n--view-only\n",
    "foreign": b"-AutoSelect=0\n-PreferredEncoding\nZRLE\n-Log\n*:stderr:30\n-geometry\n800x600+1+2\nhost\n",
    "help": b"--help\n",
}

KNOWN = b"# mine\nhost 5901 " + SHA + b" 2026-11-22\n/run/vnc 0 " + SHA + b" 2026-11-21\nbad line\n"
KEPT = {
    "known": b"k" + KNOWN,
    "hosts": b"hhost 5901 8 1 1920 1080 0\nother 5900 3 2 64 48 1\n",
    "recent": b"rhost\tits name\nother:1\t\n\nP6\n2 1\n255\nabcdef",
    "password": b"w" + bytes(range(8)),
}


def event(kind, bulk=b"", width=0, height=0, hot_x=0, hot_y=0, failure=0, leds=0):
    return b"e" + struct.pack("=IIiiiiII", kind, len(bulk), width, height, hot_x, hot_y, failure, leds) + bulk


def command(kind, bulk=b"", keysym=0, down=0, x=0, y=0, buttons=0, code=0):
    return b"c" + struct.pack("=IIIIiiII", kind, len(bulk), keysym, down, x, y, buttons, code) + bulk


def text(s, size):
    return s.ljust(size, b"\0")


def question(kind, channel, acceptable=0, sha256=bytes(32), faults=b"", way=0, gateway=b""):
    head = struct.pack("=6I", 1, kind, channel, 5901, way, acceptable)
    return head + sha256 + text(b"host", 256) + text(gateway, 256) + text(faults, 640)


def answer(verdict, user=b"", password=b"", reason=b""):
    return struct.pack("=II", 1, verdict) + text(user, 1024) + text(password, 1024) + text(reason, 640)


MESSAGES = {
    "connected": event(0, b"name\0", 64, 48),
    "resized": event(1, b"", 80, 60),
    "name": event(2, "n\u00e4me\0".encode()),
    "cursor": event(3, bytes(24), 3, 2, 1, 1),
    "leds": event(4, leds=7),
    "key-codes": event(5),
    "bell": event(7),
    "cut-text": event(8, b"a\nb\0"),
    "notice": event(9, b"not done\0"),
    "question-password": event(10, question(0, 0)),
    "question-way": event(10, question(1, 1, way=1, gateway=b"me@gate")),
    "question-trust": event(10, question(2, 2, 1, bytes(range(32)), b"it has expired")),
    "closed": event(11, b"the server closed the connection\0", failure=5),
    "key": command(0, keysym=0xFF0D, down=1, code=28),
    "pointer": command(1, x=63, y=47, buttons=257),
    "copied": command(2, b"text\0"),
    "answer": command(3, answer(1, b"me", b"secret")),
    "answer-refused": command(3, answer(0, reason=b"nobody to ask")),
    "tune": command(4, struct.pack("=3I", 6, 1, 40000)),
    "watch": command(6, down=1),
    "resize": command(8, x=800, y=600),
    "stop": command(9),
}


def flags(n, body=b""):
    return struct.pack(">I", n) + body


def u32(n):
    return struct.pack(">I", n)


CLIPBOARD = {
    "caps": b"m" + flags(0x1F000003, u32(1 << 20) + u32(0)),
    "notify": b"m" + flags(0x08000001),
    "request": b"m" + flags(0x02000001),
    "provide": b"m" + flags(0x10000001, zlib.compress(u32(6) + b"a\r\nb\xff\0")),
    "packed": b"z" + flags(0x10000001, u32(6) + b"a\r\nb\xff\0"),
    "packed-two": b"z" + flags(0x10000003, u32(2) + b"a\0" + u32(2) + b"b\0"),
    "packed-long": b"z" + flags(0x10000001, u32(0xFFFFFFFF) + b"too long"),
}

NONE, VNC, BOTH, PLAIN, ALL = b"\0", b"\x11", b"\x12", b"\x13", b"\x1a"
EARLY = b"\x20"
V3, V7, V8, OK = b"RFB 003.003\n", b"RFB 003.007\n", b"RFB 003.008\n", u32(0)
INIT = struct.pack(">HH", 64, 48) + struct.pack(">4B3H3B3x", 32, 24, 0, 1, 255, 255, 255, 16, 8, 0)
INIT += u32(4) + b"name"
HANDSHAKE = {
    "none-3": NONE + V3 + u32(1) + INIT,
    "none-7": NONE + V7 + b"\1\1" + INIT,
    "none-8": NONE + V8 + b"\1\1" + OK + INIT,
    "none-early": EARLY + V8 + b"\1\1" + OK + INIT,
    "vnc-3": VNC + V3 + u32(2) + b"c" * 16 + OK + INIT,
    "vnc-8": VNC + V8 + b"\2\2\1" + b"c" * 16 + OK + INIT,
    "vnc-early": b"\x31" + V8 + b"\1\2" + b"c" * 16 + OK + INIT,
    "vnc-refused": VNC + V8 + b"\1\2" + b"c" * 16 + u32(1) + u32(5) + b"wrong",
    "plain": PLAIN + V8 + b"\1\x13" + b"\0\2\0\1" + u32(256) + OK + INIT,
    "vencrypt-old": PLAIN + V8 + b"\1\x13" + b"\0\1\1",
    "vencrypt-tls": ALL + V8 + b"\2\1\x13" + b"\0\2\0\3" + u32(257) + u32(260) + u32(262) + b"\1\x16\3\3\0\4\0\0\0\0",
    "tls": b"\x14" + V8 + b"\1\x12" + b"\x16\3\3\0\4\0\0\0\0",
    "tight": BOTH + V8 + b"\1\x10" + u32(0) * 2 + OK + INIT,
    "refused": NONE + V8 + b"\0" + u32(4) + b"busy",
    "refused-3": NONE + V3 + u32(0) + u32(0xFFFFFFFF) + b"busy",
    "other": NONE + b"HTTP/1.1 400 Bad Request\r\n",
}



def record(body):
    return bytes([len(body)]) + body


TLS_NONE, TLS_VNC, TLS_PLAIN, X509_NONE, X509_VNC, X509_PLAIN, TLS_OLD = map(bytes, zip(range(7)))
EMPTY, WARNING, FATAL, CLOSE, ANEW, NEW_KEYS = (bytes([0xC0 + n]) for n in range(6))
INSIDE = record(OK) + record(INIT)
TLS = {
    "none": TLS_NONE + INSIDE + record(b"\0\0\0\1"),
    "none-bytes": TLS_NONE + b"".join(record(bytes([b])) for b in OK + INIT),
    "vnc": TLS_VNC + record(b"c" * 16) + INSIDE,
    "plain": TLS_PLAIN + INSIDE + CLOSE,
    "x509": X509_NONE + INSIDE + NEW_KEYS + record(b"after") + CLOSE,
    "x509-vnc": X509_VNC + record(b"c" * 16) + INSIDE + EMPTY + WARNING + record(b"after"),
    "x509-plain": X509_PLAIN + INSIDE + b"\x42" + b"l" * 512,
    "old": TLS_OLD + record(b"\1\1") + INSIDE,
    "old-vnc": TLS_OLD + record(b"\2\2\1") + record(b"c" * 16) + INSIDE,
    "anew": TLS_NONE + INSIDE + ANEW + record(b"after"),
    "refused": TLS_NONE + record(u32(1) + u32(4) + b"busy") + CLOSE,
    "fatal": TLS_NONE + record(OK) + FATAL,
    "below": X509_NONE + INSIDE + b"\x86\x17\3\3\0\1x" + record(b"after"),
}

ACCELERATOR = {
    "one": b"[accelerator]\nclients = 9\nhold = 64\n\n[desk]\nlisten = 5910\nserver = localhost:1\n",
    "repeater": b"[repeater]\nlisten = 0.0.0.0:5500\nid.1234 = localhost:1\nid.99999999999999999999 = host\n",
    "listen": b"[a]\nlisten = [::1]:5911\nserver = [::1]:1\n[b]\nlisten = *:5912\nserver = /run/vnc\n",
    "settings": b"[accelerator]\ncongestion = cubic\naccelerate = no\nmetrics = 9100\ndrain = 0\n; end\n",
    "refused": b"[accelerator]\nclients = many\n",
}

if __name__ == "__main__":
    here = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    for folder, inputs in {
        "words": WORDS, "options": OPTIONS, "kept": KEPT, "messages": MESSAGES, "clipboard": CLIPBOARD,
        "handshake": HANDSHAKE, "tls": TLS, "accelerator": ACCELERATOR,
    }.items():
        (here / f"corpus-{folder}").mkdir(exist_ok=True)
        for name, content in inputs.items():
            (here / f"corpus-{folder}" / name).write_bytes(content)
