"""How a viewer reaches its server: which accelerators are started, the ends of the link, and earlier visits."""
import json
import os
import unittest
from unittest import mock

import paths
import accelerator
import bench
import client_agent
import link
import servers
import settings
from processes import RunFailed, end, wait_until

# Says how it was called, and listens until it is ended.
STUB = """#!/usr/bin/python3
import json, socket, sys, time
with open(sys.argv[0] + ".json", "w", encoding="ascii") as file:
    json.dump(sys.argv[1:], file)
host, _, port = sys.argv[sys.argv.index("--listen") + 1].rpartition(":")
with socket.create_server((host, int(port))):
    time.sleep(600)
"""
HOST = "127.0.0.1"


class Accelerators(unittest.TestCase):
    """vnchl-accel at the ends of the link."""

    def setUp(self):
        self.folder = paths.Folder(self)
        self.processes = []
        self.addCleanup(lambda: end(self.processes))
        for name in ("BESIDE_PORT", "NEAR_PORT"):
            patched = mock.patch.object(accelerator, name, bench.free_port())
            patched.start()
            self.addCleanup(patched.stop)
        environment = mock.patch.dict(os.environ, LINKEM_SERVER=HOST)
        environment.start()
        self.addCleanup(environment.stop)

    def program(self, text):
        """A program of this text in the place of vnchl-accel."""
        path = self.folder.write("accel", text)
        os.chmod(path, 0o700)
        return path

    def both(self, through, text=STUB):
        """What is started at the server's end, and at the viewer's: its arguments; None: nothing."""
        own = settings.defaults()
        own.update(through=through, accel_options=["--algorithm", "paper"])
        tools = {"accel": self.program(text)}
        started = []
        for start in (
                lambda: accelerator.beside(servers.Desk(own, self.folder.path, tools, self.processes)),
                lambda: accelerator.near(self.folder.path, {"settings": own, "tools": tools},
                                         self.processes)):
            process = start()
            if process:
                with open(tools["accel"] + ".json", encoding="ascii") as file:
                    started.append(json.load(file))
                self.assertIn(process, self.processes)
            else:
                started.append(None)
        return own, started

    def check(self, arguments, port, to_port):
        """It listens here, in front of that, as it was told."""
        self.assertEqual(arguments[:4], ["--listen", f"{HOST}:{port}", "--server", f"{HOST}::{to_port}"])
        self.assertEqual(arguments[4:6], ["--algorithm", "paper"])

    def test_none(self):
        """The viewer connects to the server."""
        own, started = self.both("direct")
        self.assertEqual(started, [None, None])
        self.assertEqual(accelerator.far_port(own), servers.PORT)

    def test_beside_the_server(self):
        """The viewer connects to it across the link."""
        own, (beside, near) = self.both("accel")
        self.check(beside, accelerator.BESIDE_PORT, servers.PORT)
        self.assertIsNone(near)
        self.assertEqual(accelerator.far_port(own), accelerator.BESIDE_PORT)

    def test_near_the_viewer(self):
        """The server is across the link."""
        own, (beside, near) = self.both("accel-near")
        self.assertIsNone(beside)
        self.check(near, accelerator.NEAR_PORT, servers.PORT)
        self.assertEqual(accelerator.far_port(own), servers.PORT)

    def test_a_pair(self):
        """The one near the viewer is in front of the one beside the server."""
        _own, (beside, near) = self.both("accel-pair")
        self.check(beside, accelerator.BESIDE_PORT, servers.PORT)
        self.check(near, accelerator.NEAR_PORT, accelerator.BESIDE_PORT)

    def test_one_that_does_not_start(self):
        """Its last line is told."""
        for through in ("accel", "accel-near"):
            with self.subTest(through), self.assertRaisesRegex(RunFailed, "did not start: no such thing"):
                self.both(through, "#!/bin/sh\necho no such thing\nexit 2\n")


# Is there, and ends as it is told.
VIEWER = """#!/bin/sh
trap '%s' TERM
touch "$0.there"
while :; do sleep 0.05; done
"""


class Visits(unittest.TestCase):
    """A visit counts if the viewer could keep what it has learnt."""

    def visit(self, viewer, at_the_end):
        """One of a viewer that does this when it is ended."""
        folder = paths.Folder(self)
        path = folder.write("viewer", VIEWER % at_the_end)
        os.chmod(path, 0o700)

        def events(_eye, _idle):
            self.assertTrue(wait_until(lambda: os.path.exists(path + ".there"), 30))
            return [{"event": "end"}]

        task = {"settings": {**settings.defaults(), "viewer": viewer}, "tools": {"eye": "true"}}
        with mock.patch.multiple(client_agent, eye_events=events, VISITED_S=0, VISIT_END=0.5):
            client_agent.visit(folder.path, task, None, [path], None)

    def test_as_it_should_be(self):
        """Some viewers have another status when they are ended."""
        self.visit("vnchl", "exit 0")
        self.visit("tigervnc", "exit 1")

    def test_one_that_fails(self):
        """The run tells the status."""
        with self.assertRaisesRegex(RunFailed, "the viewer vnchl ended its visit with status 1: no room"):
            self.visit("vnchl", "echo no room; exit 1")

    def test_one_that_stays(self):
        """The run fails."""
        with self.assertRaisesRegex(RunFailed, "the viewer tigervnc did not end within 0.5 s of its visit"):
            self.visit("tigervnc", "")


class Ends(unittest.TestCase):
    """What linkem runs at the two ends."""

    def ends(self, **own):
        """(the command of the server's end, the one of the client's)."""
        told = settings.defaults()
        told["link"].update(own)
        argv = link.arguments(told, "linkem", "stats", "packets", ["server", "a b"], ["client", "a b"])
        return argv[argv.index("--server-command") + 1], argv[argv.index("--") + 1:]

    def test_as_the_machine_has_it(self):
        """The commands alone."""
        self.assertEqual(self.ends(), ("exec server 'a b'", ["client", "a b"]))

    def test_tcp_of_its_own(self):
        """Each end sets what is its own."""
        server, client = self.ends(server_wmem="32m", client_rmem="32m", sack=False)
        self.assertEqual(server, "echo 4096 16384 33554432 > /proc/sys/net/ipv4/tcp_wmem && "
                                 "echo 0 > /proc/sys/net/ipv4/tcp_sack && exec server 'a b'")
        self.assertEqual(client, ["sh", "-c", "echo 4096 131072 33554432 > /proc/sys/net/ipv4/tcp_rmem && "
                                              "exec client 'a b'"])

    def test_small_windows(self):
        """The default is not beyond the most."""
        server, client = self.ends(server_wmem="8k", client_rmem="64k")
        self.assertIn("echo 4096 8192 8192 >", server)
        self.assertIn("echo 4096 65536 65536 >", client[-1])


if __name__ == "__main__":
    unittest.main()
