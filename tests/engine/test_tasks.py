"""Python in Spark's tasks."""

from __future__ import annotations

import os

import pytest

from trailbook.engine import Engine
from trailbook.engine.sessions import close_session
from trailbook.engine.tasks import Piece, on_workers
from trailbook.errors import CellFailed


def doubled(piece: Piece) -> Piece:
    return {"n": piece["n"] * 2, "process": os.getpid()}


def refused(piece: Piece) -> Piece:
    raise CellFailed(f"{piece['n']} can't be done.")


def test_pieces_are_done_elsewhere_and_answered_in_their_order(engine: Engine) -> None:
    with engine.workers() as session:
        answers = on_workers(session, doubled, [{"n": n} for n in range(20)])
        assert [answer["n"] for answer in answers] == [2 * n for n in range(20)]
        assert os.getpid() not in {answer["process"] for answer in answers}
        assert on_workers(session, doubled, []) == []


def test_what_a_task_refuses_is_raised_here(engine: Engine) -> None:
    with engine.workers() as session, pytest.raises(CellFailed, match=r"^3 can't be done"):
        on_workers(session, refused, [{"n": 3}])


def test_the_session_is_shared_and_made_anew_when_spark_has_forgotten_it(engine: Engine) -> None:
    with engine.workers() as first:
        pass
    with engine.workers() as again:
        assert again is first
    close_session(first)
    with engine.workers() as other:
        assert other is not first
        assert on_workers(other, doubled, [{"n": 4}])[0]["n"] == 8
