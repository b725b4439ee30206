"""The beginning of a file: of one that is packed, as much is unpacked as a look needs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from trailbook.cells.previews.model import Archived, Wanted
from trailbook.errors import NotPreviewed, TooLarge
from trailbook.settings import MIB
from trailbook.sources.formats.choosing import format_of
from trailbook.sources.formats.packed import packing_of, unpacked

FIRST_BYTES = 16 * MIB
MOST_WHOLE = 64 * MIB
"""What is unpacked of a file that can't be read without its end."""


@dataclass(frozen=True)
class Beginning:
    """A file that is not packed, or what is in a packed one. Without a path, one of the members has to be chosen."""

    path: Path | None
    name: str
    is_whole: bool = True
    members: tuple[Archived, ...] = ()
    problem: str | None = None


def beginning_of(wanted: Wanted) -> Beginning:
    packing = packing_of(wanted.path)
    if packing is None:
        return Beginning(wanted.path, wanted.name, not wanted.is_cut)
    if packing == "zip" and wanted.is_cut:
        raise NotPreviewed(f"{wanted.name} is a zip archive, which can't be looked into before all of it is here.")
    found = _unpacked(wanted, FIRST_BYTES)
    if found.path is None or found.is_whole or wanted.is_cut:
        return found
    if format_of(wanted.format, found.path, found.name).needs_end:
        found = _unpacked(wanted, MOST_WHOLE)
        if not found.is_whole:
            raise TooLarge(f"{found.name} is too large to be unpacked for a preview, which needs all of it.")
    return found


def _unpacked(wanted: Wanted, first_bytes: int) -> Beginning:
    target = wanted.folder / "unpacked"
    members = unpacked(wanted.path, wanted.name, target, first_bytes * 2, wanted.member, first_bytes)
    chosen = next((member for member in members if member.path), None)
    listed = tuple(Archived(name=member.name, size=member.size) for member in members) if len(members) > 1 else ()
    if chosen is None:
        return Beginning(None, wanted.name, members=listed)
    is_whole = not (chosen.is_cut or wanted.is_cut)
    # Of a file that is not here as a whole, the end is missing anyway.
    return Beginning(target, chosen.name, is_whole, listed, None if wanted.is_cut else chosen.problem)
