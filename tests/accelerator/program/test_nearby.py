#!/usr/bin/python3
"""Servers nearby, with Avahi's own daemon, in a network of its own: vnchl-accel announces a port
when it is told to, and vnchl's start window shows it and connects to it. Names are hostile text.

usage: test_nearby.py ACCEL VIEWER DEMO_SERVER [PICTURE]

PICTURE: the start window is written there, as a PNG. Skipped (77) without root or Avahi's daemon.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE = 120
BUS = '''<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>
'''
AVAHI = '''[server]
host-name=lab
use-ipv6=no
allow-interfaces=near
enable-dbus=yes
[publish]
[rlimits]
'''
TOOLS = ['unshare', 'ip', 'dbus-daemon', 'avahi-daemon', 'avahi-publish', 'avahi-browse', 'Xvfb',
         'xdotool', 'import']
# What a neighbour may call itself: controls, the other direction, and more than a line holds.
HOSTILE = 'bank\x1b[2J\u202etxet ' + 'x' * 30


def end_with_us():
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


class Program:
    """One that runs until the end, and what it says."""

    def __init__(self, argv, **more):
        self.log = tempfile.TemporaryFile('w+')
        self.process = subprocess.Popen(argv, stdout=self.log, stderr=subprocess.STDOUT,
                                        stdin=subprocess.DEVNULL, preexec_fn=end_with_us, **more)
        programs.append(self)

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def await_line(self, part, times=1):
        wait_for(f'{self.process.args[0]} says {part}', lambda: self.said().count(part) >= times,
                 self)

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()


programs = []


def wait_for(what, done, program=None):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        ended = program and program.process.poll() is not None  # one more look, at what it did last
        value = done()
        if value:
            return value
        if ended:
            sys.exit(f'{what}: {program.process.args[0]} has ended\n{program.said()}')
        time.sleep(0.05)
    sys.exit(f'{what}: not within {PATIENCE} s\n{program.said() if program else ""}')


def browsed():
    """What Avahi's own program finds: a list of (name, address, port, txt)."""
    found = subprocess.run(['avahi-browse', '-rpt', '--no-db-lookup', '_rfb._tcp'],
                           capture_output=True, text=True, errors='replace').stdout
    lines = [line.split(';') for line in found.splitlines() if line.startswith('=')]
    return [(f[3], f[7], f[8], f[9]) for f in lines]


def begin_network():
    for command in (['ip', 'link', 'set', 'lo', 'up'],
                    ['ip', 'link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'other'],
                    ['ip', 'addr', 'add', '10.9.9.1/24', 'dev', 'near'],
                    ['ip', 'link', 'set', 'near', 'up'], ['ip', 'link', 'set', 'other', 'up']):
        subprocess.run(command, check=True)
    os.makedirs('/run/avahi-daemon', exist_ok=True)
    subprocess.run(['mount', '-t', 'tmpfs', 'none', '/run/avahi-daemon'], check=True)


def begin_bus(folder):
    with open(f'{folder}/bus.conf', 'w') as f:
        f.write(BUS.format(folder=folder))
    bus = Program(['dbus-daemon', f'--config-file={folder}/bus.conf', '--nofork', '--nopidfile'])
    wait_for('the bus', lambda: os.path.exists(f'{folder}/bus'), bus)
    os.environ['DBUS_SYSTEM_BUS_ADDRESS'] = f'unix:path={folder}/bus'


def begin_avahi(folder):
    with open(f'{folder}/avahi.conf', 'w') as f:
        f.write(AVAHI)
    daemon = Program(['avahi-daemon', '-f', f'{folder}/avahi.conf', '--no-drop-root',
                      '--no-chroot', '--no-rlimits'])
    daemon.await_line('Server startup complete')
    return daemon


def begin_display(folder):
    # The sockets of X servers in other networks would look free from here, and those servers would lose
    # them: so it has a folder for sockets of its own, and a number that is no other's.
    os.makedirs('/tmp/.X11-unix', exist_ok=True)
    subprocess.run(['mount', '-t', 'tmpfs', 'none', '/tmp/.X11-unix'], check=True)
    # Without -noreset it starts anew when its last client, xdotool, leaves. A window that connects then is refused.
    read, write = os.pipe()
    server = Program(['Xvfb', f':{2000 + os.getpid() % 20000}', '-displayfd', str(write), '-screen', '0',
                      '1000x700x24', '-nolisten', 'tcp', '-noreset'], pass_fds=[write])
    os.close(write)
    number = os.fdopen(read).readline().strip()
    if not number:
        sys.exit(f'no display: {server.said()}')
    os.environ['DISPLAY'] = ':' + number
    for name in ('HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'):
        os.environ[name] = f'{folder}/{name}'
        os.makedirs(os.environ[name])
    for name in ('WAYLAND_DISPLAY', 'SDL_VIDEODRIVER', 'VNC_PASSWORD', 'VNC_USERNAME'):
        os.environ.pop(name, None)


def look(picture):
    subprocess.run(['import', '-window', 'root', picture], check=True)


def is_there():
    """The window. xdotool was seen to wait for ever where a window came while it looked."""
    try:
        return subprocess.run(['xdotool', 'search', '--name', 'vnchl'], capture_output=True, timeout=5).stdout
    except subprocess.TimeoutExpired:
        return None


def type_keys(*keys):
    subprocess.run(['xdotool', 'key', *keys], check=True)


def try_it(folder, accel, viewer, server, picture):
    begin_network()
    begin_bus(folder)
    desk = Program([server, '--port', '0', '--name', 'demo'])
    desk.await_line('listening on ')
    behind = desk.said().split('127.0.0.1:')[1].split()[0]
    begin_display(folder)

    # without the daemon it says so, goes on, and announces when there is one
    far = Program([accel, '--listen', '*:5907', '--server', f'127.0.0.1::{behind}', '--announce',
                   'desk of mine', '--listen', '*:5999', '--server', f'127.0.0.1::{behind}',
                   '--state', folder])
    far.await_line('event=not-announced why="Avahi')
    assert far.process.poll() is None
    daemon = begin_avahi(folder)
    far.await_line('event=announced name="desk of mine"')
    wait_for('the port is found', lambda: [s for s in browsed() if s[1:3] == ('10.9.9.1', '5907')])
    wait_for('it says what it is', lambda: [s for s in browsed() if s[3] == '"vnchl-accel=1"'])
    assert not [s for s in browsed() if s[2] == '5999'], 'nobody has told it to'

    # a second one of the same name gets another; the daemon is started again
    twin = Program([accel, '--listen', '*:5908', '--server', f'127.0.0.1::{behind}', '--announce',
                    'desk of mine', '--state', folder])
    twin.await_line('event=announced name="desk of mine #2"')
    daemon.end()
    far.await_line('event=not-announced', 2)
    daemon = begin_avahi(folder)
    far.await_line('event=announced', 2)
    twin.end()
    wait_for('who ends is gone', lambda: [s[2] for s in browsed()] == ['5907'])

    # read again, it has its own name, and not another one beside it
    before = far.said().count('event=announced')
    far.process.send_signal(signal.SIGHUP)
    far.await_line('event=announced', before + 1)
    assert '"desk of mine #' not in far.said(), far.said()
    far.end()
    wait_for('nobody is there', lambda: not browsed())

    # the start window looks on when the daemon is started again
    window = Program([viewer, '--verbose'])
    wait_for('the start window', is_there, window)
    window.await_line('servers nearby are looked for')
    daemon.end()
    begin_avahi(folder)
    window.await_line('servers nearby are looked for', 2)

    # it shows the first nearby, and not one whose name is no name
    far = Program([accel, '--listen', '*:5907', '--server', f'127.0.0.1::{behind}', '--announce',
                   'desk of mine', '--state', folder])
    far.await_line('event=announced name="desk of mine"')
    time.sleep(1)  # it has found the port; what is judged is waited for below
    hostile = Program(['avahi-publish', '-s', HOSTILE, '_rfb._tcp', '5910'])
    wait_for('the hostile one is found', lambda: len(browsed()) == 2, hostile)
    if picture:
        time.sleep(2)
        look(picture)

    def connected():
        type_keys('Tab')
        type_keys('Return')
        time.sleep(0.5)
        return 'event=client ' in far.said()
    wait_for('a click connects', connected, window)
    window.await_line("connected to 'demo'")
    window.end()


def main():
    if os.geteuid() != 0 or not all(shutil.which(t) for t in TOOLS):
        print('needs root, and ' + ', '.join(TOOLS))
        return 77
    if os.environ.get('VNCHL_NEARBY') != 'inside':
        os.environ['VNCHL_NEARBY'] = 'inside'
        inside = subprocess.run(['unshare', '--net', '--mount', sys.executable, *sys.argv])
        return inside.returncode
    with tempfile.TemporaryDirectory() as folder:
        try:
            try_it(folder, *sys.argv[1:4], sys.argv[4] if len(sys.argv) > 4 else None)
        finally:
            for program in reversed(programs):
                program.end()
    print('1 passed, 0 failed')
    return 0


if __name__ == '__main__':
    sys.exit(main())
