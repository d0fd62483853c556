#!/usr/bin/python3
"""What the unit of vnchl-accel allows is enough: under its filter of system calls, and its
restriction of namespaces, vnchl-accel and the process that pushes are as well confined as without.

usage: test_unit.py UNIT ACCEL VIEWER DEMO_SERVER

Skipped (77) without systemd-analyze, which knows the sets of system calls, or libseccomp.
"""

import ctypes
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PATIENCE = 120
ALLOW, ERRNO = 0x7fff0000, 0x00050000
EPERM, ENOSYS = 1, 38
NAMESPACES = {'user': 0x10000000, 'pid': 0x20000000, 'net': 0x40000000, 'ipc': 0x08000000,
              'mnt': 0x00020000, 'uts': 0x04000000, 'cgroup': 0x02000000}
MASKED_EQ = 7


class Compare(ctypes.Structure):
    _fields_ = [('arg', ctypes.c_uint), ('op', ctypes.c_int),
                ('a', ctypes.c_uint64), ('b', ctypes.c_uint64)]


def settings(unit, name):
    return re.findall(rf'^{name}=(.*)$', open(unit).read(), re.M)


def calls_of(word, sets):
    if not word.startswith('@'):
        return {word}
    found = set()
    for member in sets[word]:
        found |= calls_of(member, sets)
    return found


def sets_of_calls():
    sets, name = {}, None
    for line in subprocess.run(['systemd-analyze', 'syscall-filter'], capture_output=True,
                               text=True, check=True).stdout.splitlines():
        word = line.strip()
        if line.startswith('@'):
            name = word
            sets[name] = []
        elif word and not word.startswith('#') and name:
            sets[name].append(word)
    return sets


def allowed_calls(unit):
    """As systemd reads these lines: the first one allows, those with ~ take away."""
    sets = sets_of_calls()
    allowed = calls_of('@default', sets)
    for line in settings(unit, 'SystemCallFilter'):
        for word in line.lstrip('~').split():
            calls = calls_of(word, sets)
            allowed = allowed - calls if line.startswith('~') else allowed | calls
    return allowed


def make_filter(library, unit):
    wanted = settings(unit, 'RestrictNamespaces')[0]
    mine = set() if wanted == 'yes' else set(wanted.split())
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ERRNO | EPERM))
    for call in allowed_calls(unit) - {'clone', 'clone3', 'unshare', 'setns'}:
        number = library.seccomp_syscall_resolve_name(call.encode())
        if number != -1:  # this kernel's, or not of this machine
            library.seccomp_rule_add(context, ALLOW, number, 0)
    denied = 0
    for name, flag in NAMESPACES.items():
        denied |= 0 if name in mine else flag
    clone = library.seccomp_syscall_resolve_name(b'clone')
    library.seccomp_rule_add_array(context, ALLOW, clone, 1,
                                   ctypes.byref(Compare(0, MASKED_EQ, denied, 0)))
    library.seccomp_rule_add(context, ERRNO | ENOSYS,
                             library.seccomp_syscall_resolve_name(b'clone3'), 0)
    return context


def free_port():
    """Below those that the kernel gives to whoever connects, above those of tests/ports.hpp."""
    for port in random.sample(range(30000, 32768), 100):
        with socket.socket() as s:
            try:
                s.bind(('127.0.0.1', port))
            except OSError:
                continue
            return port
    sys.exit('no free port')


def wait_for(what, done):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        value = done()
        if value:
            return value
        time.sleep(0.02)
    sys.exit(f'{what}: not within {PATIENCE} s')


def status(pid):
    return dict(line.split(':\t', 1) for line in open(f'/proc/{pid}/status').read().splitlines()
                if ':\t' in line)


def children(pid):
    return [int(n) for t in os.listdir(f'/proc/{pid}/task')
            for n in open(f'/proc/{pid}/task/{t}/children').read().split()]


def pusher_of(pid):
    for spawner in children(pid):
        for child in children(spawner):
            if status(child)['Name'] == 'vnchl-session':
                return child
    return None


def look(accel, viewer, server_port, load, folder):
    """How both programs are confined."""
    port, log = free_port(), tempfile.TemporaryFile('w+')
    program = subprocess.Popen(
        [accel, '--listen', str(port), '--server', f'localhost::{server_port}', '--state', folder],
        stderr=log, preexec_fn=load)
    seen = None

    def said():
        log.seek(0)
        return log.read()

    try:
        wait_for('listening', lambda: 'event=listening' in said())
        watch = subprocess.Popen([viewer, '--headless', '--log', '-', f'localhost::{port}'],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            wait_for('pushed', lambda: 'event=pushed' in said())
            pusher = wait_for('the process that pushes', lambda: pusher_of(program.pid))

            def confined():
                s = status(pusher)
                before = status(children(program.pid)[0])  # who has started it
                filters = [int(one.get('Seccomp_filters', 0)) for one in (s, before)]
                filters = filters[0] - filters[1]
                limits = re.findall(r'^(Max (?:data size|file size|open files)) +(\S+)',
                                    open(f'/proc/{pusher}/limits').read(), re.M)
                own = os.readlink(f'/proc/{pusher}/ns/user') != os.readlink('/proc/self/ns/user')
                return {'filters': filters, 'limits': limits, 'namespace': own,
                        'no new privileges': s['NoNewPrivs'], 'rights': s['CapEff']}
            # it is confined before it reads anything, and so before the viewer's first picture
            for line in watch.stdout:
                if line[0].isdigit():
                    break
            seen = confined()
        finally:
            watch.kill()
            watch.wait()
        seen['confined'] = re.search(r'event=confined .*', said()).group(0)
    finally:
        program.send_signal(signal.SIGINT)
        program.wait(PATIENCE)
    return seen


def main():
    unit, accel, viewer, demo = sys.argv[1:]
    if not shutil.which('systemd-analyze'):
        print('skipped: systemd-analyze is not installed')
        return 77
    try:
        library = ctypes.CDLL('libseccomp.so.2')
    except OSError:
        print('skipped: libseccomp is not installed')
        return 77
    context = make_filter(library, unit)

    def load():
        if library.seccomp_load(context) != 0:
            os._exit(99)

    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        server = subprocess.Popen([demo, '--port', str(port), '--size', '516x388'],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for('the server', lambda: socket.socket().connect_ex(('127.0.0.1', port)) == 0)
            free = look(accel, viewer, port, None, os.path.join(folder, 'a'))
            held = look(accel, viewer, port, load, os.path.join(folder, 'b'))
        finally:
            server.kill()
            server.wait()
    print('without the unit:', free)
    print('with it:         ', held)
    return 0 if free == held else 1


if __name__ == '__main__':
    sys.exit(main())
