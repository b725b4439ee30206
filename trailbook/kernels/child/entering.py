"""The first process in a container: at the host's door it is handed its end of their talk, and becomes the zygote."""

from __future__ import annotations

import os
import socket
import sys

from trailbook.kernels.child import zygote


def main() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
        door.connect(sys.argv[2])
        _, (talk,), _, _ = socket.recv_fds(door, 1, 1)
    # What is said from now on is for the host, and not for who made the container.
    silence = os.open(os.devnull, os.O_WRONLY)
    for place in (1, 2):
        os.dup2(silence, place)
    os.close(silence)
    sys.argv[2] = str(talk)
    zygote.main()
