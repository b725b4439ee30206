"""What is said at one end is heard at the other: in that order, and once."""

from __future__ import annotations

import pytest

from tests.workflow.workers.processes import PASSWORD, RedisServer
from trailbook.cells.scope import Failed, Outlook, Scope
from trailbook.errors import BrokerUnavailable
from trailbook.model.base import ArtifactId, CellHandle, RunId, new_id
from trailbook.settings import Settings
from trailbook.workflow.workers.broker import connect
from trailbook.workflow.workers.line import Line
from trailbook.workflow.workers.words import Alive, Answered, Asked, Read, Word

SCOPE = Scope(
    artifacts={"x": ArtifactId("f" * 64)},
    failed={"y": Failed(CellHandle("a"), 2)},
    unfinished=((CellHandle("b"), Outlook(None, frozenset({"z"}), frozenset(), is_code=True)),),
    bound={"x": 1},
)


def ends(settings: Settings) -> tuple[Line, Line]:
    run = RunId(new_id())
    return (
        Line(connect(settings), settings, run, at_worker=True),
        Line(connect(settings), settings, run, at_worker=False),
    )


@pytest.fixture
def broker(redis: RedisServer) -> Settings:
    return Settings(broker=redis.url)


def test_words_arrive_whole_and_in_order(broker: Settings) -> None:
    worker, server = ends(broker)
    said: list[Word] = [Alive(), Read(name="x", identity=None), Asked(number=1, name="y\0")]
    for word in said:
        worker.say(word)
    assert server.hear(1) == said
    assert server.hear(0.01) == []
    server.say(Answered(number=1, scope=SCOPE))
    assert worker.hear(1) == [Answered(number=1, scope=SCOPE)]


def test_one_worker_of_several_gets_a_run(broker: Settings) -> None:
    run = RunId(new_id())
    workers = [Line(connect(broker), broker, run, at_worker=True) for _ in range(2)]
    assert [worker.take("one") for worker in workers] == [True, False]


def test_a_redis_that_does_not_answer_is_told_without_its_password() -> None:
    line, _ = ends(Settings(broker=f"redis://:{PASSWORD}@127.0.0.1:1/0"))
    with pytest.raises(BrokerUnavailable, match=r"127\.0\.0\.1:1") as failure:
        line.say(Alive())
    assert PASSWORD not in failure.value.message
