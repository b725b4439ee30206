"""Who asked for something, behind the modules through which it was asked."""

from __future__ import annotations

from collections.abc import Collection
from types import FrameType


def caller_behind(frame: FrameType | None, packages: Collection[str]) -> str:
    """The file of the first code, from this frame on, that is of none of these packages; empty if there is none."""
    while frame and str(frame.f_globals.get("__name__")).partition(".")[0] in packages:
        frame = frame.f_back
    return frame.f_code.co_filename if frame else ""
