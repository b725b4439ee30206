"""How the engine stands, for people and programs."""

from __future__ import annotations

from enum import StrEnum

from trailbook.model.base import Value


class EngineState(StrEnum):
    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"
    STOPPED = "stopped"


class EngineStatus(Value):
    """A state, and in `message` why it is so."""

    state: EngineState
    message: str
