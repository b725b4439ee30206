"""Steps of a set-up: each is done once for the same inputs, and again from nothing if it was interrupted."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNFINISHED = "unfinished"


@dataclass(frozen=True)
class Step:
    """Makes `product`, a folder, from `inputs`; the stamp inside it says from which.

    A stamp lies in the product so that whoever deletes the product deletes the stamp with it.
    """

    name: str
    effort: str
    product: Path
    inputs: tuple[Path, ...]
    make: Callable[[], None]

    @property
    def stamp(self) -> Path:
        return self.product / f".made-{self.name.replace(' ', '-')}"

    def is_done(self) -> bool:
        return self._stamped() == digest_of_files(self.inputs)

    def discard_if_unfinished(self) -> None:
        """Half of an installation can look like a whole one, so nothing of it is kept."""
        if self._stamped() == UNFINISHED:
            shutil.rmtree(self.product)

    def run(self) -> None:
        """Make the product, and stamp it with what the inputs were before."""
        started = time.monotonic()
        print(f"{self.name}: {self.effort}", flush=True)
        digest = digest_of_files(self.inputs)
        if self.product.is_dir():
            self.stamp.write_text(UNFINISHED)
        try:
            self.make()
        except subprocess.CalledProcessError as error:
            # A tool that reports a failure has cleaned up after itself; one that was killed has not.
            if error.returncode > 0:
                self.stamp.unlink(missing_ok=True)
            raise
        self.stamp.write_text(digest)
        print(f"{self.name}: done in {time.monotonic() - started:.0f} s", flush=True)

    def _stamped(self) -> str:
        return self.stamp.read_text() if self.stamp.is_file() else ""


def bring_up_to_date(steps: list[Step]) -> None:
    """Run the steps that were not done for these inputs, in order."""
    for step in steps:
        step.discard_if_unfinished()
    for step in steps:
        if not step.is_done():
            step.run()


def digest_of_files(paths: Iterable[Path]) -> str:
    """The hash of the files' names and contents; a folder stands for every file below it."""
    digest = hashlib.sha256()
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                digest.update(f"{file.relative_to(ROOT)}\0".encode())
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
