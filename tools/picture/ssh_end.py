"""A machine at the far end of ssh: a real sshd for this user, and vnchl-accel in the far user's PATH.

For vnchl-linkem, whose two ends share all files: `server_lines()` starts sshd at the server's end, and
`Ssh.program` is the ssh of the client's end, which knows that machine as HOST and has a key for it.
"""
import os
import shlex
import shutil
import sys

from picture.ends import ADDRESS, PORT as SERVER_PORT

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lab"))

import sshd  # noqa: E402

HOST = "far"
PORT = 2222
SSHD = sshd.SSHD
PROGRAMS = ("ssh", "ssh-keygen")
ALONE = "ssh itself"
AGAIN = "vnchl --ssh, again"  # a window whose ssh was killed; with its ticket, and without datagrams
AGAIN_BY_TCP = "again, datagrams off"
VIEWERS = {
    ALONE: "ssh",
    "vnchl --ssh, the first time": "vnchl",
    "vnchl --ssh, later": "vnchl",
    AGAIN: "vnchl",
    AGAIN_BY_TCP: "vnchl",
    "TigerVNC -via": "xtigervncviewer",
}


def missing():
    """The first program that is not installed; None: all are."""
    return next((name for name in (*PROGRAMS, SSHD) if not shutil.which(name)), None)


class Ssh:
    """Keys, settings and the far user's home, in files of a folder."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, "ssh")
        self.bin = os.path.join(self.folder, "bin")  # in front of the viewer's PATH
        self.program = os.path.join(self.bin, "ssh")
        self.home = os.path.join(self.folder, "home")
        self.far_bin = os.path.join(self.folder, "far-bin")
        self.runtime = os.path.join(self.folder, "runtime")  # of the far user, if it is made

    def make(self, password, accel):
        """`password`: the file that the far user's server has, which is the far user's own, too."""
        for folder in (self.bin, os.path.join(self.home, ".vnc"), self.far_bin):
            os.makedirs(folder, 0o700)
        shutil.copy(password, os.path.join(self.home, ".vnc", "passwd"))
        os.symlink(accel, os.path.join(self.far_bin, "vnchl-accel"))
        sshd.make_keys(self.folder, HOST)
        sshd.make_settings(self.folder, ADDRESS, PORT, "shell")
        settings = "".join(f" {setting}\n" for setting in sshd.client_settings(self.folder, HOST))
        sshd.write(self.folder, "config", f"Host {HOST}\n HostName {ADDRESS}\n Port {PORT}\n{settings}")
        sshd.write(self.folder, "bin/ssh", f"#!/bin/sh\nexec {shlex.quote(shutil.which('ssh'))} -F "
                                           f"{shlex.quote(os.path.join(self.folder, 'config'))} \"$@\"\n", 0o700)
        sshd.write(self.folder, "shell", f"#!/bin/sh\nexport PATH={shlex.quote(self.far_bin)}:/usr/bin:/bin "
                                         f"HOME={shlex.quote(self.home)} XDG_RUNTIME_DIR={shlex.quote(self.runtime)}\n"
                                         "unset XDG_STATE_HOME XDG_CONFIG_HOME\n"
                                         "exec sh -c \"$SSH_ORIGINAL_COMMAND\"\n", 0o700)

    def server_lines(self):
        """In sh: starts sshd, which root alone needs a folder for."""
        make = "mkdir -p /run/sshd; " if os.geteuid() == 0 else ""
        return f"{make}{shlex.join(sshd.arguments(self.folder))} 2>/dev/null &"

    def environment(self, env):
        """Of a viewer at the client's end."""
        return dict(env, PATH=f"{self.bin}:{env['PATH']}",
                    VNC_VIA_CMD=f'{shlex.quote(self.program)} -f -L "$L":"$H":"$R" "$G" sleep 20')

    def command(self, name, vnchl, security, password, options=()):
        """`password`: its file; `options`: more of vnchl's. What ssh does alone says something, and stays."""
        if name == ALONE:
            return [self.program, HOST, "echo; sleep 20"]
        if VIEWERS[name] == "vnchl":
            return [vnchl, *options, "--ssh", HOST, f"::{SERVER_PORT}"]
        return ["xtigervncviewer", "-via", HOST, f"-SecurityTypes={security}", "-ReconnectOnError=0",
                f"-passwd={password}", f"localhost::{SERVER_PORT}"]
