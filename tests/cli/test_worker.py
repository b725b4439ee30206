"""`trailbook worker` says in one line why it can't start."""

from __future__ import annotations

from pathlib import Path

import pytest

from trailbook.cli.main import main

POSTGRES = ("--database", "postgresql://localhost:1/none")


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ((), "broker is not the address of a Redis"),
        (("--broker", "redis://localhost"), "postgresql://user@host/name"),
        (("--broker", "redis://localhost", *POSTGRES), "There is no store in"),
        (("--concurrency", "0"), "0 cells at once"),
    ],
)
def test_what_is_missing_is_told(
    flags: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["worker", "--data", str(tmp_path / "data"), *flags]) == 1
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
