"""A machine at the far end of ssh: a real sshd for this user, and vnchl-accel in the far user's PATH.

For vnchl-linkem, whose two ends share all files: `server_lines()` starts sshd at the server's end, and
`Ssh.program` is the ssh of the client's end, which knows that machine as HOST and has a key for it.
"""
import os
import pwd
import shlex
import shutil
import subprocess

from picture.ends import ADDRESS, PORT as SERVER_PORT

HOST = "far"
PORT = 2222
SSHD = "/usr/sbin/sshd"
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

    def _path(self, name):
        return os.path.join(self.folder, name)

    def _write(self, name, text, mode=0o600):
        with open(os.open(self._path(name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w",
                  encoding="utf-8") as file:
            file.write(text)

    def _public(self, name):
        with open(self._path(name + ".pub"), encoding="ascii") as file:
            return file.read()

    def make(self, password, accel):
        """`password`: the file that the far user's server has, which is the far user's own, too."""
        for folder in (self.bin, os.path.join(self.home, ".vnc"), self.far_bin):
            os.makedirs(folder, 0o700)
        shutil.copy(password, os.path.join(self.home, ".vnc", "passwd"))
        os.symlink(accel, os.path.join(self.far_bin, "vnchl-accel"))
        for key in ("host_key", "key"):
            subprocess.run([PROGRAMS[1], "-q", "-t", "ed25519", "-N", "", "-f", self._path(key)], check=True)
        self._write("authorized", self._public("key"))
        self._write("known", f"{HOST} {self._public('host_key')}")
        self._write("config", f"Host {HOST}\n HostName {ADDRESS}\n Port {PORT}\n HostKeyAlias {HOST}\n"
                              f" User {pwd.getpwuid(os.getuid()).pw_name}\n"
                              f" UserKnownHostsFile {self._path('known')}\n GlobalKnownHostsFile none\n"
                              f" IdentityFile {self._path('key')}\n IdentitiesOnly yes\n IdentityAgent none\n"
                              " BatchMode yes\n ControlPath none\n")
        self._write("bin/ssh", f"#!/bin/sh\nexec {shlex.quote(shutil.which('ssh'))} -F "
                               f"{shlex.quote(self._path('config'))} \"$@\"\n", 0o700)
        self._write("shell", f"#!/bin/sh\nexport PATH={shlex.quote(self.far_bin)}:/usr/bin:/bin "
                             f"HOME={shlex.quote(self.home)} XDG_RUNTIME_DIR={shlex.quote(self.runtime)}\n"
                             "unset XDG_STATE_HOME XDG_CONFIG_HOME\n"
                             "exec sh -c \"$SSH_ORIGINAL_COMMAND\"\n", 0o700)
        self._write("sshd_config", f"ListenAddress {ADDRESS}:{PORT}\nHostKey {self._path('host_key')}\n"
                                   f"AuthorizedKeysFile {self._path('authorized')}\nStrictModes no\n"
                                   "UsePAM no\nPidFile none\nPermitRootLogin yes\nPasswordAuthentication no\n"
                                   "KbdInteractiveAuthentication no\n"
                                   f"ForceCommand {self._path('shell')}\n")

    def server_lines(self):
        """In sh: starts sshd, which root alone needs a folder for."""
        make = "mkdir -p /run/sshd; " if os.geteuid() == 0 else ""
        return f"{make}{SSHD} -D -e -f {shlex.quote(self._path('sshd_config'))} 2>/dev/null &"

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
