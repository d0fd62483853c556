"""The viewer's screen, an Xvfb that keeps its pixels in a file, and whether a picture stands on it whole."""
import mmap
import os
import struct
import subprocess
import tempfile
import zlib

HEADER = ">25I"  # XWDFileHeader (X11/XWDFile.h)
HEADER_SIZE, LINE, COLOURS = 0, 12, 19  # its words that are wanted here
COLOUR = 12  # bytes of each colour behind the header
PIXEL = b"\xff\xff\xff\0"  # blue, green, red, and what means nothing


class Screen:
    """An X server without a pointer of its own."""

    def __init__(self, folder, size="1280x1024"):
        self.folder = tempfile.mkdtemp(dir=folder)
        reader, writer = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", size + "x24", "-nocursor", "-noreset",
             "-nolisten", "tcp", "-fbdir", self.folder], pass_fds=[writer], stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as told:
            self.display = ":" + told.readline().strip()
        self.file = os.path.join(self.folder, "Xvfb_screen0")

    def close(self):
        self.server.terminate()
        self.server.wait()


class Look:
    """Compares what is on a screen with a picture: bytes of blue, green, red and one more for each pixel."""

    def __init__(self, file, picture, width):
        with open(file, "rb") as f:
            self.memory = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
        header = struct.unpack(HEADER, self.memory[:struct.calcsize(HEADER)])
        self.start, self.line = header[HEADER_SIZE] + header[COLOURS] * COLOUR, header[LINE]
        self.row = 4 * width
        self.mask = int.from_bytes(PIXEL * width, "little")
        self.rows = [self._pixels(picture, at) for at in range(0, len(picture), self.row)]
        # the row by which the picture's place is found: the one with most in it
        told = max(range(len(self.rows)),
                   key=lambda row: len(zlib.compress(picture[row * self.row:(row + 1) * self.row])))
        self.above = told * self.line
        nothing = ~self.mask & (1 << 8 * self.row) - 1
        self.probes = [(self.rows[told] | rest).to_bytes(self.row, "little") for rest in (0, nothing)]
        self.forget()

    def forget(self):
        """Another window comes."""
        self.first, self.last = None, 0  # where its first pixel is; the row that differed the last time

    def _pixels(self, memory, at):
        return int.from_bytes(memory[at:at + self.row], "little") & self.mask

    def _find(self):
        """A viewer may have something around the picture."""
        for probe in self.probes:
            at = self.memory.find(probe, self.start + self.above)
            if at >= 0:
                self.first = at - self.above

    def whole(self):
        """Whether the picture stands somewhere on the screen: no pixel differs."""
        if self.first is None:
            self._find()
        for step in range(len(self.rows) if self.first is not None else 0):
            row = (self.last + step) % len(self.rows)
            if self._pixels(self.memory, self.first + row * self.line) != self.rows[row]:
                self.last = row
                return False
        return self.first is not None
