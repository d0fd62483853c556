#!/usr/bin/env python3
"""Writes the pixels of a PNG as a C array, for the icon of the window.

    embed_icon.py ICON.png OUT.c

Takes 8 bits per channel, RGBA, not interlaced: what viewer/data/icons.sh makes.
"""
import struct
import sys
import zlib

BYTES_PER_PIXEL = 4


def chunks(png):
    if png[:8] != b"\x89PNG\r\n\x1a\n":
        sys.exit("embed_icon: no PNG")
    at = 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        yield png[at + 4:at + 8], png[at + 8:at + 8 + length]
        at += length + 12  # length, type and checksum stand around the data


def paeth(left, above, corner):
    estimate = left + above - corner
    far = [abs(estimate - left), abs(estimate - above), abs(estimate - corner)]
    return (left, above, corner)[far.index(min(far))]


def unfilter(kind, row, above):
    for i, byte in enumerate(row):
        left = row[i - BYTES_PER_PIXEL] if i >= BYTES_PER_PIXEL else 0
        corner = above[i - BYTES_PER_PIXEL] if i >= BYTES_PER_PIXEL else 0
        guess = (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))[kind]
        row[i] = (byte + guess) & 0xFF
    return row


def pixels(png):
    header, data = None, b""
    for name, content in chunks(png):
        if name == b"IHDR":
            header = struct.unpack(">IIBBBBB", content)
        elif name == b"IDAT":
            data += content
    width, height, depth, colour, _, _, interlaced = header
    if (depth, colour, interlaced) != (8, 6, 0) or width != height:
        sys.exit("embed_icon: the PNG must be square RGBA with 8 bits a channel")
    data, size = zlib.decompress(data), width * BYTES_PER_PIXEL
    out, above = bytearray(), bytearray(size)
    for at in range(0, len(data), size + 1):
        above = unfilter(data[at], bytearray(data[at + 1:at + 1 + size]), above)
        out += above
    return width, out


def main():
    with open(sys.argv[1], "rb") as f:
        side, rgba = pixels(f.read())
    with open(sys.argv[2], "w", encoding="ascii") as f:
        f.write('#include "viewer/data/icon.h"\n\n')
        f.write(f"_Static_assert(ICON_SIDE == {side}, \"the icon's size\");\n\n")
        f.write("const uint8_t icon_rgba[ICON_SIDE * ICON_SIDE * 4] = {\n")
        for at in range(0, len(rgba), 16):
            f.write("    " + ", ".join(str(b) for b in rgba[at:at + 16]) + ",\n")
        f.write("};\n")


main()
