"""The host's end of the kernel's telling: calls that wait, and the memory of the processes that made them."""

from __future__ import annotations

import ctypes
import os
import select
import socket
import sys
from contextlib import suppress

_RECEIVE, _SEND, _IS_VALID, _SET_FLAGS = 0xC0502100, 0xC0182101, 0x40082102, 0x40082104
_CONTINUE = 1
_WAKE_ON_SAME_CORE = 1
_CHUNK = 256
"""Holds most paths, and is never cut by the end of a page if it starts at a multiple of its size."""
_LONGEST_PATH = 4096
_AT_FDCWD = -100
_LONGEST_ADDRESS = 28


class Call(ctypes.Structure):
    """A system call that waits to be let go, as the kernel describes it."""

    id: int
    pid: int
    number: int
    _fields_ = (
        ("id", ctypes.c_uint64),
        ("pid", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("number", ctypes.c_int32),
        ("machine", ctypes.c_uint32),
        ("at", ctypes.c_uint64),
        ("arguments", ctypes.c_uint64 * 6),
    )


class _Answer(ctypes.Structure):
    _fields_ = (
        ("id", ctypes.c_uint64),
        ("value", ctypes.c_int64),
        ("error", ctypes.c_int32),
        ("flags", ctypes.c_uint32),
    )


class _Span(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("size", ctypes.c_size_t))


# Keeps Python's lock during its calls, none of which blocks: a busy server would make each wait for the lock anew.
_libc = ctypes.PyDLL(None)


class Listener:
    """Takes calls one after the other. Each must be let go, for the process waits so long."""

    def __init__(self, descriptor: int, stop: int) -> None:
        """`stop` is the end of a pipe that is closed when nobody is to be waited for any more. Both are closed here."""
        self._descriptor = descriptor
        self._stop = stop
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)
        self._poll.register(stop, select.POLLHUP)
        # Older kernels don't know it, and are slower.
        _libc.ioctl(descriptor, ctypes.c_ulong(_SET_FLAGS), ctypes.c_ulong(_WAKE_ON_SAME_CORE))

    def wait(self) -> bool:
        """Until there is a call to receive; False if there will be none."""
        ready = dict(self._poll.poll())
        return bool(ready.get(self._descriptor, 0) & select.POLLIN) and self._stop not in ready

    def receive(self) -> Call | None:
        """None if the process that called is gone. Only after `wait`."""
        call = Call()
        failed = _libc.ioctl(self._descriptor, ctypes.c_ulong(_RECEIVE), ctypes.byref(call))
        return None if failed else call

    def is_waiting(self, call: Call) -> bool:
        """If not, what was read of its memory may be another process's, which got its number."""
        id = ctypes.c_uint64(call.id)
        return int(_libc.ioctl(self._descriptor, ctypes.c_ulong(_IS_VALID), ctypes.byref(id))) == 0

    def let_go(self, call: Call) -> None:
        answer = _Answer(call.id, 0, 0, _CONTINUE)
        _libc.ioctl(self._descriptor, ctypes.c_ulong(_SEND), ctypes.byref(answer))

    def close(self) -> None:
        os.close(self._descriptor)
        os.close(self._stop)


def memory(pid: int, address: int, size: int) -> bytes:
    """So many bytes, or fewer if they can't all be read."""
    buffer = ctypes.create_string_buffer(size)
    ours, theirs = _Span(ctypes.addressof(buffer), size), _Span(address, size)
    count = _libc.process_vm_readv(pid, ctypes.byref(ours), 1, ctypes.byref(theirs), 1, 0)
    return buffer.raw[: max(count, 0)]


def path_at(pid: int, directory: int | None, address: int) -> str | None:
    """The path that a call names, absolute; None if it can't be told."""
    text = _text(pid, address)
    if text is None:
        return None
    name = os.fsdecode(text)
    if name.startswith("/"):
        return os.path.normpath(name) if "/." in name or "//" in name else name
    with suppress(OSError):
        number = _AT_FDCWD if directory is None else ctypes.c_int32(directory).value
        base = os.readlink(f"/proc/{pid}/cwd" if number == _AT_FDCWD else f"/proc/{pid}/fd/{number}")
        return os.path.normpath(os.path.join(base, name))
    return None


def _text(pid: int, address: int) -> bytes | None:
    """Up to the first zero; None if it can't be read. Not beyond a page at once: the next one may not be there."""
    text = b""
    while len(text) < _LONGEST_PATH:
        part = memory(pid, address + len(text), _CHUNK - (address + len(text)) % _CHUNK)
        before, zero, _ = part.partition(b"\0")
        text += before
        if zero:
            return text
        if not part:
            return None
    return text


def address_at(pid: int, at: int, size: int) -> tuple[str, int] | None:
    """Host and port of an internet address; None if it is of another kind."""
    raw = memory(pid, at, min(size, _LONGEST_ADDRESS))
    family, port = int.from_bytes(raw[:2], sys.byteorder), int.from_bytes(raw[2:4], "big")
    if family == socket.AF_INET and len(raw) >= 8:
        return socket.inet_ntop(socket.AF_INET, raw[4:8]), port
    if family == socket.AF_INET6 and len(raw) >= 24:
        return socket.inet_ntop(socket.AF_INET6, raw[8:24]).removeprefix("::ffff:"), port
    return None
