"""An sshd for one run: whoever runs it logs in, with a key made for it.

`make_keys()`, `make_settings()` and `client_settings()` are for any such sshd, and for the ssh that connects
to it (tools/picture/ssh_end.py has one, too): both ends of the link see the folder of keys and settings.

The lab's has X forwarded. The only command of a session writes down the name of its X display, and stays.
ssh does not start the content, whose cost is a figure of its own.
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


def write(folder, name, text, mode=0o600):
    """A file of the folder."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    with open(os.open(os.path.join(folder, name), flags, mode), "w", encoding="utf-8") as file:
        file.write(text)


def _public(folder, name):
    with open(os.path.join(folder, name + ".pub"), encoding="ascii") as file:
        return file.read()


def make_keys(folder, host):
    """sshd's and the user's, and for each end what it has to know of the other one's; `host`: as ssh calls it."""
    for key in ("host_key", "key"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", os.path.join(folder, key)], check=True)
    write(folder, "authorized", _public(folder, "key"))
    write(folder, "known", f"{host} {_public(folder, 'host_key')}")


def make_settings(folder, address, port, script, before=""):
    """sshd's: nothing but the key, and nothing but the script, a file of the folder. `before`: more lines."""
    write(folder, "sshd_config",
          f"{before}ListenAddress {address}:{port}\nHostKey {os.path.join(folder, 'host_key')}\n"
          f"AuthorizedKeysFile {os.path.join(folder, 'authorized')}\nStrictModes no\nUsePAM no\nPidFile none\n"
          "PermitRootLogin prohibit-password\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
          f"ForceCommand exec {shlex.quote(os.path.join(folder, script))}\n")


def arguments(folder):
    """sshd's argument list."""
    return [SSHD, "-D", "-e", "-f", os.path.join(folder, "sshd_config")]


def client_settings(folder, host):
    """Each a NAME=VALUE: this key, this host, and nothing of the user's own."""
    return (f"User={pwd.getpwuid(os.getuid()).pw_name}", f"IdentityFile={os.path.join(folder, 'key')}",
            "IdentitiesOnly=yes", "IdentityAgent=none", f"UserKnownHostsFile={os.path.join(folder, 'known')}",
            "GlobalKnownHostsFile=none", f"HostKeyAlias={host}", "StrictHostKeyChecking=yes", "BatchMode=yes",
            "ControlPath=none")


# ---- the lab's ----

def _folder(run):
    return os.path.join(run, "ssh")


def xauthority(folder):
    """The file by which programs may use the forwarded display; the session makes it."""
    return os.path.join(_folder(folder), "xauthority")


def command(folder, host, port, display_file):
    """Makes keys and settings. sshd's argument list; a session names its display in the file."""
    own = _folder(folder)
    os.mkdir(own, 0o700)
    make_keys(own, HOST)
    write(own, "hand-over", _HAND_OVER.replace("FILE", shlex.quote(display_file)), 0o700)
    # IPv4 alone: where the loopback has no ::1, no display could be forwarded
    make_settings(own, host, port, "hand-over",
                  f"AddressFamily inet\nPermitUserRC no\nX11Forwarding yes\nXAuthLocation {XAUTH}\n"
                  f"SetEnv XAUTHORITY={xauthority(folder)}\n")
    if os.geteuid() == 0:
        os.makedirs("/run/sshd", 0o755, exist_ok=True)  # root's sshd wants it
    return arguments(own)


def client(folder, host, port, options):
    """The argument list of an ssh that forwards its display, trusting who draws there."""
    settings = (word for setting in client_settings(_folder(folder), HOST) for word in ("-o", setting))
    return ["ssh", "-F", "none", "-T", "-Y", "-p", str(port), *settings, *options, host]
