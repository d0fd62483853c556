"""The server's end of a run: starts the server and the content, says so in server.json, and waits to
be ended. When one of them ends before, says that in server.json instead."""
import os
import sys
import time

import accelerator
import agent
import link
from gateway import start_gateway
from processes import RunFailed, last_line, start
from servers import SERVERS, Desk
from viewers import VIEWERS

BESIDE = {"accel": "accelerator", "websockify": "gateway websockify", "bulk": "download"}


def work(folder, task, processes):
    """Runs the desk until a signal comes."""
    settings = task["settings"]
    desk = Desk(settings, folder, task["tools"], processes)
    SERVERS[settings["server"]].start(desk)
    accel = accelerator.beside(desk)
    beside = {"accel": accel} if accel else {}
    if VIEWERS[settings["viewer"]].gateway == "server":
        host = os.environ["LINKEM_SERVER"]
        beside["websockify"] = start_gateway(host, host, accelerator.far_port(settings),
                                             desk.log("websockify"), processes)
    if settings["link"]["bulk_flows"]:
        beside["bulk"] = start(link.bulk("send", os.environ["LINKEM_SERVER"]), desk.log("bulk"))
        processes.append(beside["bulk"])
    agent.write_json(folder, "server.json",
                     {"ok": True, "server_pid": desk.server.pid, "content_pid": desk.content.pid,
                      "accel_pid": accel.pid if accel else None})
    while all(p.poll() is None for p in (desk.server, desk.content, *beside.values())):
        time.sleep(0.05)
    for log, process in beside.items():
        if process.poll() is not None:
            raise RunFailed(f"the {BESIDE[log]} ended during the run: {last_line(desk.log(log))}")
    name, log = ("server " + settings["server"], "server") if desk.server.poll() is not None \
        else ("content", "content")
    raise RunFailed(f"the {name} ended during the run: {last_line(desk.log(log))}")


if __name__ == "__main__":
    sys.exit(agent.main(work, "server.json"))
