#!/usr/bin/env python3
"""Writes the seed corpora of what is no stream of a server's or a client's: words, the command line,
files that the viewer keeps, messages between a session and its owner, a message of the extended
clipboard, the handshake, the accelerator's file, and what passes through it. The first byte says which kind an input is.
"""

import hashlib
import struct
import zlib

import corpus

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
    "hosts-tls": b"hhost 5901 8 19.261 1920 1080 0 7 4096 1795000000 1795000000\n",
    "recent": b"rhost\tits name\nother:1\t\n\nP6\n2 1\n255\nabcdef",
    "password": b"w" + bytes(range(8)),
}


def event(kind, bulk=b"", width=0, height=0, hot_x=0, hot_y=0, failure=0, leds=0):
    return b"e" + struct.pack("=IIiiiiII", kind, len(bulk), width, height, hot_x, hot_y, failure, leds) + bulk


def command(kind, bulk=b"", keysym=0, down=0, x=0, y=0, buttons=0, code=0):
    return b"c" + struct.pack("=IIIIiiII", kind, len(bulk), keysym, down, x, y, buttons, code) + bulk


def text(s, size):
    return s.ljust(size, b"\0")


def question(kind, channel, proof, acceptable=0, sha256=bytes(32), faults=b"", way=0, gateway=b"", brief=b""):
    head = struct.pack("=7I", 1, kind, channel, proof, 5901, way, acceptable) + sha256 + text(brief, 24)
    shown = text(b"CN=host", 256) + text(b"2026-11-22 14:05 UTC", 32) if faults else bytes(256 + 32)
    return head + text(b"host", 256) + text(gateway, 512) + text(faults, 640) + shown


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
    "question-password": event(10, question(0, 0, 1)),
    "question-dh": event(10, question(1, 0, 3)),
    "question-way": event(10, question(1, 2, 2, way=1, gateway=b"me@gate")),
    "question-trust": event(10, question(2, 4, 0, 1, bytes(range(32)), b"it has expired")),
    "question-key": event(10, question(2, 3, 0, 1, bytes(range(32)), b"nobody vouches for it", brief=b"01-ab")),
    "steps": event(12, width=1),
    "closed": event(14, b"the server closed the connection\0", failure=5),
    "key": command(0, keysym=0xFF0D, down=1, code=28),
    "pointer": command(1, x=63, y=47, buttons=257),
    "copied": command(2, b"text\0"),
    "answer": command(3, answer(1, b"me", b"secret")),
    "answer-refused": command(3, answer(0, reason=b"nobody to ask")),
    "tune": command(4, struct.pack("=3I", 6, 1, 40000)),
    "watch": command(6, down=1),
    "resize": command(8, x=800, y=600),
    "stop": command(9),
    "step": command(10, x=-7, y=3, buttons=1),
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

NONE, VNC, BOTH, PLAIN, ALL, DH = b"\0", b"\x11", b"\x12", b"\x13", b"\x1a", b"\x1b"
EARLY = b"\x20"
V3, V7, V8, OK = b"RFB 003.003\n", b"RFB 003.007\n", b"RFB 003.008\n", u32(0)
INIT = struct.pack(">HH", 64, 48) + struct.pack(">4B3H3B3x", 32, 24, 0, 1, 255, 255, 255, 16, 8, 0)
INIT += u32(4) + b"name"
# Apple's login: a generator, an odd number instead of a prime, and a key.
NUMBERS = struct.pack(">HH", 2, 128) + b"\xff" * 128 + b"\x55" * 128
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
    "vencrypt-early": b"\x24" + V8 + b"\1\x13" + b"\0\2\0\1" + u32(257) + b"\1\x16\3\3\0\4\0\0\0\0",
    "vencrypt-early-other": b"\x2a" + V8 + b"\1\x13" + b"\0\2\0\1" + u32(258) + b"\1\x16\3\3\0\4\0\0\0\0",
    "vencrypt-early-waits": b"\xa7" + V8 + b"\1\x13" + b"\0\2\0\1" + u32(260) + b"\1\x16\3\3\0\4\0\0\0\0",
    "plain-early": b"\x33" + V8 + b"\1\x13" + b"\0\2\0\1" + u32(256) + OK + INIT,
    "dh": DH + V8 + b"\2\x21\x1e" + NUMBERS + OK + INIT,
    "dh-7": ALL + V7 + b"\1\x1e" + NUMBERS + OK + INIT,
    "dh-early": b"\x3b" + V8 + b"\1\x1e" + NUMBERS + OK + INIT,
    "dh-nobody": b"\x0b" + V8 + b"\1\x1e" + NUMBERS + OK + INIT,
    "dh-refused": DH + V8 + b"\1\x1e" + NUMBERS + u32(1) + u32(5) + b"wrong",
    "dh-zeros": DH + V8 + b"\1\x1e" + b"\0\2\0\x81\0" + b"\xff" * 128 + b"\0" * 128 + b"\2" + OK + INIT,
    "dh-short": DH + V8 + b"\1\x1e" + b"\0\2\0\x10" + b"\xff" * 16 + b"\x55" * 16 + OK + INIT,
    "dh-long": DH + V8 + b"\1\x1e" + b"\0\2\xff\xff" + b"\xff" * 9,
    "dh-even": DH + V8 + b"\1\x1e" + b"\0\2\0\x80" + b"\xff" * 127 + b"\xfe" + b"\x55" * 128 + OK + INIT,
    "dh-zero": DH + V8 + b"\1\x1e" + b"\0\2\0\x80" + b"\0" * 256 + OK + INIT,
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
    "none-early": b"\x80" + INSIDE + record(b"\0\0\0\1"),
    "vnc-early": b"\x81" + record(b"c" * 16) + INSIDE,
    "plain-early": b"\x82" + INSIDE + CLOSE,
    "x509-early": b"\x83" + INSIDE + NEW_KEYS + record(b"after"),
    "x509-vnc-early": b"\x84" + record(b"c" * 16) + INSIDE + EMPTY,
    "x509-plain-early": b"\x85" + INSIDE,
    "old-early": b"\x86" + record(b"\1\2") + record(b"c" * 16) + INSIDE,
    "old-early-other": b"\x86" + record(b"\1\1") + INSIDE,
    "below": X509_NONE + INSIDE + b"\x86\x17\3\3\0\1x" + record(b"after"),
}

# How far the server keeps to the protocol: 7 is as far as the proof.
def rsa(kind, steps=7, wants_user=0, early=0):
    return bytes([kind | wants_user << 2 | steps << 3 | early << 7])


RSA = {
    "ra2": rsa(0) + INSIDE + record(b"after"),
    "ra2-user": rsa(0, wants_user=1) + INSIDE + record(b"") + record(b"after"),
    "ra2ne": rsa(1) + INSIDE + record(b"after"),
    "ra2-256": rsa(2) + INSIDE + b"\x42" + b"l" * 512,
    "ra2ne-256-user": rsa(3, wants_user=1) + INSIDE,
    "ra2-early": rsa(0, early=1) + INSIDE,
    "ra2ne-256-early": rsa(3, early=1) + INSIDE,
    "bytes": rsa(2) + b"".join(record(bytes([b])) for b in OK + INIT),
    "refused": rsa(2) + record(u32(1) + u32(4) + b"busy"),
    "changed": rsa(2) + INSIDE + b"\xc3abc" + record(b"after"),
    "below": rsa(2) + INSIDE + b"\x86\0\3abcd" + record(b"after"),
    "key-0": rsa(0, 0) + record(u32(0)),
    "key-small": rsa(0, 0) + record(u32(1023)),
    "key-large": rsa(0, 0) + record(u32(8193)),
    "key-zero": rsa(0, 0) + record(u32(1024)) + b"\x41" + b"\0" * 256,
    "key-ones": rsa(1, 0) + record(u32(1024)) + b"\x41" + b"\xff" * 256,
    "key-cut": rsa(2, 0) + record(u32(8192)) + b"\x41" + b"k" * 256,
    "random-none": rsa(0, 1) + record(b"\0\0"),
    "random-cut": rsa(0, 1) + record(b"\1\0" + b"r" * 60),
    "random-other": rsa(2, 1) + record(b"\1\0") + b"\x41" + b"\0" + b"r" * 255,
    "no-cipher": rsa(2, 2) + record(b"\0\x20" + b"h" * 48),
    "hash-other": rsa(0, 3) + record(b"h" * 20) + record(b"\1"),
    "hash-256-other": rsa(2, 3) + record(b"h" * 32) + record(b"\1"),
    "hash-cut": rsa(2, 3) + record(b"h" * 31),
    "hash-changed": rsa(2, 3) + b"\xe0" + b"h" * 32,
    "kind": rsa(0, 5) + record(b"\1") + INSIDE,
    "kind-other": rsa(0, 5) + record(b"\3"),
}

ACCELERATOR = {
    "one": b"[accelerator]\nclients = 9\nhold = 64\n\n[desk]\nlisten = 5910\nserver = localhost:1\n",
    "repeater": b"[repeater]\nlisten = 0.0.0.0:5500\nid.1234 = localhost:1\nid.99999999999999999999 = host\n",
    "listen": b"[a]\nlisten = [::1]:5911\nserver = [::1]:1\n[b]\nlisten = *:5912\nserver = /run/vnc\n",
    "settings": b"[accelerator]\ncongestion = cubic\naccelerate = no\nmetrics = 9100\ndrain = 0\n; end\n",
    "refused": b"[accelerator]\nclients = many\n",
}



def server(body):
    return bytes([len(body)]) + body


def client(body):
    return bytes([128 + len(body)]) + body


RFB = b"RFB 003.008\n"
INIT = b"\0\x10\0\x08" + b"\x20\x18\0\1\0\xff\0\xff\0\xff\x10\x08\0\0\0\0" + u32(4) + b"fake"
ASK = b"\3\0\0\0\0\0\0\x10\0\x08"
UPDATE = b"\0\0\0\1" + b"\0\0\0\0\0\1\0\1" + u32(0) + b"rgbx"


def greeted(types):
    return server(RFB) + client(RFB) + server(bytes([len(types)]) + types)


def vencrypt(number, behind):
    """The server asked for its subtypes, and the client for this one."""
    return (greeted(b"\x13\2") + client(b"\x13") + server(b"\0\2") +
            server(b"\0\3" + u32(258) + u32(262) + u32(number)) + client(b"\0\2") +
            client(u32(number)) + behind)


BEHIND_PROOF = client(b"\1") + server(INIT) + client(ASK) + server(UPDATE)
SESSION = server(u32(0)) + BEHIND_PROOF
VNC = server(bytes(16)) + client(bytes(16)) + SESSION
PLAIN = client(u32(2) + u32(3) + b"mepwd") + SESSION
PASSING = {
    "none": b"\0" + greeted(b"\1") + client(b"\1") + SESSION,
    "vnc": b"\0" + greeted(b"\2") + client(b"\2") + VNC,
    "pass": b"\1" + greeted(b"\x13") + client(b"\x13") + server(b"\0\2") + client(b"\0\2"),
    "tls-vnc": b"\0" + vencrypt(258, server(b"\1") + VNC),
    "inside-vnc": b"\0" + vencrypt(2, VNC),
    "x509-plain": b"\0" + vencrypt(262, server(b"\1") + PLAIN),
    "pinned-plain": b"\2" + vencrypt(262, server(b"\1") + PLAIN),
    "pinned-lost": b"\2" + greeted(b"\2"),
    "certificate": b"\4" + vencrypt(258, server(b"\1") + VNC),
    "known-vnc": b"\x08" + greeted(b"\x13\2") + client(b"\x13\0\2" + u32(258)) + VNC,
    "known-plain": b"\x0c" + greeted(b"\x13\2") + client(b"\x13\0\2" + u32(262)) +
    server(b"\0\2") + server(b"\0\1" + u32(262)) + server(b"\1") + PLAIN,
    "refused": b"\0" + server(RFB) + client(RFB) + server(b"\0" + u32(4) + b"full"),
    "passed-on": b"\x10" + greeted(b"\x13") + client(b"\x13") + server(b"\0\2") + client(b"\0\2") +
    server(b"\0\1" + u32(261)) + client(u32(261)) + server(b"\1"),
    "proven": b"\x20" + client(RFB) + client(b"\1") + BEHIND_PROOF,
    "proven-strays": b"\x20" + client(RFB) + client(b"\2"),
    "proven-old": b"\x20" + client(b"RFB 003.003\n") + client(b"\1"),
}



def does(control, by_client=False):
    return bytes([0x80 * by_client | 0x60 | control])


def below(body, by_client=False):
    return bytes([0x80 * by_client | 0x40 | len(body)]) + body


ANONYMOUS, CERTIFICATE, WARN, ALERT, FAREWELL, AGAIN, KEYS, END, HANG_UP = range(9)


def both_greet(subtype, inside=()):
    """The server has VeNCrypt only, with these inside; the client takes this one."""
    has = list(inside) or [subtype]
    return (server(RFB) + client(RFB) + server(b"\1\x13") + client(b"\x13") + server(b"\0\2") +
            server(b"\0" + bytes([len(has)]) + b"".join(map(u32, has))) + client(b"\0\2") +
            client(u32(subtype)))


def both_legs(subtype, how, behind):
    # the server waits for TLS before it says that it may begin, else it would hear the hello as RFB
    return both_greet(subtype) + does(how) + below(b"\1") + does(how, True) + behind


OF_SERVER, OF_X509, OF_PASS, OF_KEY, OF_ANOTHER, OF_KNOWN, OF_KNOWN_KEY = (bytes([n]) for n in range(7))
MORE = server(UPDATE[:9]) + server(UPDATE[9:]) + client(ASK)
LEGS = {
    "none": OF_SERVER + greeted(b"\1") + client(b"\1") + SESSION + MORE + does(END, True),
    "viewer": OF_SERVER + both_greet(257, (257, 1)) + does(ANONYMOUS, True) + SESSION + MORE,
    "anonymous": OF_SERVER + both_legs(257, ANONYMOUS, SESSION + MORE + does(FAREWELL)),
    "x509": OF_X509 + both_legs(260, CERTIFICATE, SESSION + MORE + does(FAREWELL, True)),
    "x509-vnc": OF_X509 + both_greet(261, (258, 2)) + does(CERTIFICATE, True) + VNC,
    "plain": OF_SERVER + both_legs(259, ANONYMOUS, PLAIN),
    "pass": OF_PASS + both_legs(257, ANONYMOUS, SESSION),
    "key": OF_KEY + both_legs(260, CERTIFICATE, SESSION + MORE),
    "another-key": OF_ANOTHER + both_legs(262, CERTIFICATE, PLAIN),
    "lost-key": OF_KEY + greeted(b"\1"),
    "known": OF_KNOWN + greeted(b"\x13\2") + client(b"\x13\0\2" + u32(258)) + does(ANONYMOUS, True) + VNC,
    "known-lost": OF_KNOWN_KEY + greeted(b"\x13\2") + client(b"\x13\0\2" + u32(262)) + server(b"\0\2") +
    server(b"\0\1" + u32(258)),
    "said-plain": OF_SERVER + both_greet(257, (257, 1)) + client(RFB),
    "answered-plain": OF_SERVER + both_greet(257) + server(b"\1") + server(u32(0)),
    "half": OF_SERVER + both_greet(257, (257, 1)) + below(b"\x16\3\1\0\x40\1", True) + does(END, True),
    "anew": OF_SERVER + both_legs(257, ANONYMOUS, SESSION + does(AGAIN, True)),
    "anew-server": OF_SERVER + both_legs(257, ANONYMOUS, SESSION + does(AGAIN)),
    "keys": OF_X509 + both_legs(260, CERTIFICATE, SESSION + does(KEYS) + does(KEYS, True) + MORE),
    "no-record": OF_SERVER + both_legs(257, ANONYMOUS, SESSION + below(b"no record", True)),
    "no-record-server": OF_SERVER + both_legs(257, ANONYMOUS, SESSION + below(b"no record")),
    "alerts": OF_SERVER + both_legs(257, ANONYMOUS, does(WARN) + does(WARN, True) + SESSION + does(ALERT)),
    "gone": OF_SERVER + both_legs(257, ANONYMOUS, SESSION + does(HANG_UP) + client(ASK)),
    "unknown": OF_SERVER + both_legs(257, ANONYMOUS, SESSION + server(b"\xfe" * 20) + client(b"\xfe" * 20)),
}



def block(codec, x, y, w, h, payload, quality=0, sequence=1, generation=0):
    return struct.pack(">BBBIHHHHHH", codec, generation, quality, sequence, 0, x, y, w, h, len(payload)) + payload


def deflated(body):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(body) + packer.flush()


SIZE = bytes([63, 47])
SOLID, COPY, PALETTE, PALETTE_DEFLATED, PIXELS, PIXELS_DEFLATED, JPEG_420, JPEG_444, OLD, PREFIXED, REFERENCE = range(11)
RED = block(SOLID, 0, 0, 64, 48, b"\xff\0\0", sequence=5)
STRIP = bytes.fromhex("d651c52b0a55e94ad5c9510e9b2bb0e68a561cd158d8e8b9")
STRIP_444 = bytes.fromhex(
    "faeadedb2474ce3f3af8ea90b6e780aa17a2b7c8e0718af36a44ea854bb2ca5b71c107ea2b89c75d8eb535d48ade2e57a7a735"
    "f57520cf978542ec51e00eff008d79d529f43ae155752c2a1551f29fcab89d3d4ec8d5d0"
)


def named(w, h):
    """The digest of so many red pixels."""
    return hashlib.sha256(b"\xff\0\0" * (w * h)).digest()[:8]


def prefixed(x, w, more, body):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=bytes(2 * w))
    return struct.pack(">HH", x, w) + named(w, 16) + bytes([len(more) // 3]) + more + packer.compress(body) + packer.flush()


KEEPS = RED + block(REFERENCE, 0, 0, 64, 48, b"\1\1", sequence=6)
FORETOLD = 12
# written by rfb/blocks/foretold/foretold.c: stripes over nothing, and others over these
FORETOLD_ANEW = bytes.fromhex(
    "015019e96b7ff7ff7ff7ff700ffff0ffe80a7b746248656403a9bda4fe077efce73d394330bbce3ea3177f5aec43940002")
FORETOLD_MORE = bytes.fromhex(
    "00cce3e01cbde6fab2593d346032aaa09ef7ad1b3c365064c8ae75fffffffb06")
BLOCKS = {
    "moved": SIZE + RED + block(REFERENCE, 16, 16, 32, 32, b"\0\0\x08\0\x09" + named(32, 32), sequence=6),
    "moved-refused": SIZE + RED + block(REFERENCE, 16, 16, 32, 32, b"\0\0\x08\0\x09" + bytes(8), sequence=6),
    "kept": SIZE + KEEPS + block(SOLID, 0, 0, 16, 16, b"abc", sequence=7) + block(REFERENCE, 0, 0, 64, 48, b"\2" + named(64, 48), sequence=8),
    "kept-late": SIZE + KEEPS + block(SOLID, 0, 0, 16, 16, b"abc", sequence=9) + block(REFERENCE, 0, 0, 64, 48, b"\2" + named(64, 48), sequence=8),
    "kept-none": SIZE + RED + block(REFERENCE, 0, 0, 64, 48, b"\2" + bytes(8), sequence=8),
    "prefixed": SIZE + RED + block(PREFIXED, 16, 16, 32, 16, prefixed(0, 64, b"\0\xff\0", b"\x5a" * 64), sequence=6),
    "foretold": SIZE + block(FORETOLD, 16, 16, 32, 32, FORETOLD_ANEW, sequence=6) + block(FORETOLD, 0, 0, 48, 48, FORETOLD_MORE, sequence=7),
    "foretold-refused": SIZE + block(FORETOLD, 0, 0, 48, 48, FORETOLD_MORE, sequence=7) + block(FORETOLD, 16, 16, 32, 32, FORETOLD_ANEW, sequence=8),
    "solid": SIZE + RED,
    "late": SIZE + RED + block(SOLID, 0, 0, 64, 16, b"\0\xff\0", sequence=4) + block(0x80, 0, 0, 16, 16, b"abc", sequence=6),
    "some": SIZE + block(SOLID, 16, 0, 16, 16, b"abc", sequence=9) + block(PALETTE, 0, 0, 48, 16, b"\1" + bytes(6) + b"\x5a" * 96),
    "copy": SIZE + RED + block(COPY, 16, 16, 32, 32, b"\0\x08\0\x09", sequence=6),
    "copy-some": SIZE + block(SOLID, 32, 16, 16, 16, b"abc", sequence=9) + block(COPY, 16, 16, 48, 32, bytes(4), sequence=6),
    "old": SIZE + RED + block(OLD, 16, 16, 48, 32, b"\0", sequence=6) + block(COPY, 0, 0, 8, 8, b"\0\x20\0\x20", sequence=7),
    "old-some": SIZE + block(SOLID, 16, 0, 16, 16, b"abc", sequence=9) + block(OLD, 0, 0, 64, 16, b"\0", sequence=6) + block(OLD, 0, 0, 64, 16, b"\1" + bytes(32)),
    "old-none": bytes([62, 47]) + block(OLD, 0, 0, 63, 48, b"\0"),
    "palette": SIZE + block(PALETTE, 0, 0, 16, 16, b"\2" + bytes(range(9)) + b"\x1a" * 64),
    "palette-16": SIZE + block(PALETTE, 48, 32, 16, 16, b"\x0f" + bytes(range(48)) + b"\x2f" * 128),
    "palette-deflated": SIZE + block(PALETTE_DEFLATED, 0, 32, 64, 16, b"\x1f" + deflated(bytes(range(96)) + bytes(range(32)) * 32)),
    "pixels": SIZE + block(PIXELS, 0, 0, 16, 16, bytes(range(256)) * 3),
    "left": SIZE + block(PIXELS_DEFLATED, 0, 0, 32, 16, b"\0" + deflated(bytes(range(192)) * 8)),
    "up": SIZE + block(PIXELS_DEFLATED, 0, 0, 32, 16, b"\1" + deflated(bytes(range(192)) * 8)),
    "paeth": SIZE + block(PIXELS_DEFLATED, 0, 0, 32, 16, b"\2" + deflated(bytes(range(192)) * 8)),
    "jpeg": bytes([19, 15]) + block(JPEG_420, 0, 0, 20, 16, STRIP, 30),
    "jpeg-444": bytes([19, 15]) + block(JPEG_444, 0, 0, 20, 16, STRIP_444, 90),
    "generation": SIZE + block(SOLID, 0, 0, 16, 16, b"abc", generation=1),
}



def rectangle(x, y, w, h, encoding):
    return struct.pack(">HHHHi", x, y, w, h, encoding)


def update(*rectangles):
    return struct.pack(">BBH", 0, 0, len(rectangles)) + b"".join(rectangles)


DESKTOP_SIZE, LAST_RECT, X_CURSOR, RICH_CURSOR, KEY_CODES, LEDS, STEPS = -223, -224, -240, -239, -258, -261, -257
NAME, SCREENS, ALPHA_CURSOR, BUTTONS, TIMESTAMP, IDENTITY = -307, -308, -314, -316, -1000, -0x1FFFD
SHOWS = rectangle(0, 0, 25, 0, 0x56484C41) + b"congestion=bbr blocks=1-1"
GREY = rectangle(0, 0, 64, 48, 0) + b"\x40\x40\x40\0" * (64 * 48)
SMALL = rectangle(8, 8, 4, 2, 0) + b"rgbx" * 8
SCREEN = b"\1\0\0\0" + struct.pack(">IHHHHI", 7, 0, 0, 32, 16, 0)
NAMED = rectangle(0, 0, 0, 0, NAME) + u32(4) + b"name"
RICH = rectangle(1, 2, 3, 2, RICH_CURSOR) + b"rgbx" * 6 + b"\xe0\xa0"
SHAPES = (RICH, rectangle(0, 0, 9, 2, X_CURSOR) + b"\xff\0\0\0\xff\0" + b"\xaa" * 8,
          rectangle(1, 1, 2, 2, ALPHA_CURSOR) + u32(0) + b"\x7f" * 16, rectangle(0, 0, 0, 0, RICH_CURSOR))
TEXT = b"\3\0\0\0" + u32(4) + b"text"
CAPS = b"\3\0\0\0" + struct.pack(">i", -8) + flags(0x1F000001, u32(0))
PUSHER_SERVER = {
    "picture": update(GREY) + update(SMALL),
    "bells": b"\2\2" + TEXT + CAPS + b"\1\0\0\0\0\1" + bytes(6) + b"\x96",
    "shapes": update(*SHAPES) + update(GREY, RICH, SMALL),
    "last": struct.pack(">BBH", 0, 0, 0xFFFF) + NAMED + rectangle(0, 0, 0, 0, LAST_RECT) + b"\2",
    "size": update(GREY) + update(rectangle(0, 0, 32, 16, DESKTOP_SIZE), SMALL) + update(SMALL),
    "screens": update(rectangle(0, 0, 32, 16, SCREENS) + SCREEN, NAMED) + update(SMALL),
    "refused": update(rectangle(1, 3, 64, 48, SCREENS) + SCREEN) + update(SMALL),
    "kinds": update(rectangle(0, 0, 0, 0, TIMESTAMP) + bytes(8), rectangle(0, 0, 4, 0, IDENTITY) + b"some", SHOWS),
    "takes": update(rectangle(0, 0, 0, 0, KEY_CODES), rectangle(0, 0, 0, 0, BUTTONS), rectangle(0, 0, 0, 0, LEDS) + b"\5"),
    "steps": update(rectangle(0, 0, 64, 48, STEPS), rectangle(1, 0, 64, 48, STEPS)),
    "fence": b"\xf8\0\0\0" + u32(0x80000001) + b"\4load" + update(SMALL),
    "copy": update(GREY) + update(rectangle(16, 16, 8, 8, 1) + bytes(4)),
    "half": update(GREY)[:500],
}


def cut(text):
    return b"\6\0\0\0" + u32(len(text)) + text


A = b"\4\1\0\0\0\0\0a"
WISHES = b"\xc8\1\0\0\xff\3" + bytes(6)
ACK = b"\xc8\0\1\0" + u32(1) + u32(0)
# of the tame server's picture, 64 x 48: tiles of 16 x 16 with digests of one byte, so that some are the same by chance
DIGESTS = b"\xc8\6\0\1" + struct.pack(">3H", 64, 48, 16) + b"k" * 16
TAME = b"\xc8\6\14\1" + bytes(range(12))
OTHER = b"\xc8\6\0\10" + struct.pack(">3H", 128, 100, 64) + b"k" * 16 + b"\xc8\6\2\10" + bytes(16)
PUSHER_VIEWER = {
    "had": DIGESTS + TAME + A + ACK,
    "had-not": WISHES + DIGESTS + A,
    "had-other": OTHER + OTHER[-20:] + A,
    "had-twice": DIGESTS + TAME + A + DIGESTS + TAME + A,
    "keys": A + b"\4\0\0\0\0\0\0a" + b"\xff\0\0\1" + u32(97) + u32(30),
    "pointer": b"\5\1\0\x10\0\x20" + b"\5\x81\0\x10\0\x20",
    "text": cut(b"text") + A + cut(b""),
    "caps": b"\6\0\0\0" + struct.pack(">i", -8) + flags(0x1F000001, u32(0)) + A,
    "half": cut(b"t" * 400)[:200],
    "blocks": WISHES + ACK * 3 + b"\xc8\1\0\0\x09\7" + struct.pack(">HI", 300, 9000) + WISHES,
    "asks": b"\3\0" + bytes(4) + b"\0\x40\0\x30" + b"\3\0\0\5\0\6\0\1\0\1" + b"\3\1" + bytes(8),
    "size": b"\xfb\0\0\x20\0\x10\1\0" + SCREEN[4:],
    "format": b"\0\0\0\0" + struct.pack(">4B3H3B3x", 32, 24, 0, 1, 255, 255, 255, 16, 8, 0),
    "encodings": b"\2\0\0\2" + u32(0) + u32(0x56484201) + b"\x96\1" + bytes(8) + b"\xf8\0\0\0" + u32(1) + b"\0",
    "foreign": b"\xfa\0\1\2" + b"\x08\1\0\0" + b"\xfd\x81\0\4abcd" + b"\x0b\0\0\0" + u32(2) + b"hi",
    "unknown": A + b"\xfe",
    "goodbye": A + b"\xc8\3\0\0" + A,
}
# what the newcomer says before: version, type None, "shared"; then its encodings, among them the blocks
COMES = b"RFB 003.008\n\1\1"
TAKES = b"\2\0\0\2" + u32(0) + u32(0x56484201)
PUSHER_NEWCOMER = {
    "comes": COMES + TAKES,
    "says": COMES + PUSHER_VIEWER["format"] + TAKES + A + WISHES + ACK,
    "had": COMES + TAKES + DIGESTS + TAME + A + ACK,
    "no-blocks": COMES + b"\2\0\0\1" + u32(0) + A,
    "too-soon": COMES + A + TAKES,
    "version": b"RFB 003.003\n\1\1" + TAKES + A,
    "type": b"RFB 003.008\n\2\1" + TAKES + A,
    "half": COMES[:9],
    "encodings": COMES + TAKES + TAKES + A + b"\xc8\3\0\0",
    "text": COMES + TAKES + cut(b"text")[:10],
}
BLOCK = b"\xc8" + block(SOLID, 0, 0, 64, 48, b"\xff\0\0", sequence=5, generation=1)
WAY = b"congestion=bbr blocks=1-1 datagrams=60123:" + b"0a" * 32
SERVER = {
    "blocks": update(SHOWS) + BLOCK + b"\xc8" + block(0x80, 0, 0, 16, 16, b"abc", sequence=6, generation=1),
    "blocks-late": BLOCK + b"\xc8" + block(PALETTE, 0, 0, 16, 16, b"\2" + bytes(range(9)) + b"\x1a" * 64, sequence=4, generation=1) + b"\2",
    "blocks-size": BLOCK + update(rectangle(0, 0, 20, 16, DESKTOP_SIZE)) + BLOCK + b"\xc8" + block(JPEG_420, 0, 0, 20, 16, STRIP, 30, sequence=7, generation=2),
    "blocks-old": BLOCK + b"".join(b"\xc8" + block(OLD, 0, 0, 64, 48, end, sequence=6, generation=1) for end in (b"\0", b"\1" + bytes(32), b"\0")),
    "blocks-old-size": update(rectangle(0, 0, 20, 16, DESKTOP_SIZE)) + b"\xc8" + block(OLD, 0, 0, 20, 16, b"\0", sequence=7, generation=2),
    "datagrams": update(rectangle(0, 0, len(WAY), 0, 0x56484C41) + WAY),
    "blocks-goodbye": update(rectangle(0, 0, 33, 0, 0x56484C41) + b"congestion=bbr blocks=1-1 goodbye") + BLOCK,
    "blocks-copy": BLOCK + b"\xc8" + block(COPY, 16, 16, 32, 32, b"\0\x08\0\x09", sequence=6, generation=1) + update(SMALL),
}


def step(kind, *parts):
    whole = b"".join(parts)
    return struct.pack(">BH", kind, len(whole)) + whole


# datagrams for the viewer: a mark, how much was heard, and a block; kinds of steps: fuzz_datagrams.cpp
def down(mark, heard, inside=b""):
    return step(1, struct.pack(">HI", mark, heard), inside)


def one_block(sequence, generation=1, codec=SOLID, x=0, colour=b"abc", last=0):
    return block(codec | last, x, 0, 16, 16, colour, sequence=sequence, generation=generation)


DATAGRAMS = {
    "blocks": down(1, 0, one_block(5)) + down(1, 0, one_block(7)) + down(1, 0, one_block(6, last=0x80)) +
    step(5, b"\0\x09") + down(1, 0),
    "stream": step(0, BLOCK) + down(1, 0, one_block(9)) + step(0, BLOCK[:9]) + down(2, 0, one_block(8)) + step(0, BLOCK[9:]),
    "old": down(1, 0, one_block(5, 0)) + step(0, update(rectangle(0, 0, 32, 16, DESKTOP_SIZE))) + down(1, 0, one_block(6, 2)),
    "copy": step(0, BLOCK) + down(1, 0, block(COPY, 16, 16, 32, 32, b"\0\x08\0\x09", sequence=6, generation=1)),
    "said": down(1, 0) + step(4, b"key") + down(1, 2) + step(4, b"k" * 300) + step(5, b"\0\x09") + down(2, 303) + down(2, 9),
    "long": down(1, 0) + step(4, b"k" * 1200) + step(5, b"\0\x63") + step(4, b"k" * 3000) + down(1, 1500) + step(5, b"\x27\x11"),
    "again": down(1, 0, one_block(5)) + step(3) + step(2, b"no packet") + step(1, b"short") + step(5, b"\0\x05"),
    "far": down(1, 0, one_block(1)) + down(1, 0, one_block(250)) + down(1, 0, one_block(0xFFFFFF00)) + down(1, 0, one_block(600)),
}


# datagrams of the viewer, which repeat what is said on the stream: fuzz_pusher_datagrams.cpp
def repeat(mark, newest, at, size, age=0, before=0xFF):
    return step(1, struct.pack(">HIIBHH", mark, newest, age, before, at, size))


def body_up(mark, tells, newest, at, said=b""):
    return step(2, struct.pack(">HBII", mark, tells, newest, 0), bytes(32), u32(at), said)


UP = repeat(1, 1, 0, 0)
PUSHER_DATAGRAMS = {
    "works": UP + repeat(0, 2, 0, 0) + repeat(0, 9, 0, 0, 5000),
    "early": UP + repeat(0, 1, 0, 24) + step(0, A) + repeat(0, 2, 8, 8) + step(0, A + A),
    "pieces": UP + repeat(0, 1, 0, 3) + step(0, A[:2]) + repeat(0, 2, 2, 9) + step(0, A[2:] + cut(b"text")) + repeat(0, 3, 9, 40),
    "gap": UP + repeat(0, 1, 8, 8) + step(0, A + A) + repeat(0, 1, 0, 16),
    "asks": UP + step(0, PUSHER_VIEWER["asks"]) + repeat(0, 3, 0, 0) + repeat(0, 3, 0, 0, before=0x55),
    "lies": UP + body_up(1, 1, 4000, 0, A + A) + step(0, WISHES) + body_up(9, 0, 0, 0) + body_up(1, 1, 3, 16, b"\xfe"),
    "count": UP + step(0, A + b"\xc8\4\0\0" + A) + body_up(1, 0, 0, 0, A),
    "goodbye": UP + repeat(0, 1, 0, 99) + step(0, A + b"\xc8\3\0\0" + A),
    "no-packet": step(3, b"no packet") + step(2, b"short") + body_up(1, 2, 0, 0) + step(0, A),
}
FRAMING = {"client-blocks": b"c" + WISHES + ACK + A, "client-blocks-hostile": b"c" + ACK + b"\xc8\4" + bytes(10), "client-digests": b"c" + DIGESTS + TAME + OTHER + A,
           "client-count": b"c" + A + b"\xc8\4\0\0" + A, "client-blocks-goodbye": b"c" + ACK + b"\xc8\3\0\0" + A}

if __name__ == "__main__":
    for target, inputs in {
        "words": WORDS, "options": OPTIONS, "kept": KEPT, "messages": MESSAGES, "clipboard": CLIPBOARD,
        "handshake": HANDSHAKE, "tls": TLS, "rsa": RSA, "accelerator": ACCELERATOR,
        "passing": PASSING, "legs": LEGS, "blocks": BLOCKS,
        "server": SERVER, "framing": FRAMING, "pusher_server": PUSHER_SERVER, "pusher_viewer": PUSHER_VIEWER,
        "pusher_newcomer": PUSHER_NEWCOMER, "datagrams": DATAGRAMS, "pusher_datagrams": PUSHER_DATAGRAMS,
    }.items():
        corpus.add(target, inputs)
