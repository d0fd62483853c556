"""The server's end of a run: starts the server and the content, says so in server.json, and waits to
be ended. When one of them ends before, says that in server.json instead."""
import os
import sys
import time

import agent
import link
from processes import RunFailed, last_line, start
from servers import SERVERS, Desk, accelerate


def work(folder, task, processes):
    """Runs the desk until a signal comes."""
    settings = task["settings"]
    desk = Desk(settings, folder, task["tools"], processes)
    SERVERS[settings["server"]].start(desk)
    accel = accelerate(desk)
    beside = [accel] if accel else []
    if settings["link"]["bulk_flows"]:
        bulk = start(link.bulk("send", os.environ["LINKEM_SERVER"]), desk.log("bulk"))
        beside.append(bulk)
        processes.append(bulk)
    agent.write_json(folder, "server.json",
                     {"ok": True, "server_pid": desk.server.pid, "content_pid": desk.content.pid,
                      "accel_pid": accel.pid if accel else None})
    while all(p.poll() is None for p in (desk.server, desk.content, *beside)):
        time.sleep(0.05)
    if accel and accel.poll() is not None:
        raise RunFailed(f"the accelerator ended during the run: {last_line(desk.log('accel'))}")
    if desk.server.poll() is None and desk.content.poll() is None:
        raise RunFailed(f"the download ended during the run: {last_line(desk.log('bulk'))}")
    name, log = ("server " + settings["server"], "server") if desk.server.poll() is not None \
        else ("content", "content")
    raise RunFailed(f"the {name} ended during the run: {last_line(desk.log(log))}")


if __name__ == "__main__":
    sys.exit(agent.main(work, "server.json"))
