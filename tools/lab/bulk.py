"""Flows beside the viewer's: as many bytes as TCP takes, from the server's end to the client's.

`bulk.py send ADDRESS`, `bulk.py receive ADDRESS FLOWS`; both go on until they are ended.
"""
import socket
import sys
import threading
import time

PORT = 5999
PIECE = 1 << 16
RETRY = 0.05  # s


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


def receive(address):
    """Makes one connection, once somebody listens, and swallows what comes."""
    while True:
        try:
            with socket.create_connection((address, PORT)) as connection:
                while connection.recv(PIECE):
                    pass
        except OSError:
            time.sleep(RETRY)


if __name__ == "__main__":
    if sys.argv[1] == "send":
        send(sys.argv[2])
    for _ in range(int(sys.argv[3]) - 1):
        threading.Thread(target=receive, args=(sys.argv[2],), daemon=True).start()
    receive(sys.argv[2])
