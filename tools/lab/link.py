"""The link: vnchl-linkem's command line for a run's settings."""
import os
import shlex
import sys


def arguments(settings, linkem, stats, packets, server_command, client_command):
    """The argument list that runs `client_command` at the client's end of the link. `stats`, `packets`:
    the files that linkem writes, the second where it is wanted."""
    link = settings["link"]
    argv = [linkem, "--rtt", f"{link['rtt_ms']:.9g}ms", "--rate", _rate(link["rate_mbit"]),
            "--loss", f"{link['loss_percent']:.9g}%", "--seed", str(settings["seed"])]
    if link["jitter_ms"]:
        argv += ["--jitter", f"{link['jitter_ms']:.9g}ms"]
    if link["queue_bytes"]:
        argv += ["--queue", str(link["queue_bytes"])]
    if link["gemodel"]:
        argv += ["--gemodel", link["gemodel"]]
    for name in ("congestion", "server_congestion", "client_congestion"):
        if link[name]:
            argv += ["--" + name.replace("_", "-"), link[name]]
    if link["packets"]:
        argv += ["--packets", packets]
    argv += link["options"]
    return [*argv, "--stats", stats, "--server-command", _server_shell(link, server_command),
            "--", *_client_command(link, client_command)]


def _rate(mbit):
    return f"{round(mbit * 1e6)}"


def byte_count(text):
    """170k -> 174080."""
    unit = {"k": 1 << 10, "m": 1 << 20}.get(text[-1:], 1)
    return int(text.rstrip("km")) * unit


def _shell(values, command):
    """A shell's line that sets `values` of a namespace's own TCP, and becomes the command."""
    sets = [f"echo {value} > /proc/sys/net/ipv4/{name} && " for name, value in values.items()]
    return "".join(sets) + "exec " + shlex.join(command)


def _sizes(default, text):
    """Least, default and most of a socket's memory, with the kernel's own first two where they are less."""
    limit = byte_count(text)
    return f"4096 {min(default, limit)} {limit}"


def _server_shell(link, command):
    values = {}
    if link["server_wmem"]:
        values["tcp_wmem"] = _sizes(16384, link["server_wmem"])
    if not link["sack"]:  # both ends have to have it
        values["tcp_sack"] = "0"
    return _shell(values, command)


def _client_command(link, command):
    if not link["client_rmem"]:
        return command
    return ["sh", "-c", _shell({"tcp_rmem": _sizes(131072, link["client_rmem"])}, command)]


def _script(name):
    return [sys.executable, "-B", os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")]


def bulk(*arguments):
    """The command of one end of the flows beside the viewer's."""
    return [*_script("bulk"), *map(str, arguments)]


def agent(name, folder):
    """The command of an agent: one of the scripts beside this file, with the run's folder."""
    return [*_script(name), folder]
