#!/usr/bin/env python3
"""`vnchl --ssh` as a new user has it, from the packages to a picture; and how soon the picture comes,
beside `vncviewer -via`.

    sudo tools/ssh_trial.py --build build [--packages FOLDER] [--rtt MS] [--rounds N]
    sudo tools/ssh_trial.py --build build --check [--packages FOLDER]

Two machines are made of this one: copies of its files that are thrown away, each with a network, users
and processes of its own, and a link with a delay between them (docs/linkem.md). apt installs vnchl at
one of them. The other one gets vnchl-accel, a real sshd, and a user with TigerVNC's server. The packages
are made by tools/deb.sh, unless FOLDER has them.

Prints a table of the time from a viewer's start to the picture in its window, for each way in turn, so
that what else this machine does meets all of them. The server's screen has one colour: it is round trips
that count, not the line. Run it while nothing else runs.

--check takes one picture by `vnchl --ssh`, and measures nothing. It ends with 77 where something is
missing that it needs: root, namespaces, a program. With VNCHL_REQUIRE_SERVERS=1 no program may be missing.
"""
import argparse
import glob
import json
import mmap
import os
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time

LINKEM = "tools/linkem/vnchl-linkem"
TOOLS = os.path.dirname(os.path.abspath(__file__))
SKIP = 77
USER, PASSWORD, HOME = "trial", "s3cret", "/home/trial"
FAR = "10.203.0.2"  # the server's end of the link (docs/linkem.md)
PACKAGES = {"near": ("vnchl", "vnchl-session"), "far": ("vnchl-accel", "vnchl-session")}
NEEDED = ("apt-get", "pivot_root", "setpriv", "ssh", "ssh-keygen", "sshd", "unshare", "useradd", "vncpasswd",
          "xsetroot", "Xtigervnc")
NEEDED_TO_MEASURE = ("xtigervncviewer", "Xvfb")
COLOUR = 0x2A7FD4
PATIENCE = 120  # s for one picture, and for the servers
NEVER_MET = "the first time"
PASSWORD_FILE = HOME + "/.vnc/passwd"

# name, command, whether the viewer has met the server before
WAYS = (
    ("`vnchl --ssh far`, " + NEVER_MET, ("vnchl", "--ssh", "far")),
    ("`vnchl --ssh far`, later", ("vnchl", "--ssh", "far")),
    ("`vnchl --via far`, " + NEVER_MET, ("vnchl", "--via", "far", "--passwd-file", PASSWORD_FILE, "localhost:1")),
    ("`vnchl --via far`, later", ("vnchl", "--via", "far", "--passwd-file", PASSWORD_FILE, "localhost:1")),
    ("`vncviewer -via far`", ("xtigervncviewer", "-via", "far", "-passwd=" + PASSWORD_FILE, "localhost:1")),
)
LOGIN = ("`ssh far true`: the login, and its end", ("ssh", "far", "true"))

# With the root folder and the command as arguments, in namespaces of its own. pivot_root and not chroot:
# in that nobody may make the namespaces which vnchl shuts its session in.
ENTER = """set -e
root=$1
shift
mount -t proc proc "$root/proc"
cd "$root"
pivot_root . mnt
cd /
umount -l /mnt
echo started
"$@" &
wait $!
"""

# What runs at the far machine: -noreset, because a server that resets itself forgets its colour.
FAR_MACHINE = f"""/usr/sbin/sshd -D -e -f /etc/ssh/trial_config 2>/tmp/sshd.log &
as_user() {{
    setpriv --reuid={USER} --regid={USER} --init-groups env -i HOME={HOME} PATH=/usr/bin:/bin DISPLAY=:1 "$@"
}}
as_user Xtigervnc :1 -noreset -localhost -geometry 1024x768 -SecurityTypes VncAuth \\
    -PasswordFile {PASSWORD_FILE} 2>/tmp/Xtigervnc.log &
until as_user xsetroot -solid '#{COLOUR:06x}' 2>/dev/null; do sleep 0.1; done
touch /run/trial.ready
wait
"""
SSHD_CONFIG = "HostKey /etc/ssh/trial_key\nUsePAM no\nPasswordAuthentication no\nPidFile none\n"


class Missing(Exception):
    """Something that this needs is not there."""


def call(*command, **options):
    """Runs it; what it says is shown when it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False, **options)
    if done.returncode != 0:
        sys.exit(f"ssh_trial: {' '.join(command)} failed:\n{done.stdout.decode(errors='replace')}")
    return done.stdout


def say(text):
    print(f"ssh_trial: {text}", file=sys.stderr, flush=True)


class Machine:
    """A copy of this system, below a folder that is thrown away."""

    def __init__(self, folder, name):
        self.name, self.root = name, os.path.join(folder, name)
        self.layers = os.path.join(folder, "layers", name)

    def path(self, path):
        return self.root + path

    def make(self):
        upper, work = (os.path.join(self.layers, part) for part in ("upper", "work"))
        for each in (upper, work, self.root):
            os.makedirs(each)
        if subprocess.run(["mount", "-t", "overlay", self.name, self.root, "-o",
                           f"lowerdir=/,upperdir={upper},workdir={work}"], check=False).returncode != 0:
            raise Missing("this system allows no overlay")
        for each in ("/dev", "/sys", "/proc"):
            call("mount", "--rbind", each, self.path(each))
        for each, mode in (("/tmp", "1777"), ("/run", "755")):
            call("mount", "-t", "tmpfs", "-o", f"mode={mode}", each, self.path(each))
        for each in ("/tmp/.X11-unix", "/run/sshd"):
            os.mkdir(self.path(each))
        os.chmod(self.path("/tmp/.X11-unix"), 0o1777)

    def install(self, packages):
        """As a user does it, after what this system has of them was taken away."""
        call("chroot", self.root, "dpkg", "--purge", *sorted({name for each in PACKAGES.values() for name in each}))
        names = [shutil.copy(packages[name], self.path("/tmp")) for name in PACKAGES[self.name]]
        call("chroot", self.root, "apt-get", "install", "--yes", "--no-install-recommends",
             *("/tmp/" + os.path.basename(name) for name in names),
             env=dict(os.environ, DEBIAN_FRONTEND="noninteractive", HOME="/root"))

    def add_user(self):
        # a password that is none: who has one with '!' sshd takes for locked out
        call("chroot", self.root, "useradd", "--create-home", "--shell", "/bin/sh", "--password", "*", USER)
        for each in (".ssh", ".vnc"):
            self.write(f"{HOME}/{each}/")

    def write(self, path, text="", mode=0o600):
        """A file, or with a slash at its end a folder, of the user's when it is in the user's home."""
        where = self.path(path)
        if path.endswith("/"):
            os.mkdir(where, 0o700)
        else:
            with open(where, "w" if isinstance(text, str) else "wb") as file:
                file.write(text)
            os.chmod(where, mode)
        if path.startswith(HOME):
            home = os.stat(self.path(HOME))
            os.chown(where, home.st_uid, home.st_gid)

    def read(self, path):
        with open(self.path(path), encoding="utf-8") as file:
            return file.read()

    def command(self, *argv):
        """As root. What it starts ends with it."""
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "sh", self.root, *argv]

    def user_command(self, *argv):
        return self.command("setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups", "env", "-i",
                            f"HOME={HOME}", f"USER={USER}", "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "DISPLAY=:1", *argv)


def introduce(near, far):
    """The user of the near machine has a key of the far one, and has logged in there before."""
    for machine, key in ((near, f"{HOME}/.ssh/id_ed25519"), (far, "/etc/ssh/trial_key")):
        call("chroot", machine.root, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
    key = near.read(f"{HOME}/.ssh/id_ed25519")
    near.write(f"{HOME}/.ssh/id_ed25519", key)  # the user's own
    near.write(f"{HOME}/.ssh/known_hosts", "far " + far.read("/etc/ssh/trial_key.pub"))
    near.write("/etc/hosts", f"127.0.0.1 localhost\n{FAR} far\n", 0o644)
    far.write(f"{HOME}/.ssh/authorized_keys", near.read(f"{HOME}/.ssh/id_ed25519.pub"))
    far.write("/etc/ssh/trial_config", SSHD_CONFIG)
    proof = subprocess.run(["vncpasswd", "-f"], input=PASSWORD.encode() + b"\n", stdout=subprocess.PIPE,
                           check=True).stdout
    for machine in (near, far):
        machine.write(PASSWORD_FILE, proof)


def last_words(log):
    with open(log.name, encoding="utf-8", errors="replace") as file:
        return file.read()[-2000:]


class Screen:
    """The near machine's screen: Xvfb keeps it in a file."""

    def __init__(self, near, log):
        near.write(f"{HOME}/screen/")
        self.server, _ = begun(near, ("Xvfb", ":1", "-displayfd", "1", "-br", "-noreset", "-screen", "0",
                                      "1280x1024x24", "-fbdir", f"{HOME}/screen"), log)
        if self.server.stdout.readline() != b"1\n":
            sys.exit(f"ssh_trial: Xvfb does not start:\n{last_words(log)}")
        with open(near.path(f"{HOME}/screen/Xvfb_screen0"), "rb") as file:
            self.memory = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        # XWDFileHeader: the header's size, and of the rest what says where the pixels are
        header = struct.unpack(">25I", self.memory[:100])
        start, line, colours = header[0], header[12], header[19]
        start += colours * 12
        self.places = [start + y * line + x * 4 for x in range(340, 941, 100) for y in range(312, 713, 100)]

    def shows(self):
        """Whether most of its middle has the server's colour, as JPEG may have changed it."""
        good = 0
        for place in self.places:
            pixel = self.memory[place:place + 3]  # blue, green, red
            good += all(abs(have - (COLOUR >> shift & 255)) < 8 for have, shift in zip(pixel, (0, 8, 16)))
        return good * 2 > len(self.places)

    def close(self):
        self.server.kill()
        self.server.wait()


def wait(condition, failure):
    until = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > until:
            sys.exit("ssh_trial: " + failure)
        time.sleep(0.002)


def begun(near, command, log):
    """The process, when the command is about to run, and that moment."""
    process = subprocess.Popen(near.user_command(*command), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=log)
    if process.stdout.readline() != b"started\n":
        sys.exit(f"ssh_trial: the copy of this system cannot be entered:\n{last_words(log)}")
    return process, time.monotonic()


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def end(process):
    """As its user ends it, so that it writes down what it has learnt of the server."""
    for shell in children(process.pid):
        for viewer in children(shell):
            os.kill(viewer, signal.SIGTERM)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()  # and with it all that it has started
        process.wait()


def measure(near, screen, name, command, log):
    """ms until the picture is there."""
    if NEVER_MET in name:
        for each in (".local", ".config", ".cache"):
            shutil.rmtree(near.path(f"{HOME}/{each}"), ignore_errors=True)
    wait(lambda: not screen.shows(), "the last viewer's window stays")
    process, start = begun(near, command, log)
    wait(lambda: screen.shows() or process.poll() is not None, f"no picture: {name}")
    took = time.monotonic() - start
    if process.poll() is not None:
        sys.exit(f"ssh_trial: {name} ended without a picture:\n{last_words(log)}")
    time.sleep(1)
    end(process)
    time.sleep(1)  # the far end has seen it
    return took * 1000


def measure_login(near, log):
    process, start = begun(near, LOGIN[1], log)
    if process.wait(PATIENCE) != 0:
        sys.exit(f"ssh_trial: ssh cannot log in:\n{last_words(log)}")
    return (time.monotonic() - start) * 1000


def print_table(near, options, log):
    """At the near machine's end of the link."""
    times = {name: [] for name, _ in (LOGIN, *WAYS)}
    screen = Screen(near, log)
    try:
        for number in range(options.rounds):
            say(f"round {number + 1} of {options.rounds}")
            times[LOGIN[0]].append(measure_login(near, log))
            for name, command in WAYS:
                times[name].append(measure(near, screen, name, command, log))
    finally:
        screen.close()
    print(f"| {options.rtt:g} ms, {options.rounds} times | median | all |\n| --- | --- | --- |")
    for name, took in times.items():
        print(f"| {name} | {statistics.median(took):.0f} ms | {min(took):.0f} to {max(took):.0f} |")


def check(near, far, log):
    """One picture, by what the packages have brought."""
    for machine, other in ((near, "vnchl-accel"), (far, "vnchl")):
        if os.path.exists(machine.path("/usr/bin/" + other)):
            sys.exit(f"ssh_trial: {other} is at the {machine.name} machine, too")
    process, _ = begun(near, ("vnchl", "--headless", "--ssh", "far", "--duration", "3", "--json", "-"), log)
    out = process.stdout.read()
    if process.wait() != 0:
        sys.exit(f"ssh_trial: vnchl --ssh failed:\n{last_words(log)}")
    result = json.loads(out[out.index(b"{"):])
    if (result["width"], result["height"], result["accelerated"]) != (1024, 768, True) or result["updates"] < 1:
        sys.exit(f"ssh_trial: no picture: {result}")
    print(f"a picture of {result['width']} x {result['height']} by vnchl --ssh far")


def at_near(options):
    """At the near machine's end of the link."""
    near, far = (Machine(options.folder, name) for name in PACKAGES)
    with open(os.path.join(options.folder, "log"), "ab") as log:
        if options.check:
            check(near, far, log)
        else:
            print_table(near, options, log)


def both_ends(options):
    """In namespaces of its own: makes the machines, and the link."""
    packages = {}
    for name in sorted({name for names in PACKAGES.values() for name in names}):
        found = glob.glob(os.path.join(options.packages, name + "_*.deb"))
        if len(found) != 1:
            sys.exit(f"ssh_trial: {len(found)} packages {name} in {options.packages}")
        packages[name] = found[0]
    call("mount", "-t", "tmpfs", "trial", options.folder)
    near, far = machines = [Machine(options.folder, name) for name in PACKAGES]
    for machine in machines:
        machine.make()
        machine.install(packages)
        machine.add_user()
    introduce(near, far)
    far.write("/run/machine.sh", FAR_MACHINE)
    server = " ".join(f"'{word}'" for word in far.command("sh", "/run/machine.sh"))
    return subprocess.run(
        [os.path.join(options.build, LINKEM), "--rtt", f"{options.rtt}ms",
         "--server-command", f"exec {server} >/dev/null", "--wait-limit", f"{PATIENCE}s", "--wait-for", "22",
         "--wait-for", far.path("/run/trial.ready"), "--", *again("near", options)], check=False).returncode


def again(stage, options):
    """This program, for what comes next."""
    return [sys.executable, "-B", os.path.abspath(__file__), "--stage", stage, "--folder", options.folder,
            "--packages", options.packages, "--build", options.build, "--rtt", str(options.rtt),
            "--rounds", str(options.rounds), *(["--check"] if options.check else [])]


def begin(options):
    """Looks at what is there, and makes the packages."""
    if os.geteuid() != 0:
        raise Missing("it needs root")
    for program in NEEDED + (() if options.check else NEEDED_TO_MEASURE):
        if not shutil.which(program):
            if os.environ.get("VNCHL_REQUIRE_SERVERS") == "1":
                sys.exit(f"ssh_trial: {program} is not installed")
            raise Missing(f"{program} is not installed")
    if not os.path.exists(os.path.join(options.build, LINKEM)):
        sys.exit(f"ssh_trial: there is no {LINKEM} in {options.build}: build first")
    if subprocess.run(["unshare", "--mount", "--pid", "--net", "--fork", "true"], check=False,
                      stderr=subprocess.DEVNULL).returncode != 0 or not os.path.exists("/dev/net/tun"):
        raise Missing("this system allows no namespaces or no TUN devices")
    scratch = tempfile.mkdtemp()
    options.folder = os.path.join(scratch, "machines")
    os.mkdir(options.folder)
    try:
        if not options.packages:
            options.packages = os.path.join(scratch, "packages")
            say("making the packages")
            call(os.path.join(TOOLS, "deb.sh"), options.packages,
                 env=dict(os.environ, DEB_BUILD_OPTIONS="noautodbgsym"))
        load = os.getloadavg()[0]
        if not options.check and load > 0.5:
            say(f"this machine is busy (load {load:.1f}): the figures will be worse than they are")
        # all that is started ends with us, also when we are killed outright
        return subprocess.run(["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--mount-proc", "--fork",
                               "--kill-child", *again("machines", options)], check=False).returncode
    finally:
        shutil.rmtree(scratch)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="where meson has built")
    parser.add_argument("--packages", default="", help="the folder with the packages")
    parser.add_argument("--rtt", type=float, default=100, help="ms (default 100)")
    parser.add_argument("--rounds", type=int, default=5, help="pictures of each way (default 5)")
    parser.add_argument("--check", action="store_true", help="one picture, and no figures")
    parser.add_argument("--stage", choices=("machines", "near"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.build, options.packages = (path and os.path.abspath(path) for path in (options.build, options.packages))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    try:
        if options.stage == "near":
            return at_near(options)
        return both_ends(options) if options.stage else begin(options)
    except Missing as why:
        print(f"skipped: {why}")
        return SKIP


if __name__ == "__main__":
    sys.exit(main())
