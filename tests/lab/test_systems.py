"""Remote desktops other than VNC: what is started, without starting it."""
import configparser
import os
import shutil
import subprocess
import unittest
from unittest import mock

import paths
import contents
import servers
import sshd
import viewers
from processes import RunFailed, end

SETTINGS = {"geometry": "800x600", "viewer_options": ["MORE"], "server_options": ["--no-sync"],
            "security": "none", "seed": 3,
            "content": {"scene": "video", "size": "320x180", "fps": 10}}


class Tables(unittest.TestCase):
    """Servers and viewers fit together."""

    def test_everybody_has_somebody_to_speak_to(self):
        """Each protocol has a server and a viewer."""
        self.assertEqual({s.protocol for s in servers.SERVERS.values()},
                         {v.protocol for v in viewers.VIEWERS.values()})

    def test_no_security_is_promised_that_nobody_makes(self):
        """The kinds are those of VNC servers."""
        for name, server in servers.SERVERS.items():
            if server.protocol != "RFB":
                self.assertEqual(server.security, ("none",), name)

    def test_no_picture_takes_a_shortcut(self):
        """Through memory that both ends of the link have, as they are on one machine."""
        for name, viewer in viewers.VIEWERS.items():
            if viewer.is_screen:
                self.assertIn("MIT-SHM", viewer.screen, name)
        self.assertIn("--mmap=no", servers.XPRA_WITHOUT)


class Services(unittest.TestCase):
    """What stands in the way of a server."""

    def test_xrdp_beside_its_service(self):
        """The lab says so, and starts nothing."""
        service = paths.Folder(self).write("xrdp.pid", "1")
        with mock.patch.object(servers, "XRDP_SERVICE", service), self.assertRaisesRegex(RunFailed, "service runs"):
            servers.SERVERS["xrdp"].start(None)


class Commands(unittest.TestCase):
    """The viewers' command lines."""

    def command(self, name, folder="/run/of", **settings):
        """With an address, and one more option."""
        return viewers.VIEWERS[name].command({**SETTINGS, **settings}, "10.203.0.2", 5900, folder, {})

    def test_xfreerdp(self):
        """It knows where to, how large, and asks nobody."""
        command = self.command("xfreerdp")
        self.assertEqual(command[0], "xfreerdp")
        for option in ("/v:10.203.0.2:5900", "/size:800x600", "/bpp:32", "/cert:ignore", "MORE"):
            self.assertIn(option, command)
        self.assertTrue([o for o in command if o.startswith("/p:")])
        self.assertIn("/network:auto", command)
        self.assertEqual([o for o in self.command("xfreerdp", viewer_options=["/network:lan"])
                          if o.startswith("/network:")], ["/network:lan"])

    def test_xpra(self):
        """It attaches to a TCP port."""
        command = self.command("xpra")
        self.assertEqual(command[:3], ["xpra", "attach", "tcp://10.203.0.2:5900/"])
        self.assertIn("MORE", command)

    def test_ssh(self):
        """Options come before the host, which ends them; no file of the user's is read."""
        command = self.command("x-over-ssh")
        self.assertEqual(command[-2:], ["MORE", "10.203.0.2"])
        self.assertIn("-Y", command)
        self.assertEqual(command[command.index("-F") + 1], "none")
        self.assertIn("UserKnownHostsFile=/run/of/ssh/known", command)

    def test_who_tells_where_the_screen_is(self):
        """It writes the display, and stays."""
        folder = paths.Folder(self)
        os.environ["LINKEM_CLIENT"] = "10.203.0.1"
        self.addCleanup(os.environ.pop, "LINKEM_CLIENT")
        process = subprocess.Popen(self.command("x-over-tcp", folder.path), start_new_session=True,
                                   env={**os.environ, "DISPLAY": ":123"})
        self.addCleanup(end, [process])
        desk = servers.Desk(SETTINGS, folder.path, {})
        waiting = desk.run([os.path.join(contents.SCRIPTS, "on-display.sh"),
                            contents.display_file(folder.path), "sh", "-c", "echo $$ $DISPLAY"], "waiting")
        self.addCleanup(end, [waiting])
        self.assertEqual(waiting.wait(30), 0)
        with open(desk.log("waiting"), encoding="ascii") as file:
            self.assertEqual(file.read().split(), [str(waiting.pid), "10.203.0.1:123"])
        self.assertIsNone(process.poll())


class FarContent(unittest.TestCase):
    """The content of a display that is across the link."""

    def test_how_it_is_started(self):
        """With the server's options, as it has no other one."""
        folder = paths.Folder(self)
        started = []

        class Desk(servers.Desk):
            """Starts nothing."""

            def run(self, argv, name, env=None):
                started.append((argv, name, env))

        contents.show_far(Desk(SETTINGS, folder.path, {"content": "/the/content"}),
                          XAUTHORITY="/run/of/xauthority")
        (argv, name, env), = started
        self.assertEqual(name, "content")
        self.assertEqual(env["XAUTHORITY"], "/run/of/xauthority")
        self.assertTrue(os.access(argv[0], os.X_OK))
        self.assertEqual(argv[1:4], [contents.display_file(folder.path), "/the/content", "video"])
        self.assertEqual(argv[-1], "--no-sync")


@unittest.skipUnless(all(map(shutil.which, ("ssh-keygen", sshd.SSHD))), "no sshd installed")
class Xrdp(unittest.TestCase):
    """Its configuration."""

    def test_one_session_without_a_login(self):
        config = configparser.ConfigParser()
        values = {"port": servers.PORT, "behind": servers.BEHIND, "cert": "/c", "key": "/k", "log": "/l"}
        config.read_string(servers._XRDP.format(**values))
        self.assertEqual(config["Globals"]["autorun"], "lab")
        self.assertEqual((config["Globals"]["port"], config["lab"]["port"]), ("5900", "5901"))
        self.assertEqual(set(config["Channels"].values()), {"false"})  # nothing but the picture


class Sshd(unittest.TestCase):
    """Its settings."""

    def test_sshd_understands_them(self):
        """And nobody else can read the keys."""
        folder = paths.Folder(self)
        command = sshd.command(folder.path, "127.0.0.1", 5900, contents.display_file(folder.path))
        done = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(os.stat(os.path.join(folder.path, "ssh")).st_mode & 0o777, 0o700)

    def test_a_session_without_a_display_says_so(self):
        """Instead of staying."""
        folder = paths.Folder(self)
        sshd.command(folder.path, "127.0.0.1", 5900, contents.display_file(folder.path))
        env = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
        done = subprocess.run([os.path.join(folder.path, "ssh", "hand-over")], env=env, capture_output=True,
                              text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (1, "sshd forwards no X display\n"))
        self.assertFalse(os.path.exists(contents.display_file(folder.path)))


if __name__ == "__main__":
    unittest.main()
