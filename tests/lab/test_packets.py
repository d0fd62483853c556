"""What packets alone say of a run, from small tables made by hand."""
import unittest

import paths
import packets

BEGIN, END = 1_000_000, 11_000_000  # us: ten measured seconds
RTT = 60  # ms
ONE_WAY = RTT / 2


def up(at, payload=0, fate="delivered"):
    """A packet of the viewer, sent `at` ms after the beginning."""
    return line(at, at + (ONE_WAY if fate == "delivered" else 0), "up", payload, fate)


def down(at, payload=0, fate="delivered"):
    """A packet of the server that arrives, or would have arrived, `at` ms after the beginning."""
    sent = at - ONE_WAY
    return line(sent, at if fate == "delivered" else sent, "down", payload, fate)


def line(sent, arrived, way, payload, fate):
    """A line of the table: IP and TCP have 52 bytes."""
    taken, left = (BEGIN + round(1000 * ms) for ms in (sent, arrived))
    return f"{taken},{left},{way},{52 + payload},tcp,{payload},{fate}"


def settings(press=1000, fps=1):
    """As far as they matter."""
    return {"press_every_ms": press, "content": {"fps": fps}, "link": {"rtt_ms": RTT}}


def pressed(at, seen=()):
    """What the eye saw of presses, and of the frames that they drew."""
    return {"sightings": {"pressed_ms": list(at), "responses_ms": [80.0] * len(at), "seen_ms": list(seen),
                          "ages_ms": [40.0] * len(seen), "numbers": list(range(len(seen)))}}


def changed(seen, ages, numbers=None):
    """What it saw of a scene that runs by itself."""
    return {"sightings": {"seen_ms": list(seen), "ages_ms": list(ages),
                          "numbers": list(numbers or range(len(seen)))}}


class Case(unittest.TestCase):
    """One table."""

    def figures(self, lines, result, of=None):
        """What is said of these lines, in the order of a table."""
        lines = sorted(lines, key=lambda text: int(text.split(",")[1]))
        text = "".join(f"{one}\n" for one in [packets.HEAD, *lines])
        return self.of_text(text, result, of)

    def of_text(self, text, result=None, of=None):
        """The same of a file's text."""
        path = paths.Folder(self).write("packets.csv", text)
        return packets.figures(path, of or settings(), result or pressed([]), BEGIN, END)


class Presses(Case):
    """An operation lasts from the viewer's first packet to the server's last."""

    def test_at_rest(self):
        """Acknowledgements begin and end nothing; those between count as data."""
        found = self.figures([
            up(1001), up(1002, 8), up(1003, 8), down(1062), down(1070, 1448), up(1071), down(1080, 500),
            up(1081), down(1141),
            up(2002, 8), down(2062, 100),
            up(3001, 8), down(3061, 100),
        ], pressed([1000, 2000, 3000], [1085, 2067, 3066]))
        self.assertEqual(found["starts"], "presses")
        self.assertEqual(found["latencies_ms"], [78, 60])  # the last press only ends the one before
        self.assertEqual((found["operations"], found["unanswered"], found["not_resting"]), (2, 0, 0))
        self.assertEqual(found["latency_ms"], {"p50": 69, "p95": 78, "max": 78, "mean": 69})
        self.assertEqual(found["bytes_down"], round((52 + 1500 + 552 + 152) / 2))
        self.assertEqual(found["bytes_up"], round((60 + 60 + 52 + 60) / 2))
        # by marks: 85 and 67
        self.assertEqual(found["marks_ms"]["p50"], 76)
        self.assertEqual(found["over_marks"], round(69 / 76, 4))

    def test_requests_of_a_timer(self):
        """They do not disturb the rest, and count only while the operation lasts."""
        timer = [up(at, 10) for at in range(900, 3100, 50)]
        found = self.figures([*timer, up(1001, 8), down(1070, 400), up(2001, 8), down(2070, 400)],
                             pressed([1000.5, 2000.5, 3000]))
        self.assertEqual(found["latencies_ms"], [69, 69])
        self.assertEqual(found["not_resting"], 0)
        self.assertEqual(found["bytes_up"], 60 + 62)

    def test_the_server_does_not_rest(self):
        """What it sends shortly before a press, or before it can know of it."""
        rest = packets.REST_MS + RTT
        for at, expected in ((2000 - rest - 1, 0), (2000 - rest + 1, 1), (2010, 1), (2059, 1)):
            with self.subTest(at):
                found = self.figures([up(1002, 8), down(1070, 100), down(at, 100), up(2002, 8),
                                      down(2070, 100)], pressed([1000, 2000, 3000]))
                self.assertEqual(found["not_resting"], expected)
                self.assertEqual(found["latencies_ms"][1], 68)
        self.assertEqual(found["rest_ms"], rest)

    def test_what_came_before_is_no_answer(self):
        """It left the server before the press was there."""
        found = self.figures([up(1002, 8), down(1050, 100)], pressed([1000, 2000]))
        self.assertEqual((found["operations"], found["unanswered"], found["not_resting"]), (0, 1, 1))

    def test_lost_packets(self):
        """The viewer's end sees what it sends, and what comes."""
        found = self.figures([
            up(1002, 8, "loss"), up(1300, 8), down(1365, 1000, "loss"), down(1360, 700), down(1900, 1000),
            down(1950, 1000, "full"),
        ], pressed([1000, 2000]))
        self.assertEqual(found["latencies_ms"], [898])
        self.assertEqual((found["bytes_down"], found["bytes_up"]), (752 + 1052, 120))
        self.assertEqual((found["total"]["lost_down"], found["total"]["lost_up"]), (2, 1))
        self.assertEqual(found["total"]["bytes_down"], 752 + 1052)

    def test_nothing_is_sent(self):
        """A press of which the viewer says nothing, and one that the server does not answer."""
        found = self.figures([up(2002, 8), up(3002, 8), down(3070, 100)], pressed([1000, 2000, 3000, 4000]))
        self.assertEqual((found["operations"], found["unanswered"]), (1, 2))
        self.assertEqual(found["latencies_ms"], [68])

    def test_a_picture_that_was_not_seen(self):
        """There is no latency by marks then; the one by packets is compared without it."""
        found = self.figures([up(1002, 8), down(1070, 100), up(2002, 8), down(2082, 100)],
                             pressed([1000, 2000, 3000], [1080]))
        self.assertEqual(found["operations"], 2)
        self.assertEqual(found["marks_ms"]["p50"], 80)
        self.assertEqual(found["over_marks"], round(68 / 80, 4))


class Changes(Case):
    """What runs by itself: an operation begins with the change."""

    def test_pages(self):
        """From drawing to the last packet; each ends where the next one was drawn."""
        found = self.figures([
            down(1040, 1448), up(1041, 10), down(1090, 1448), down(2040, 100), down(3040, 100),
        ], changed([1100, 2050, 3050], [100, 50, 50]), settings(press=0))
        self.assertEqual(found["starts"], "changes")
        self.assertEqual(found["latencies_ms"], [90, 40])
        self.assertEqual(found["bytes_down"], round((1500 + 1500 + 152) / 2))
        self.assertEqual(found["bytes_up"], 31)
        self.assertEqual(found["over_marks"], round(65 / 75, 4))

    def test_a_page_that_was_never_seen(self):
        """Its packets are not those of the one before."""
        found = self.figures([down(1040, 100), down(2040, 100), down(3040, 100)],
                             changed([1050, 3050], [50, 50], [0, 2]), settings(press=0))
        self.assertEqual(found["latencies_ms"], [40])

    def test_a_page_upon_the_other(self):
        """The first one is under way yet when the next one is drawn."""
        found = self.figures([down(1040, 100), down(2010, 100), down(2040, 100), down(3040, 100)],
                             changed([1050, 2050, 3050], [50, 50, 50]), settings(press=0))
        self.assertEqual(found["not_resting"], 1)
        self.assertEqual(found["latencies_ms"], [40, 40])

    def test_a_film(self):
        """At full rate nothing rests, and a video file has no times: all data, and how long it took."""
        for result, fps in ((changed(range(0, 9000, 40), [30] * 225), 25), (changed([500, 1500], []), 1)):
            found = self.figures([up(-5, 100), down(-1, 500), up(0, 10), down(40, 100), up(41), down(9040, 200),
                                  up(9041), down(10001, 1)], result, settings(press=0, fps=fps))
            self.assertIsNone(found["starts"])
            self.assertEqual((found["operations"], found["latency_ms"], found["bytes_down"]), (0, None, None))
            self.assertEqual(found["total"], {"bytes_down": 152 + 252, "bytes_up": 62 + 52 + 52,
                                              "lost_down": 0, "lost_up": 0, "time_s": 9.0})


class Files(Case):
    """Tables that are not whole."""

    def test_no_packet(self):
        """A head alone is a table."""
        found = self.of_text(packets.HEAD + "\n", pressed([1000, 2000]))
        self.assertEqual((found["operations"], found["unanswered"], found["not_resting"]), (0, 1, 0))
        self.assertIsNone(found["over_marks"])
        self.assertEqual(found["total"], {"bytes_down": 0, "bytes_up": 0, "lost_down": 0, "lost_up": 0,
                                          "time_s": None})

    def test_the_last_line_is_cut_off(self):
        """It is left out, also where it looks whole."""
        whole = f"{packets.HEAD}\n{down(40, 100)}\n"
        for cut in (down(50, 100), down(50, 100)[:-20], "1"):
            self.assertEqual(self.of_text(whole + cut)["total"]["bytes_down"], 152)

    def test_what_is_no_table(self):
        """One line says so."""
        for text, said in (("", "is no table of packets"), ("time,size\n", "is no table of packets"),
                           ("\u00fc\n", "is no table of packets"),
                           (f"{packets.HEAD}\n{down(1)}\n1,2,down\n{down(3)}\n", "line 3 is no packet"),
                           (packets.HEAD + "\n1,x,up,52,tcp,0,delivered\n", "line 2 is no packet"),
                           (packets.HEAD + "\n1,2,left,52,tcp,0,delivered\n", "line 2 is no packet")):
            with self.assertRaisesRegex(packets.PacketsError, said):
                self.of_text(text)
        with self.assertRaisesRegex(packets.PacketsError, "^/nonexistent: No such file"):
            packets.figures("/nonexistent", settings(), pressed([]), BEGIN, END)


if __name__ == "__main__":
    unittest.main()
