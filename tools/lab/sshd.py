"""An sshd for one run: whoever runs the lab logs in, with a key made for it, and has X forwarded.

Both ends of the link see the run's folder, which has keys and settings. The only command of a session
writes down the name of its X display, and stays. ssh does not start the content, whose cost is a figure
of its own.
"""
import os
import pwd
import shlex
import subprocess

SSHD = "/usr/sbin/sshd"  # it runs itself again, and wants its whole path for that
XAUTH = "/usr/bin/xauth"
PROGRAMS = {SSHD: "openssh-server", XAUTH: "xauth", "ssh-keygen": "openssh-client"}
HOST = "lab"  # under which ssh knows the host's key

# sshd's process of the session is the script's parent, and ends with the connection.
_HAND_OVER = """#!/bin/sh
[ -n "$DISPLAY" ] || { echo 'sshd forwards no X display' >&2; exit 1; }
echo "$DISPLAY" >FILE.part && mv FILE.part FILE || exit 1
exec tail --pid=$PPID -s 0.2 -f /dev/null
"""


def _path(folder, name):
    return os.path.join(folder, "ssh", name)


def _write(folder, name, text, mode=0o600):
    with open(os.open(_path(folder, name), os.O_WRONLY | os.O_CREAT, mode), "w", encoding="ascii") as file:
        file.write(text)


def _public(folder, name):
    with open(_path(folder, name + ".pub"), encoding="ascii") as file:
        return file.read()


def xauthority(folder):
    """The file by which programs may use the forwarded display; the session makes it."""
    return _path(folder, "xauthority")


def command(folder, host, port, display_file):
    """Makes keys and settings. sshd's argument list; a session names its display in the file."""
    os.mkdir(os.path.join(folder, "ssh"), 0o700)
    for key in ("host_key", "key"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", _path(folder, key)], check=True)
    _write(folder, "authorized", _public(folder, "key"))
    _write(folder, "known", f"{HOST} {_public(folder, 'host_key')}")
    _write(folder, "hand-over", _HAND_OVER.replace("FILE", shlex.quote(display_file)), 0o700)
    # IPv4 alone: where the loopback has no ::1, no display could be forwarded
    _write(folder, "sshd_config",
           f"AddressFamily inet\nListenAddress {host}:{port}\nHostKey {_path(folder, 'host_key')}\n"
           f"AuthorizedKeysFile {_path(folder, 'authorized')}\nStrictModes no\nUsePAM no\nPidFile none\n"
           "PermitRootLogin prohibit-password\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
           f"PermitUserRC no\nX11Forwarding yes\nXAuthLocation {XAUTH}\n"
           f"SetEnv XAUTHORITY={xauthority(folder)}\n"
           f"ForceCommand exec {shlex.quote(_path(folder, 'hand-over'))}\n")
    if os.geteuid() == 0:
        os.makedirs("/run/sshd", 0o755, exist_ok=True)  # root's sshd wants it
    return [SSHD, "-D", "-e", "-f", _path(folder, "sshd_config")]


def client(folder, host, port, options):
    """The argument list of an ssh that forwards its display, trusting who draws there."""
    settings = (f"UserKnownHostsFile={_path(folder, 'known')}", "GlobalKnownHostsFile=none",
                f"HostKeyAlias={HOST}", "StrictHostKeyChecking=yes", "IdentitiesOnly=yes",
                "IdentityAgent=none", "BatchMode=yes", "ControlPath=none")
    return ["ssh", "-F", "none", "-T", "-Y", "-p", str(port), "-l", pwd.getpwuid(os.getuid()).pw_name, "-i",
            _path(folder, "key"), *(word for setting in settings for word in ("-o", setting)), *options, host]
