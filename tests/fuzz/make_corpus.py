#!/usr/bin/env python3
"""Writes the seed corpora: one small valid stream of each kind.

../server-messages/ is what a server says, for a screen of 64 x 48 pixels: the hostile suite takes
it, too. The corpus `client` is what a client says; `files` is files of options and links; `recording`
is recordings; `framing` is what both say, and handshakes, to a program that passes it on.
"""

import struct
import zlib

import corpus


def update(*rectangles):
    return struct.pack(">BBH", 0, 0, len(rectangles)) + b"".join(rectangles)


def rectangle(x, y, w, h, encoding, data=b""):
    return struct.pack(">HHHHi", x, y, w, h, encoding) + data


def tight_length(n):
    out = bytearray()
    while True:
        out.append(n & 0x7F | (0x80 if n > 0x7F and len(out) < 2 else 0))
        n >>= 7
        if not n:
            return bytes(out)


def packed(data, length):
    stream = zlib.compressobj()
    body = stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH)  # the stream goes on
    return length(len(body)) + body


def u32(n):
    return struct.pack(">I", n)


def extended(flags, body=b""):
    return b"\3\0\0\0" + struct.pack(">iI", -4 - len(body), flags) + body


PIXELS = b"".join(bytes((x * 9 & 255, y * 7 & 255, x ^ y, 0)) for y in range(16) for x in range(16))
RGB = b"".join(bytes((x * 9 & 255, y * 7 & 255, x ^ y)) for y in range(16) for x in range(16))
# ZRLE tile of 16 x 16: raw, solid, a palette of two, plain runs
ZRLE = {
    "raw": b"\0" + RGB,
    "solid": b"\1abc",
    "palette": b"\2abcdef" + b"\x55\xaa" * 16,
    "runs": b"\x80" + b"abc\xfe" + b"def\0",
}
TIGHT = {
    "fill": b"\x80abc",
    "copy": b"\0" + packed(RGB, tight_length),
    "palette": b"\x40\1\1abcdef" + packed(b"\x55\xaa" * 16, tight_length),
    "indexed": b"\x40\1\2abcdefghi" + packed(bytes((0, 1, 2, 1)) * 64, tight_length),
    "gradient": b"\x40\2" + packed(RGB, tight_length),
    "small": b"\0abcabcabc",
    "reset": b"\x8fabc",
}

STREAMS = {
    "bell": b"\2\2",
    "cut-text": b"\3\0\0\0" + u32(5) + b"hello",
    "clipboard-caps": extended(0x1F000001, u32(0)),
    "clipboard-notify": extended(0x08000001) + extended(0x08000000),
    "clipboard-request": extended(0x02000001) + extended(0x04000000),
    "clipboard-provide": extended(0x10000001, zlib.compress(u32(6) + b"a\r\nb\xff\0")),
    "clipboard-long": extended(0x10000001, zlib.compress(u32(0xFFFFFFFF) + b"too long")),
    "colour-map": struct.pack(">BBHH", 1, 0, 0, 2) + bytes(12),
    "end-of-continuous-updates": b"\x96",
    "fence": struct.pack(">B3xIB", 248, 1 << 31, 1) + b"\0",
    "fence-long": struct.pack(">B3xIB", 248, 0xFFFFFFFF, 64) + bytes(range(64)),
    "raw": update(rectangle(8, 8, 16, 16, 0, PIXELS), rectangle(0, 0, 0, 0, 0)),
    "copyrect": update(rectangle(8, 8, 16, 16, 1, struct.pack(">HH", 4, 4))),
    "rre": update(
        rectangle(0, 0, 32, 32, 2, u32(1) + b"abcdefgh" + struct.pack(">HHHH", 1, 2, 3, 4))
    ),
    "corre": update(rectangle(0, 0, 32, 32, 4, u32(1) + b"abcdefgh" + bytes((1, 2, 3, 4)))),
    "hextile": update(
        rectangle(0, 0, 20, 16, 5, b"\x1aabcd\1efgh\x11\x33" + b"\x0e" + b"abcdefgh\1\0\x11")
    ),
    "hextile-raw": update(rectangle(0, 0, 16, 16, 5, b"\1" + PIXELS)),
    "zlib": update(rectangle(0, 0, 16, 16, 6, packed(PIXELS, u32))),
    "cursor-rich": update(rectangle(1, 2, 9, 3, -239, bytes(9 * 3 * 4) + bytes(2 * 3))),
    "cursor-x": update(rectangle(1, 2, 9, 3, -240, bytes(6) + bytes(2 * 2 * 3))),
    "cursor-alpha": update(rectangle(1, 2, 3, 2, -314, u32(0) + bytes(range(24)))),
    "cursor-alpha-none": update(rectangle(0, 0, 0, 0, -314, u32(0))),
    "leds": update(rectangle(0, 0, 0, 0, -261, b"\7")),
    "key-codes": update(rectangle(0, 0, 0, 0, -258), rectangle(0, 0, 0, 0, -316)),
    "pointer-steps": update(rectangle(0, 0, 64, 48, -257)) + update(rectangle(1, 0, 64, 48, -257)),
    "cursor-none": update(rectangle(0, 0, 0, 0, -239)),
    "desktop-size": update(rectangle(0, 0, 100, 30, -223)) + update(rectangle(99, 29, 1, 1, 0, b"abcd")),
    "extended-desktop-size": update(rectangle(0, 0, 80, 60, -308, b"\1\0\0\0" + bytes(16))),
    "desktop-name": update(rectangle(0, 0, 0, 0, -307, u32(4) + b"name")),
    "last-rect": b"\0\0\xff\xff" + rectangle(0, 0, 1, 1, 0, b"abcd") + rectangle(0, 0, 0, 0, -224),
}
for kind, tile in ZRLE.items():
    STREAMS["zrle-" + kind] = update(rectangle(0, 0, 16, 16, 16, packed(tile, u32)))
for kind, data in TIGHT.items():
    w, h = (3, 1) if kind == "small" else (16, 16)
    STREAMS["tight-" + kind] = update(rectangle(0, 0, w, h, 7, data))


def rect(x, y, w, h):
    return struct.pack(">HHHH", x, y, w, h)


def set_encodings(*numbers):
    return struct.pack(">BxH", 2, len(numbers)) + b"".join(struct.pack(">i", n) for n in numbers)


def cut_text(length, text):
    return b"\6\0\0\0" + u32(length) + text


CLIENT_STREAMS = {
    "set-pixel-format": b"\0\0\0\0" + struct.pack(">4B3H3B3x", 32, 24, 0, 1, 255, 255, 255, 16, 8, 0),
    "set-pixel-format-16": b"\0\0\0\0" + struct.pack(">4B3H3B3x", 16, 16, 1, 1, 31, 63, 31, 11, 5, 0),
    "set-pixel-format-map": b"\0\0\0\0" + struct.pack(">4B3H3B3x", 8, 8, 0, 0, 0, 0, 0, 0, 0, 0),
    "set-encodings": set_encodings(7, 1, 16, 5, 0, -253, -26, -239, -240, -224, -223, -308, -307),
    "set-encodings-none": set_encodings(),
    "update-request": b"\3\0" + rect(0, 0, 64, 48) + b"\3\1" + rect(0, 0, 64, 48),
    "key": b"\4\1\0\0" + u32(0xFF0D) + b"\4\0\0\0" + u32(0xFF0D),
    "key-code": b"\xff\0\0\1" + u32(0xFF53) + u32(0xCD) + b"\xff\0\0\0" + u32(0) + u32(0xCD),
    "pointer-extended": struct.pack(">BBHHB", 5, 0x81, 63, 47, 2) + struct.pack(">BBHH", 5, 0, 0, 0),
    "pointer": struct.pack(">BBHH", 5, 1, 63, 47) + struct.pack(">BBHH", 5, 0, 0, 0),
    "cut-text": cut_text(5, b"hello"),
    "cut-text-empty": cut_text(0, b""),
    "cut-text-long": cut_text((1 << 20) + 1, b"too long to be kept"),
    "enable-continuous-updates": b"\x96\1" + rect(0, 0, 64, 48) + b"\x96\0" + rect(0, 0, 64, 48),
    "fence": struct.pack(">B3xIB", 248, 0, 1) + b"\0",
    "fence-long": struct.pack(">B3xIB", 248, 0xFFFFFFFF, 64) + bytes(range(64)),
}

TIGERVNC = b"TigerVNC Configuration file Version 1.0\n\nServerName=host:1\n"
INI = b"[connection]\nhost=10.0.0.1\nport=5901\n"

FILES = {
    "tigervnc": b"c" + TIGERVNC + b"ViewOnly=1\n# a comment\nX509CA=/a\\\\b\\n\nSecurityTypes=TLSVnc,RA2\n",
    "tightvnc": b"c" + INI + b"password=0123456789abcdef\n[options]\nviewonly=1\npreferred_encoding=16\n"
    b"quality=-1\ncompresslevel=-1\nautodetect=1\n",
    "ultravnc": b"c" + INI + b"UseDSMPlugin=0\r\ndisableclipboard=1\r\nUseProxy=0\r\nRequireEncryption=1\r\n",
    "realvnc": b"c\xef\xbb\xbfHost=[::1]:1\nUserName=me\nEncryption=AlwaysOn\nSendPtrEvents=0\nSendKeyEvents=0\n",
    "profile": b"p# mine\nserver = host:1\nquality 3\n--view-only\ncompress=7\n\n  no-shared  ",
    "link": b"uvnc://host:5901/?ViewOnly=1&VncUsername=me%40home&SecurityType=19&&ConnectionName=x",
    "link-refused": b"uvnc://host?ColorLevel=%38#top",
}


def block(data, ms=0):
    return u32(len(data)) + data + bytes(-len(data) % 4) + u32(ms)


INIT = (
    struct.pack(">HH", 64, 48)
    + struct.pack(">4B3H3B3x", 32, 24, 0, 1, 255, 255, 255, 16, 8, 0)
    + u32(4)
    + b"name"
)
GREETED = b"FBS 001.000\n" + block(b"RFB 003.003\n") + block(u32(1)) + block(INIT)

RECORDINGS = {
    "bells": GREETED + block(b"\2", 10) + block(b"", 20) + block(b"\2\2", 15),
    "one-block": b"FBS 001.000\n" + block(b"RFB 003.003\n" + u32(1) + INIT + b"\2"),
    "version-8": b"FBS 001.000\n" + block(b"RFB 003.008\n\1\1" + u32(0) + INIT),
    "refused": b"FBS 001.000\n" + block(b"RFB 003.003\n" + u32(0) + u32(4) + b"busy"),
    "cut-off": GREETED + block(b"\2\2\2")[:-3],
    "too-long": GREETED + u32(0xFFFFFFFC) + b"\2\2\2\2" + u32(0),
    "empty": b"FBS 001.000\n",
    "no-recording": b"FBS 001.001\n",
}

# What is passed on and not understood by the viewer itself, and what Tight and TRLE have besides.
FOREIGN = {
    "trle-raw": update(rectangle(0, 0, 16, 16, 15, b"\0" + RGB)),
    "trle-tiles": update(
        rectangle(
            0, 0, 48, 32, 15,
            b"\1abc" + b"\2abcdef" + b"\x55\xaa" * 16 + b"\x7f" + b"\x55\xaa" * 16
            + b"\x80" + b"abc\xff\0" + b"\x82abcdef" + b"\0\x81\xfd\1" + b"\x81" + b"\x80\xff\0",
        )
    ),
    "zlibhex": update(
        rectangle(0, 0, 48, 16, 8, b"\x20\0\3abc" + b"\x42\0\2ab" + b"\x0e" + b"a" * 8 + b"\2" + b"b" * 4)
    ),
    "tight-png": update(rectangle(0, 0, 16, 16, -260, b"\xa0\x05hello")),
    "tight-jpeg": update(rectangle(0, 0, 16, 16, 7, b"\x90\x85\x01" + b"j" * 133)),
    "tight-stored": update(rectangle(0, 0, 16, 16, 7, b"\xe0\1\1abcdef\x20" + b"\x55" * 32)),
    "h264": update(rectangle(0, 0, 16, 16, 50, u32(3) + u32(1) + b"abc")),
    "vmware-cursor": update(rectangle(0, 0, 2, 2, 0x574D5664, b"\0\0" + bytes(32))),
    "qemu-audio": b"\xff\1\0\1" + b"\xff\1\0\2" + u32(3) + b"abc" + b"\xff\1\0\0",
    "xvp": b"\xfa\0\1\1",
    "gii": b"\xfd\x81\0\4\0\1\0\1" + b"\xfd\1\4\0\1\0\1\0",
    "unknown-encoding": update(rectangle(0, 0, 2, 2, 21, b"jpeg")),
}
FOREIGN_CLIENT = {
    "qemu-audio": b"\xff\1\0\0" + b"\xff\1\0\2\3\2" + u32(44100),
    "clipboard": b"\6\0\0\0" + struct.pack(">iI", -4, 1 << 27),
    "set-desktop-size": struct.pack(">BxHHBx", 251, 80, 60, 1) + u32(1) + rect(0, 0, 80, 60) + u32(0),
    "xvp": b"\xfa\0\1\2",
    "gii": b"\xfd\x81\0\2\0\1",
}


# Blocks in turns, the server's first.
def spoken(*blocks):
    return b"".join(bytes((len(b),)) + b for b in blocks)


V8, SHARED, OK = b"RFB 003.008\n", b"\1", u32(0)
CAPS = struct.pack(">4H", 1, 0, 1, 0) + bytes(32)
HANDSHAKES = {
    "none-3": spoken(V8, b"RFB 003.003\n", u32(1), SHARED, INIT),
    "none-7": spoken(V8, b"RFB 003.007\n", b"\1\1", b"\1" + SHARED, INIT),
    "none-8": spoken(V8, V8, b"\1\1", b"\1", OK, SHARED, INIT),
    "none-early": spoken(b"", V8 + b"\1" + SHARED + b"\4\1", V8 + b"\1\1" + OK + INIT),
    "vnc-3": spoken(V8, b"RFB 003.003\n", u32(2) + b"c" * 16, b"r" * 16, OK, SHARED, INIT),
    "vnc-8": spoken(V8, V8, b"\1\2", b"\2", b"c" * 16, b"r" * 16, OK, SHARED, INIT),
    "tight-none": spoken(V8, V8, b"\1\x10", b"\x10", u32(0) + u32(0) + OK, SHARED, INIT + CAPS),
    "tight-vnc": spoken(
        V8, V8, b"\1\x10", b"\x10", u32(1) + bytes(16), u32(0), u32(1) + bytes(16), u32(2),
        b"c" * 16, b"r" * 16, OK, SHARED, INIT + CAPS,
    ),
    "dh": spoken(
        V8, V8, b"\2\x1e\x21", b"\x1e", b"\0\2\0\x41" + b"p" * 130, b"r" * 193, OK, SHARED, INIT
    ),
    "dh-early": spoken(b"", V8 + b"\x1e", V8 + b"\1\x1e\0\2\0\1pk", b"r" * 129 + SHARED, OK + INIT),
    "dh-refused": spoken(V8, V8, b"\1\x1e", b"\x1e", b"\0\2\0\0", b"r" * 128, u32(1) + u32(4) + b"busy"),
    "vencrypt": spoken(V8, V8, b"\1\x13", b"\x13", b"\0\2", b"\0\2"),
    "refused": spoken(V8, V8, b"\0" + u32(4) + b"busy"),
}

if __name__ == "__main__":
    for name, stream in STREAMS.items():
        # a bell shows that the end was reached
        (corpus.HERE.parent / "server-messages" / name).write_bytes(stream + b"\2")
    corpus.add("client", CLIENT_STREAMS)
    corpus.add("files", FILES)
    corpus.add("recording", RECORDINGS)
    for kind, streams in {"s": STREAMS | FOREIGN, "c": CLIENT_STREAMS | FOREIGN_CLIENT, "h": HANDSHAKES}.items():
        corpus.add("framing", {f"{kind}-{name}": kind.encode() + stream for name, stream in streams.items()})
