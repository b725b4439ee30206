"""Has the kernel tell the host of system calls by which a process, and all that it starts, touches the outside."""

from __future__ import annotations

import ctypes
import platform
import struct
import sys
from typing import NamedTuple

_PR_SET_NO_NEW_PRIVS = 38
_SET_MODE_FILTER = 1
# All threads get the filter, since Arrow may have started some; a signal does not make a call that is told ask again.
_THREADS, _LISTENER, _THREADS_ERROR, _UNINTERRUPTED = 1, 8, 16, 32

_LOAD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _NOTIFY = 0x7FFF0000, 0x7FC00000
_NUMBER_AT, _MACHINE_AT, _ARGUMENTS_AT = 0, 4, 16


class Machine(NamedTuple):
    """How a kind of processor numbers the calls."""

    audit: int
    seccomp: int
    calls: dict[str, int]


_X86_64 = {
    "open": 2,
    "connect": 42,
    "sendto": 44,
    "execve": 59,
    "truncate": 76,
    "chdir": 80,
    "rename": 82,
    "mkdir": 83,
    "rmdir": 84,
    "creat": 85,
    "link": 86,
    "unlink": 87,
    "symlink": 88,
    "openat": 257,
    "mkdirat": 258,
    "unlinkat": 263,
    "renameat": 264,
    "linkat": 265,
    "symlinkat": 266,
    "renameat2": 316,
    "execveat": 322,
    "openat2": 437,
}
_AARCH64 = {
    "mkdirat": 34,
    "unlinkat": 35,
    "symlinkat": 36,
    "linkat": 37,
    "renameat": 38,
    "truncate": 45,
    "chdir": 49,
    "openat": 56,
    "connect": 203,
    "sendto": 206,
    "execve": 221,
    "renameat2": 276,
    "execveat": 281,
    "openat2": 437,
}
MACHINES = {"x86_64": Machine(0xC000003E, 317, _X86_64), "aarch64": Machine(0xC00000B7, 277, _AARCH64)}


def this_machine() -> Machine | None:
    """None where calls can't be watched."""
    is_64_bit = sys.maxsize > 2**32
    return MACHINES.get(platform.machine()) if sys.platform == "linux" and is_64_bit else None


def install() -> int | None:
    """From now on the calls wait until whoever holds the returned descriptor lets them go; None if that can't be had.

    There is no way back, and no program that is started can gain privileges, as sudo does.
    """
    machine = this_machine()
    if machine is None:
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    filter = _filter(machine)
    text = ctypes.create_string_buffer(filter, len(filter))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(filter) // 8, ctypes.addressof(text)))
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return None
    for more in (_UNINTERRUPTED, 0):
        flags = _THREADS | _LISTENER | _THREADS_ERROR | more
        descriptor = libc.syscall(machine.seccomp, _SET_MODE_FILTER, flags, program)
        if descriptor >= 0:
            return int(descriptor)
    return None


def _filter(machine: Machine) -> bytes:
    """A program for the kernel. Jumps are counted from the end, where the two answers are."""
    sendto = machine.calls["sendto"]
    lines: list[tuple[int, int, int | str, int | str]] = [
        (_LOAD, _MACHINE_AT, 0, 0),
        # Calls of another kind, such as those of a 32-bit program, have other numbers.
        (_JUMP_IF_EQUAL, machine.audit, 0, "allow"),
        (_LOAD, _NUMBER_AT, 0, 0),
        *((_JUMP_IF_EQUAL, number, "notify", 0) for number in machine.calls.values() if number != sendto),
        (_JUMP_IF_EQUAL, sendto, 0, "allow"),
        # Without an address it sends to where a connect went.
        (_LOAD, _argument(4), 0, 0),
        (_JUMP_IF_EQUAL, 0, 0, "notify"),
        (_LOAD, _argument(4) + 4, 0, 0),
        (_JUMP_IF_EQUAL, 0, "allow", "notify"),
        (_RETURN, _ALLOW, 0, 0),
        (_RETURN, _NOTIFY, 0, 0),
    ]
    answers = {"allow": len(lines) - 2, "notify": len(lines) - 1}

    def jump(at: int, target: int | str) -> int:
        return target if isinstance(target, int) else answers[target] - at - 1

    return b"".join(
        struct.pack("HBBI", code, jump(at, then), jump(at, otherwise), value)
        for at, (code, value, then, otherwise) in enumerate(lines)
    )


def _argument(index: int) -> int:
    return _ARGUMENTS_AT + 8 * index
