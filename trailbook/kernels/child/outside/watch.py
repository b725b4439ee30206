"""Lets the host see what the cell's code does to the outside."""

from __future__ import annotations

import ast
import os
import sys
from pathlib import Path
from typing import Any

from trailbook.kernels.child.channel import Channel
from trailbook.kernels.child.libraries.library_state import inherited_variables
from trailbook.kernels.child.outside import audit, seccomp
from trailbook.kernels.child.outside.chance import note_chance
from trailbook.kernels.child.outside.clock import note_clock
from trailbook.kernels.child.outside.looks import ask_hook, ask_kernel, note_looks
from trailbook.kernels.child.outside.notes import COMPLETE, NOTES, Notes
from trailbook.kernels.child.outside.patches import patches
from trailbook.kernels.child.outside.variables import note_variables
from trailbook.kernels.child.outside.words import words_of

CLOCK_NAMES = frozenset({"now", "today", "utcnow"})
"""Methods of datetime, date and Timestamp, and the words that pandas and numpy take for a time."""
NATIVE_GENERATORS = frozenset({"polars", "duckdb"})
CHANCE_NAMES, CHANCE_IN_SQL = frozenset({"sample", "shuffle"}), frozenset({"gen_random_uuid", "random", "uuid"})
"""What these offer that draws numbers, by itself."""
RANDOM_DEVICES = frozenset({"/dev/random", "/dev/urandom"})
"""Looked for in the code: libraries that encrypt open them, too."""
NATIVE_READERS = frozenset({"pyarrow", "polars", "duckdb", "read_parquet", "read_feather", "read_orc"})


class Watch:
    """From `start` on, everything that the code does to files, to the network and so on is told to the host."""

    def __init__(self, channel: Channel, scratch: str, native: bool) -> None:
        """`native` is whether the kernel is asked to tell; otherwise Python must, which does not see all."""
        self._channel = channel
        self._native = native
        self._installed = installed_folders()
        self._notes = Notes(os.path.join(scratch, NOTES))
        self._loaded_before: set[str] = set()
        self._is_complete = False

    def start(self) -> None:
        """Right before the first line of the cell."""
        note_clock(self._notes, self._installed)
        note_chance(self._notes, self._installed)
        note_variables(self._notes, self._installed, inherited_variables())
        self._loaded_before = _loaded_natives()
        listener = seccomp.install() if self._native else None
        self._is_complete = listener is not None
        note_looks(self._notes, self._installed, ask_kernel if self._is_complete else ask_hook)
        if listener is None:
            self._channel.send("watch", installed=self._installed)
            audit.install(self._notes, self._installed)
        else:
            self._channel.hand_over(listener, "watch", installed=self._installed)
            os.close(listener)

    def finish(self, tree: ast.Module, namespace: dict[str, Any], *, drew: bool) -> None:
        """After the last line, however it ended: what can only be told now, and what only from the code.

        `drew` is whether random numbers were drawn without a seed.
        """
        try:
            words = words_of(tree, namespace, self._installed)
        except SyntaxError:
            # Such as a return outside of a function, for which nothing of the cell was run.
            return
        names = words.names | (_loaded_natives() - self._loaded_before)
        if (names | words.texts) & CLOCK_NAMES:
            self._notes.add("ReadClock")
        native = names & NATIVE_GENERATORS and (names & CHANCE_NAMES or words.texts & CHANCE_IN_SQL)
        if drew or native or words.texts & RANDOM_DEVICES:
            self._notes.add("Drew")
        if self._is_complete or not names & NATIVE_READERS:
            self._notes.add(COMPLETE)
        if patched := patches(tree, namespace):
            self._channel.note(f"Set in libraries for this cell only: {', '.join(patched)}.")
        self._notes.add("Imported", [folder for folder in sys.path_importer_cache if folder])


def _loaded_natives() -> set[str]:
    """Asked for one by one: to go over all modules would copy the memory in which they are counted."""
    return {name for name in NATIVE_READERS if name in sys.modules}


def installed_folders() -> list[str]:
    """Where Python, its packages and Trailbook are, and where they keep what they can make again."""
    prefixes = {sys.prefix, sys.base_prefix}
    parts = ("bin", "etc", "include", "lib", "lib64", "pyvenv.cfg", "share")
    packages = [folder for folder in sys.path if folder.endswith("-packages")]
    machinery = str(Path(__file__).parents[3])
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return [
        *(os.path.join(prefix, part) for prefix in prefixes for part in parts),
        *(*packages, machinery, cache, os.environ.get("MPLCONFIGDIR") or cache),
    ]
