"""The process that files are looked at in: it is forked for each look, and what is forked has limits and one life."""

from __future__ import annotations

import fcntl
import gc
import os
import resource
import signal
import socket
import sys
import traceback
from typing import NoReturn

import pyarrow as pa

from trailbook.cells.previews.looking import look
from trailbook.cells.previews.model import PREVIEW, REFUSAL, Wanted
from trailbook.errors import NotPreviewed, TrailbookError
from trailbook.settings import GIB, MIB
from trailbook.sources.formats.choosing import with_name
from trailbook.sources.formats.format import FORMATS

SECONDS = 5
MEMORY = 2 * GIB
FILE = 128 * MIB
CHUNK = 65_536


def main() -> None:
    host = socket.socket(fileno=int(sys.argv[1]))
    # All formats are loaded now, and need not be for each look.
    list(FORMATS)
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        message, descriptors, _, _ = socket.recv_fds(host, 1, 1)
        if not message:
            return
        if not os.fork():
            host.close()
            _attend(socket.socket(fileno=descriptors[0]))
        os.close(descriptors[0])


def _attend(host: socket.socket) -> NoReturn:
    """Answer one question, and be gone."""
    code = 1
    try:
        _limit()
        question = b"".join(iter(lambda: host.recv(CHUNK), b""))
        _end_with(host)
        answer = _answer(Wanted.model_validate_json(question))
        # What is taken of the answer would be a sign as well.
        fcntl.fcntl(host, fcntl.F_SETFL, 0)
        host.sendall(answer)
        code = 0
    finally:
        os._exit(code)


def _limit() -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    for what, most in (
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_DATA, MEMORY),
        (resource.RLIMIT_FSIZE, FILE),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def _end_with(host: socket.socket) -> None:
    """Once nobody listens any more, a signal comes that ends this process, whatever it is at."""
    fcntl.fcntl(host, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(host, fcntl.F_SETFL, os.O_ASYNC)


def _answer(wanted: Wanted) -> bytes:
    """With a sign before it whether it is a preview, or why there is none."""
    try:
        return (PREVIEW + look(wanted).model_dump_json()).encode("utf-8", "replace")
    except NotPreviewed as error:
        why = error.message
    except TrailbookError as error:
        why = with_name(error.message, wanted.name)
    except OSError as error:
        why = f"{wanted.name} can't be read: {error.strerror or error}."
    except (MemoryError, pa.ArrowMemoryError):
        why = f"{wanted.name} needs too much memory for a preview. It may be loaded all the same."
    except Exception:
        traceback.print_exc()
        why = f"{wanted.name} can't be looked at: something is wrong in Trailbook itself. The server's log tells what."
    return (REFUSAL + why).encode("utf-8", "replace")


if __name__ == "__main__":
    main()
