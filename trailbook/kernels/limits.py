"""What a run may use of the machine."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024**2


@dataclass(frozen=True)
class Limits:
    """Of text printed so many bytes are kept; of the others 0 means as much as it likes.

    `seconds` by the clock on the wall, `cpu_seconds` of the processor, `memory` in bytes.
    """

    output: int
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    memory: int = 0

    @property
    def memory_text(self) -> str:
        return f"{self.memory / MIB:,.0f} MiB"
