"""Web pages for a real browser: their marks, what is fetched, and who shows it."""
import http.client
import os
import re
import struct
import subprocess
import threading
import time
import unittest
import zlib

import paths
import browser
import contents
import web_pages

CONTENT = os.path.join(paths.BUILD, "tools", "lab", "content", "vnchl-lab-content")
SIZE = (352, 240)


def pixels(png):
    """(width, height, the rows' bytes) of a picture without filters."""
    width, height = struct.unpack(">II", png[16:24])
    at, data = 33, b""
    length = struct.unpack(">I", png[at:at + 4])[0]
    data = zlib.decompress(png[at + 8:at + 8 + length])
    stride = 1 + 3 * width
    return width, height, [data[y * stride + 1:(y + 1) * stride] for y in range(height)]


class Marks(unittest.TestCase):
    """As tools/marks has them."""

    def test_the_checksum(self):
        self.assertEqual(web_pages.crc(b"123456789"), 0x29b1)

    @unittest.skipUnless(os.access(CONTENT, os.X_OK), "needs vnchl-lab-content")
    def test_they_can_be_read(self):
        """By the program that draws them otherwise."""
        width, height = SIZE
        frame = bytearray(4 * width * height)
        for kind, at_end in ((web_pages.FRAME, False), (web_pages.FRAME_END, True)):
            w, h, rows = pixels(web_pages.mark(kind, 0, 12.5))
            self.assertEqual((w, h), (80, 72))
            left, top = (width - w, height - h) if at_end else (0, 0)
            for y, row in enumerate(rows):
                for x in range(w):
                    at = 4 * ((top + y) * width + left + x)
                    frame[at:at + 3] = row[3 * x:3 * x + 3]
        argv = [CONTENT, "video", "--size", f"{width}x{height}", "--check", "1"]
        done = subprocess.run(argv, input=bytes(frame), capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        frame[0:4 * width * web_pages.CELL] = bytes(4 * width * web_pages.CELL)  # a row of cells less
        self.assertNotEqual(subprocess.run(argv, input=bytes(frame), capture_output=True, check=False).returncode, 0)

    def test_when(self):
        """Units of 10 us, as mark_time()."""
        rows = web_pages.cells(web_pages.FRAME, 7, 1.5)
        bits = "".join(str(bit) for row in rows[1:] for bit in row)
        self.assertEqual((int(bits[:4], 2), int(bits[4:32], 2), int(bits[32:64], 2)), (1, 7, 150000))


class Pages(unittest.TestCase):
    """The web server."""

    @classmethod
    def setUpClass(cls):
        cls.site = web_pages.Site("1000x740", 3)
        cls.server = web_pages.serve(cls.site, 500)

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()

    def get(self, path):
        """(status, content)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=5)
        connection.request("GET", path)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        self.assertEqual(answer.getheader("Cache-Control"), "no-store" if answer.status == 200 else None)
        return answer.status, content

    def test_all_pages_and_what_they_show(self):
        counts = set()
        for number in range(web_pages.PAGES):
            before = time.monotonic()
            self.assertEqual(self.get(f"/next/{number}"), (200, b""))
            asked = self.server.asked[number]
            status, page = self.get(f"/page/{number}")
            self.assertEqual((status, self.server.asked[number]), (200, asked))
            self.assertIn(f"next = '/page/{number + 1}'".encode(), page)
            counts.add(len(re.findall(rb'class="photo"', page)))
            self.assertTrue(before <= self.server.asked[number] <= time.monotonic())
        self.assertEqual(counts, set(range(web_pages.MOST_PICTURES + 1)))
        for address in set(re.findall(rb'src="([^"]*)"', page)):
            status, picture = self.get(address.decode())
            self.assertEqual((status, picture[:4]), (200, b"\x89PNG"))
        self.assertEqual(self.get(f"/page/{web_pages.PAGES}")[1].count(b"Page 1 of 54"), 1)

    def test_the_same_seed_is_the_same_site(self):
        again = web_pages.Site("1000x740", 3)
        self.assertEqual((again.photos, again.pages), (self.site.photos, self.site.pages))
        self.assertNotEqual(web_pages.Site("1000x740", 4).pages, self.site.pages)

    def test_what_is_not_there(self):
        for path in ("/", "/page/x", "/photo/99", "/mark/1/999", "/nonsense/1"):
            self.assertEqual(self.get(path)[0], 404, path)

    def test_ready_with_the_first_page(self):
        self.server.seen.clear()
        threading.Timer(0.05, self.get, ["/seen/0"]).start()
        self.assertTrue(self.server.seen.wait(5))


class Clicks(unittest.TestCase):
    """The page whose picture is fetched by a click."""

    def test_what_is_fetched(self):
        for kind, least, most in (("bitmap", 0, 3000), ("image", 10000, 500000)):
            server = web_pages.serve(web_pages.Clicks(kind, 3), 500)
            self.addCleanup(server.server_close)
            self.addCleanup(server.shutdown)

            def get(path):
                connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=5)
                connection.request("GET", path)
                answer = connection.getresponse()
                self.addCleanup(connection.close)
                return answer.status, answer.read()

            self.assertIn(b"/picture/0", get("/page/0")[1])
            self.assertEqual(get("/next/1")[0], 200)
            for path in ("/mark/1/0", "/mark/2/1", "/mark/3/1", "/picture/0", "/picture/1"):
                self.assertEqual(get(path)[1][:4], b"\x89PNG", path)
            self.assertNotEqual(get("/picture/0")[1], get("/picture/1")[1])
            self.assertTrue(least < len(get("/picture/1")[1]) < most)
            self.assertEqual(get("/photo/0")[0], 404)


class Scene(unittest.TestCase):
    """How it is started."""

    def test_its_program(self):
        content = {"scene": contents.BROWSER, "size": "1000x740", "fps": 0.5}
        self.assertEqual(contents.programs({"content": content}), browser.PROGRAMS)
        self.assertFalse(contents.can_be_drawn({"content": content, "server": "tigervnc"}))

    def test_the_browser(self):
        command = browser.command("1000x740", "/run/of", ["--more"], "http://127.0.0.1:1/")
        self.assertEqual((command[0], command[-2:]), ("chromium", ["--more", "http://127.0.0.1:1/"]))
        self.assertIn("--window-size=1000,740", command)


if __name__ == "__main__":
    unittest.main()
