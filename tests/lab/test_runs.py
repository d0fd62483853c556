"""Real runs of the lab: a server, a viewer and the link between them, for a few seconds; what is
recorded when something fails; and that nothing is left, however a run ends."""
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import unittest

import paths
import link
import receive_limit
import runner
from processes import start_time, wait_until
from settings import defaults

LAB = [sys.executable, "-B", os.path.join(paths.LAB, "lab.py")]
SKIP = 77
SHORT = "[defaults]\nwarm_up_s = 0.5\nduration_s = 2\nlimit_s = 100\npress_every_ms = 300\n"
PATIENCE = 120  # s; only a hang takes so long, however slow the machine
NEEDED = ("Xvfb", "Xvnc")


def cannot_run():
    """Why no real run is possible here; None when it is."""
    lacking = [p for p in NEEDED if not shutil.which(p)]
    if lacking:
        return f"{', '.join(lacking)} not installed"
    done = subprocess.run([runner.tools_in(paths.BUILD)["linkem"], "--", "true"], check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.stderr.strip() or None


def ours(folder):
    """The processes that know of the folder, by their arguments or environment: {pid: name}."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if int(pid) == os.getpid():
            continue
        try:
            for name in ("cmdline", "environ"):
                with open(f"/proc/{pid}/{name}", "rb") as file:
                    if folder.encode() in file.read():
                        with open(f"/proc/{pid}/comm", encoding="utf-8") as comm:
                            found[int(pid)] = comm.read().strip()
        except OSError:
            continue
    return found


def namespaces(pids):
    """The network namespaces of processes."""
    found = set()
    for pid in pids:
        try:
            found.add(os.readlink(f"/proc/{pid}/ns/net"))
        except OSError:
            continue
    return found


def every_pid():
    """All processes."""
    return list(filter(str.isdigit, os.listdir("/proc")))


def others_hold_the_limit():
    """Whether another lab on this machine needs the kernel's limit of windows raised now."""
    try:
        with open(receive_limit.HOLDERS, encoding="utf-8") as file:
            holders = json.load(file)["holders"]
    except (OSError, ValueError, KeyError):
        return False
    return any(start_time(pid) == started for pid, started in holders)


def stale_locks():
    """Locks of X display numbers whose owners are gone."""
    found = set()
    for path in glob.glob("/tmp/.X*-lock"):
        try:
            with open(path, encoding="ascii") as file:
                owner = file.read().strip(" \0\n")
            if not os.path.exists(f"/proc/{owner}"):
                found.add(path)
        except OSError:
            continue  # just removed
    return found


class Runs(unittest.TestCase):
    """Through the command line, as a user would."""

    def setUp(self):
        self.folder = paths.Folder(self)
        self.runs = os.path.join(self.folder.path, "runs")  # where the folders of runs go
        os.mkdir(self.runs)
        self.stale = stale_locks()  # other programs'

    def start(self, text, *options, **environment):
        """lab.py run of an experiment of this text."""
        path = self.folder.write("x.toml", paths.HEAD + text)
        env = {**os.environ, "TMPDIR": self.runs, **environment}
        return subprocess.Popen(
            [*LAB, "run", path, "--build", paths.BUILD, "--out", self.folder.path, *options], env=env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run_lab(self, text, *options, **environment):
        """(its status, what it said, its records)."""
        process = self.start(text, *options, **environment)
        said, _ = process.communicate(timeout=5 * PATIENCE)
        path = os.path.join(self.folder.path, "x.jsonl")
        records = []
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                records = [json.loads(line) for line in file]
        self.assert_nothing_left()
        return process.returncode, said, records

    def failure(self, settings, short=SHORT, **environment):
        """The error of a run that must fail."""
        status, said, records = self.run_lab(short + settings + "[[systems]]\nprp = 30\n", **environment)
        self.assertEqual(status, 1, said)
        self.assertEqual(len(records), 1, said)
        self.assertFalse(records[0]["result"]["ok"])
        error = records[0]["result"]["error"]
        self.assertNotIn("\n", error)
        self.assertIn(error, said)
        return error

    def assert_nothing_left(self):
        """No process, no folder, no lock."""
        wait_until(lambda: not (ours(self.runs) or os.listdir(self.runs) or stale_locks() - self.stale),
                   PATIENCE)
        self.assertEqual(ours(self.runs), {})
        self.assertEqual(os.listdir(self.runs), [])
        self.assertEqual(stale_locks() - self.stale, set())

    def test_two_systems(self):
        """Two systems, whose records hold what the report needs; the second time nothing is run."""
        text = SHORT + """
            [defaults.link]
            rtt_ms = 60
            rate_mbit = 50
            server_wmem = "16m"
            [[systems]]
            label = "window"
            prp = 20
            [[systems]]
            label = "headless"
            viewer = "vnchl-headless"
            """
        status, said, records = self.run_lab(text)
        self.assertEqual(status, 0, said)
        self.assertEqual([r["system"] for r in records], ["window", "headless"])
        for record in records:
            result, seen = record["result"], record["result"]["sightings"]
            self.assertTrue(result["ok"])
            self.assertGreater(seen["frames"], 1)
            # what a frame shows was drawn at least half a round trip ago, a response takes a whole one
            self.assertGreater(seen["age_ms"]["p5"], 30)
            self.assertGreater(seen["response_ms"]["p5"], 60)
            self.assertGreater(result["bytes_down"], 10000)
            self.assertGreaterEqual(result["bytes_down_total"], result["bytes_down"])
            self.assertGreater(result["cpu_viewer_s"] + result["cpu_server_s"], 0)
            self.assertGreater(result["rss_viewer_kb"], 1000)
            self.assertGreater(result["rss_server_kb"], 1000)
            self.assertGreater(result["viewer_report"]["updates"], 1)
            self.assertLessEqual(0, result["quality"])
            self.assertLessEqual(result["quality"], 9)
            self.assertEqual(result["linkem"]["down"]["link"]["rate"], 50e6)
            self.assertGreater(result["sampled_s"], 0)
            self.assertLess(result["sampled_s"], record["took_s"])
            self.assertIn("tigervnc-standalone-server", record["versions"])
        first = records[0]["result"]
        self.assertGreater(first["first_picture_s"], 0.06)
        # the viewer is started later than the link, and is warmed up first
        self.assertGreaterEqual(first["begin_s"], first["first_picture_s"] + 0.5)
        self.assertLess(first["begin_s"], records[0]["took_s"])
        for seen in (r["result"]["sightings"] for r in records):
            self.assertEqual(len(seen["seen_ms"]), seen["frames"])
            self.assertEqual(seen["numbers"][-1], seen["last_number"] - seen["first_number"])
            self.assertEqual(len(seen["pressed_ms"]), seen["responses"])
        status, said, again = self.run_lab(text)
        self.assertEqual((status, len(again)), (0, 2), said)

    def test_a_browser(self):
        """noVNC, with websockify at either end of the link; nothing of the browser stays."""
        settings = {"server": "tigervnc", "viewer": "novnc", "press": "key", "security": "none",
                    "content": {"scene": "video"}, "through": "direct"}
        lacking = runner.missing(settings)
        if lacking:
            self.skipTest(lacking)
        status, said, records = self.run_lab(SHORT + """
            content = { size = "320x180", fps = 10 }
            link.rtt_ms = 60
            [[systems]]
            viewer = ["novnc", "novnc-near"]
            through = ["direct", "accel"]
            """)
        self.assertEqual(status, 0, said)
        self.assertEqual(len(records), 4)
        for record in records:
            result, seen = record["result"], record["result"]["sightings"]
            self.assertGreater(seen["frames"], 1)
            self.assertGreater(seen["age_ms"]["p5"], 30)  # the link is in between
            self.assertGreater(seen["response_ms"]["p5"], 60)
            self.assertGreater(result["cpu_viewer_s"], 0)
            self.assertIn("novnc", record["versions"])

    def test_an_earlier_visit(self):
        """What the viewer has learnt there saves round trips."""
        status, said, records = self.run_lab(SHORT + """
            content = { size = "320x180", fps = 10 }
            link.rtt_ms = 300
            [[systems]]
            label = "first"
            [[systems]]
            label = "later"
            visits = 1
            """)
        self.assertEqual(status, 0, said)
        first, later = (record["result"]["first_picture_s"] for record in records)
        self.assertLess(later, first - 0.6)

    def test_tcp_of_the_link_alone(self):
        """What the kernel has at the two ends of a link, as it was asked for; the machine's stays."""
        own = defaults()
        own["link"].update(client_rmem="8m", server_wmem="6m", sack=False)
        names = ("tcp_sack", "tcp_wmem", "tcp_rmem")
        show = ["cat", *("/proc/sys/net/ipv4/" + name for name in names)]
        told = os.path.join(self.folder.path, "server")
        before = subprocess.run(show, check=True, stdout=subprocess.PIPE).stdout
        done = subprocess.run(
            link.arguments(own, runner.tools_in(paths.BUILD)["linkem"], told + ".json", "",
                           ["sh", "-c", f"{' '.join(show)} >{told}.part && mv {told}.part {told}; sleep {PATIENCE}"],
                           ["sh", "-c", f"until [ -e {told} ]; do sleep 0.1; done; {' '.join(show)}"]),
            check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=PATIENCE)
        client = done.stdout.splitlines()
        with open(told, encoding="ascii") as file:
            server = file.read().splitlines()
        self.assertEqual((server[0], server[1].split()), ("0", ["4096", "16384", str(6 << 20)]))
        self.assertEqual(client[2].split(), ["4096", "131072", str(8 << 20)])
        self.assertEqual(subprocess.run(show, check=True, stdout=subprocess.PIPE).stdout, before)

    def test_where_an_accelerator_stands(self):
        """Beside the server, near the viewer, and at both ends, with TCP of the link's own."""
        if not os.access(runner.tools_in(paths.BUILD)["accel"], os.X_OK):
            self.skipTest("vnchl-accel is not built")
        status, said, records = self.run_lab(SHORT + """
            content = { size = "320x180", fps = 10 }
            link = { rtt_ms = 60, client_rmem = "8m", server_wmem = "8m", sack = false }
            prp = "off"
            [[systems]]
            through = ["accel", "accel-near", "accel-pair"]
            accel_options = ["--algorithm", "paper"]
            """)
        self.assertEqual(status, 0, said)
        self.assertEqual(len(records), 3)
        for record in records:
            result, through = record["result"], record["settings"]["through"]
            self.assertGreater(result["sightings"]["frames"], 1)
            self.assertGreater(result["sightings"]["response_ms"]["p5"], 60)  # the link is in between
            self.assertEqual("cpu_accel_s" in result, through != "accel-near")
            self.assertEqual("cpu_accel_near_s" in result, through != "accel")
            self.assertEqual("rss_accel_near_kb" in result, through != "accel")

    def test_operations_by_packets_alone(self):
        """Of a press and its picture, and of pages; on the clock of the marks."""
        status, said, records = self.run_lab("""
            [defaults]
            warm_up_s = 0.5
            duration_s = 6
            limit_s = 100
            viewer_options = ["--encodings", "hextile,raw"]
            prp = "off"
            [defaults.link]
            rtt_ms = 60
            packets = true
            [[systems]]
            label = "presses"
            content.scene = "fill"
            press_every_ms = 1000
            press = "click"
            [[systems]]
            label = "changes"
            content = { scene = "pages", size = "640x480", fps = 1 }
            """)
        self.assertEqual(status, 0, said)
        for record in records:
            result, found = record["result"], record["result"]["packets"]
            self.assertEqual(found["starts"], record["system"])
            self.assertGreater(found["operations"], 1)
            self.assertNotIn("measured_s", result)
            # a press takes a round trip, and a page half of one
            self.assertGreater(min(found["latencies_ms"]), 60 if found["starts"] == "presses" else 30)
            self.assertGreater(found["over_marks"], 0.1)
            self.assertLess(found["over_marks"], 10)
            self.assertGreater(found["bytes_up"], 0)
            self.assertGreater(found["total"]["bytes_down"], found["bytes_down"])
            self.assertEqual(found["total"]["lost_down"], 0)

    def other_system(self, server, viewer):
        """The result of a run with another system than VNC, or None where it is not installed."""
        settings = {"server": server, "viewer": viewer, "press": "key", "security": "none", "visits": 0,
                    "content": {"scene": "video"}, "through": "direct", "link": {"packets": False}}
        if runner.missing(settings):
            return None
        status, said, records = self.run_lab(SHORT + f"""
            server = "{server}"
            content = {{ size = "320x180", fps = 10 }}
            link.rtt_ms = 60
            [[systems]]
            viewer = "{viewer}"
            """)
        self.assertEqual(status, 0, said)
        result, seen = records[-1]["result"], records[-1]["result"]["sightings"]
        self.assertGreater(seen["frames"], 1)
        self.assertGreater(seen["age_ms"]["p5"], 30)  # the link is in between
        self.assertGreater(seen["response_ms"]["p5"], 60)
        self.assertGreater(result["rss_server_kb"], 1000)
        self.assertIn(runner.VIEWERS[viewer].package, records[-1]["versions"])
        return result

    def test_x_across_the_link(self):
        """Every pixel goes across, though both ends are on one machine; the screen's cost is the viewer's."""
        found = {server: self.other_system(server, server) for server in ("x-over-tcp", "x-over-ssh")}
        for server, result in found.items():
            if result:
                with self.subTest(server):
                    self.assertGreater(result["bytes_down"], result["sightings"]["frames"] * 320 * 180 * 4 / 2)
                    self.assertGreater(result["rss_viewer_kb"], 10000)
        self.assertTrue(found["x-over-tcp"])

    def test_rdp(self):
        """FreeRDP's viewer with its own server, and with xrdp."""
        if not all([self.other_system(server, "xfreerdp") for server in ("freerdp-shadow", "xrdp")]):
            self.skipTest("not installed")

    def test_xpra(self):
        """Its desktop mode."""
        if not self.other_system("xpra", "xpra"):
            self.skipTest("not installed")

    def test_a_picture_that_rests(self):
        """Sent with loss it is exact once it was refreshed, and never without that."""
        lossy = '["--quality", "2", "--compress", "6"{}]'
        status, said, records = self.run_lab(
            SHORT.replace("duration_s = 2", "duration_s = 20").replace("ms = 300", "ms = 0") + """
            content = { scene = "starts", size = "320x180", fps = 15 }
            """ + f"""
            [[systems]]
            label = "refreshed"
            viewer_options = {lossy.format("")}
            [[systems]]
            label = "left"
            viewer_options = {lossy.format(', "--lossless-refresh", "off"')}
            """, "--jobs", "2")
        self.assertEqual(status, 0, said)
        still = {record["system"]: record["result"]["still"] for record in records}
        self.assertGreater(len(still["refreshed"]["exact_ms"]), 0)
        self.assertGreater(min(still["refreshed"]["exact_ms"]), 500)  # it is still for so long first
        self.assertEqual(still["left"]["exact_ms"], [])
        self.assertGreater(still["left"]["never"], 0)

    def test_how_good_the_pictures_are(self):
        """Exact as raw pixels, worse the lower the quality, whatever the viewer shows them with."""
        status, said, records = self.run_lab(SHORT + """
            content = { size = "320x180", fps = 10 }
            [[systems]]
            label = "raw"
            viewer_options = ["--encodings", "raw"]
            [[systems]]
            label = "high"
            viewer_options = ["--quality", "8"]
            [[systems]]
            label = "low"
            viewer_options = ["--quality", "1"]
            """)
        self.assertEqual(status, 0, said)
        pictures = {record["system"]: record["result"]["picture"] for record in records}
        for picture in pictures.values():
            self.assertGreater(picture["compared"], 2)
            self.assertLessEqual(picture["compared"], 9)  # four a second
            self.assertEqual(len(picture["psnrs_db"]), picture["compared"])
            self.assertEqual(len(picture["ssims"]), picture["compared"])
        raw, high, low = (pictures[name] for name in ("raw", "high", "low"))
        self.assertEqual(raw["exact"], raw["compared"])
        self.assertEqual((raw["psnr_db"]["p5"], raw["ssim"]["p5"]), (100, 1))
        self.assertEqual((high["exact"], low["exact"]), (0, 0))
        # another frame of the film would have less than 20 dB
        self.assertTrue(25 < low["psnr_db"]["p50"] < high["psnr_db"]["p50"] - 2 < 60, (low, high))
        self.assertTrue(0.5 < low["ssim"]["p50"] < high["ssim"]["p50"] - 0.02 < 1, (low, high))
        self.assertIn(f"{low['psnr_db']['p50']:.1f} dB", said)

    def test_a_download_beside(self):
        """What it takes of the link is known."""
        status, said, records = self.run_lab(SHORT + """
            content = { size = "320x180", fps = 10 }
            link = { rate_mbit = 8, bulk_flows = 2 }
            [[systems]]
            viewer = ["vnchl", "vnchl-headless"]
            """)
        self.assertEqual(status, 0, said)
        for record in records:
            result = record["result"]
            self.assertGreater(result["bytes_beside"], 0)
            # it was counted in steps of 20 ms, and while the other was read
            self.assertLess(result["bytes_beside"], 1.2 * result["bytes_down"])

    def test_a_window_beyond_the_limit(self):
        """It is granted where that can be, and else the run is doubtful."""
        before, shared = receive_limit.Limit().value(), others_hold_the_limit()
        asked = 2 * before
        status, said, records = self.run_lab(
            SHORT + f'content = {{ size = "320x180" }}\n[[systems]]\nwindow = "{asked}"\n')
        self.assertEqual(status, 0, said)
        granted = records[0]["result"]["viewer_report"]["window_bytes"]
        warning = records[0]["result"].get("warning", "")
        if os.access(receive_limit.LIMIT, os.W_OK):
            self.assertGreaterEqual(granted, asked)
            self.assertNotIn("window", warning)
        else:
            self.assertIn(f"asked for a window of {asked} bytes, the kernel granted {granted}", warning)
            self.assertIn("net.core.rmem_max stays at", said)
        if not (shared or others_hold_the_limit()):  # there is one limit for the whole machine
            self.assertEqual(receive_limit.Limit().value(), before)

    def test_a_server_that_does_not_start(self):
        """Its last line is told."""
        error = self.failure('server_options = ["-no-such-option"]\n')
        self.assertIn("Xvnc did not start: ", error)
        self.assertIn("no-such-option", error)

    def test_a_viewer_that_ends(self):
        """So is the viewer's."""
        error = self.failure('viewer_options = ["--no-such-option"]\n')
        self.assertIn("the viewer vnchl ended early (status 2): ", error)
        self.assertIn("no-such-option", error)

    def test_a_viewer_that_shows_nothing(self):
        """Nothing comes through a link of 2 kbit/s."""
        error = self.failure("link.rate_mbit = 0.002\n", SHORT.replace("limit_s = 100", "limit_s = 2"))
        self.assertIn("the viewer vnchl never showed the marks: ", error)

    def test_a_package_that_is_missing(self):
        """It is named."""
        empty = os.path.join(self.folder.path, "bin")
        os.mkdir(empty)
        error = self.failure("", PATH=empty)
        self.assertIn("Xvnc", error)
        self.assertIn("apt-get install tigervnc-standalone-server xvfb", error)

    def test_a_link_that_cannot_be(self):
        """What linkem says."""
        self.assertIn("nonsense", self.failure('link.options = ["--congestion=nonsense"]\n'))

    def test_all_at_a_time(self):
        """Servers that take an X display number, each twice, in one go: all find one."""
        servers = [s for s in ("tigervnc", "tightvnc", "x11vnc")
                   if all(map(shutil.which, runner.SERVERS[s].programs))]
        text = (SHORT + 'content = { size = "320x180", fps = 15 }\n[[systems]]\nprp = [50, 60]\n'
                + f"server = {json.dumps(servers)}\n")
        status, said, records = self.run_lab(text, "--jobs", str(2 * len(servers)))
        self.assertEqual(status, 0, said)
        self.assertEqual(sorted(r["settings"]["server"] for r in records), sorted(2 * servers))
        for record in records:
            result = record["result"]
            self.assertEqual(result["jobs"], 2 * len(servers))
            self.assertGreater(result["sightings"]["frames"], 0)
            self.assertGreater(result["sightings"]["presses"], 0)
            self.assertEqual("warning" in result, result["machine_other"] > runner.records.OTHERS_BUSY
                             or result["machine_busy"] > runner.records.LANES_BUSY)

    def interrupted(self, number, lanes=1):
        """Ends the lab in the middle of its runs; nothing stays."""
        own = namespaces([os.getpid()])
        server = 'server = "x11vnc"\n' if shutil.which("x11vnc") else ""  # an X server more to leave
        process = self.start(SHORT + server + "[[systems]]\nduration_s = 60\nprp = [20, 30, 40]\n",
                             "--jobs", str(lanes))

        def eyes():
            return list(ours(self.runs).values()).count("vnchl-lab-eye")

        try:
            wait_until(lambda: eyes() >= lanes, PATIENCE, [process])
            self.assertEqual(eyes(), lanes)
            made = namespaces(ours(self.runs)) - own
            self.assertGreaterEqual(len(made), 2 * lanes)
            inside = {pid: start_time(pid) for pid in every_pid() if namespaces([pid]) & made}
            process.send_signal(number)
            process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
            process.wait()
        self.assertNotEqual(process.returncode, 0)
        self.assert_nothing_left()
        living = lambda: [pid for pid, at in inside.items() if start_time(pid) == at != 0]
        wait_until(lambda: not living(), PATIENCE)
        self.assertEqual(living(), [])

    def test_interrupted(self):
        """Ctrl+C."""
        self.interrupted(signal.SIGINT)

    def test_terminated(self):
        """As by a service manager, with several runs under way."""
        self.interrupted(signal.SIGTERM, lanes=3)

    def test_killed(self):
        """Outright."""
        self.interrupted(signal.SIGKILL, lanes=2)


class Needs(unittest.TestCase):
    """What is missing for a run is known before."""

    def test_every_server_and_viewer(self):
        """A line that names packages, or nothing; and the program that was not built."""
        settings = {"server": "", "viewer": "", "press": "key", "security": "none", "visits": 0,
                    "content": {"scene": "video"}, "through": "", "link": {"packets": False}}
        for settings["server"], server in runner.SERVERS.items():
            settings["through"] = "accel" if server.protocol == "RFB" else "direct"
            for settings["viewer"], viewer in runner.VIEWERS.items():
                there = "^$|apt-get install [a-z0-9 -]+$"
                self.assertRegex(runner.missing(settings) or "",
                                 there if viewer.protocol == server.protocol else "^the viewer .* speaks ")
                with self.assertRaisesRegex(runner.LabFailed, "is not there: build it"):
                    runner.check_built(settings, runner.tools_in("/nonexistent"))

    def test_packets(self):
        """Only of viewers that the eye sees."""
        settings = {"server": "tigervnc", "viewer": "vnchl-headless", "press": "key", "security": "none",
                    "visits": 0, "content": {"scene": "video"}, "link": {"packets": True}}
        self.assertIn("set link.packets to false", runner.missing(settings))

    def test_protocol(self):
        """VNC is not all that a server may speak."""
        settings = {"server": "freerdp-shadow", "viewer": "vnchl", "press": "key", "security": "none",
                    "content": {"scene": "video"}}
        for settings["through"] in ("accel", "accel-near", "accel-pair"):
            settings["viewer"] = "vnchl"
            self.assertEqual(runner.missing(settings),
                             "the viewer vnchl speaks RFB, the server freerdp-shadow RDP")
            settings["viewer"] = "xfreerdp"
            self.assertIn("vnchl-accel passes on RFB", runner.missing(settings))

    def test_security(self):
        """Not every server has each kind of it."""
        settings = {"server": "wayvnc", "viewer": "vnchl", "press": "key", "security": "default",
                    "content": {"scene": "video"}}
        self.assertIn("no security of the kind default", runner.missing(settings))

    def test_where_an_accelerator_can_stand(self):
        """Not at the viewer's end of a link that RFB does not cross."""
        settings = {"server": "tigervnc", "viewer": "novnc", "press": "key", "security": "none",
                    "content": {"scene": "video"}}
        for settings["through"] in ("accel-near", "accel-pair"):
            self.assertIn("take novnc-near", runner.missing(settings))
        for settings["viewer"], settings["through"] in (("novnc", "accel"), ("novnc-near", "accel-pair")):
            self.assertNotIn("take novnc-near", runner.missing(settings) or "")

    def test_what_an_accelerator_can_read(self):
        """At the viewer's end no TLS."""
        settings = {"viewer": "vnchl", "press": "key", "visits": 0, "content": {"scene": "video"}}
        for settings["server"], settings["security"], tls in (
                ("tigervnc", "none", False), ("tigervnc", "default", True), ("tigervnc", "x509", True),
                ("x11vnc", "default", False), ("x11vnc", "x509", True), ("wayvnc", "x509", True)):
            for settings["through"], near in (("accel", False), ("accel-near", True), ("accel-pair", True)):
                said = runner.missing(settings) or ""
                self.assertEqual("cannot read TLS" in said, tls and near, settings)

    def test_scene(self):
        """A server that draws its picture itself has no other scenes."""
        settings = {"server": "demo", "viewer": "vnchl", "press": "key", "security": "none",
                    "content": {"scene": "pages"}}
        self.assertIn("shows the scene video only, not pages", runner.missing(settings))

    def test_visits(self):
        """Of a viewer with a window of its own only."""
        settings = {"server": "tigervnc", "viewer": "vnchl-headless", "press": "key", "security": "none",
                    "visits": 1, "content": {"scene": "video"}, "through": "direct"}
        self.assertIn("set visits to 0", runner.missing(settings))
        settings.update(server="x-over-tcp", viewer="x-over-tcp")
        self.assertIn("the screen itself is the viewer", runner.missing(settings))


if __name__ == "__main__":
    reason = cannot_run()
    if reason and not os.environ.get("VNCHL_REQUIRE_SERVERS"):
        print(f"skipped: {reason}")
        sys.exit(SKIP)
    unittest.main()
