"""Flows beside the viewer's: as many bytes as TCP takes, from the server's end to the client's.

`bulk.py send ADDRESS`, `bulk.py receive ADDRESS FLOWS FILE`; both go on until they are ended. FILE has the
bytes received so far, by all flows.
"""
import os
import socket
import sys
import threading
import time

PORT = 5999
PIECE = 1 << 16
RETRY = 0.05  # s
WRITE_EVERY = 0.02  # s


def _pour(connection):
    try:
        while True:
            connection.sendall(bytes(PIECE))
    except OSError:
        connection.close()


def send(address):
    """Pours zeros into every connection."""
    with socket.create_server((address, PORT)) as listener:
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=_pour, args=(connection,), daemon=True).start()


def _receive(address, flow, received):
    """Makes one connection, once somebody listens, and counts what comes in received[flow]."""
    while True:
        try:
            with socket.create_connection((address, PORT)) as connection:
                while got := connection.recv(PIECE):
                    received[flow] += len(got)
        except OSError:
            time.sleep(RETRY)


def receive(address, flows, file):
    """So many flows; `file` is always whole."""
    received = [0] * flows
    for flow in range(flows):
        threading.Thread(target=_receive, args=(address, flow, received), daemon=True).start()
    while True:
        with open(file + ".new", "w", encoding="utf-8") as out:
            out.write(str(sum(received)))
        os.replace(file + ".new", file)
        time.sleep(WRITE_EVERY)


if __name__ == "__main__":
    if sys.argv[1] == "send":
        send(sys.argv[2])
    receive(sys.argv[2], int(sys.argv[3]), sys.argv[4])
