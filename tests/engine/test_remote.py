from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from trailbook.engine import Engine, EngineState
from trailbook.engine.shared_root import check_shared_root
from trailbook.errors import BadSetting, EngineError, EngineUnavailable
from trailbook.settings import Settings


@pytest.fixture
def remote(engine: Engine, settings: Settings) -> Iterator[Engine]:
    """An engine that uses the embedded Spark of another one, as it would use a cluster."""
    remote = Engine(replace(settings, spark=engine.url()))
    remote.start()
    yield remote
    remote.stop()


def test_a_remote_is_used_and_nothing_started(remote: Engine) -> None:
    children = psutil.Process().children()
    with remote.session() as spark:
        assert spark.range(4).count() == 4
    assert psutil.Process().children() == children


def test_stopping_leaves_the_remote_alone(engine: Engine, remote: Engine) -> None:
    remote.url()
    remote.stop()
    with engine.session() as spark:
        assert spark.range(4).count() == 4


def test_the_status_does_not_give_the_token_away(remote: Engine) -> None:
    token = remote.url().rpartition("token=")[2]
    assert token not in remote.status.message


def test_a_wrong_token_fails_with_its_reason(engine: Engine, settings: Settings) -> None:
    stranger = Engine(replace(settings, spark=engine.url().replace("token=", "token=not")))
    stranger.start()
    try:
        with pytest.raises(EngineUnavailable, match="Invalid authentication token"):
            stranger.url()
    finally:
        stranger.stop()


def test_an_unreachable_remote_fails_with_its_address_and_is_checked_again_on_use(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trailbook.engine.remote.CONNECT_SECONDS", 0.5)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    engine = Engine(replace(settings, spark=f"sc://localhost:{port}"))
    states: list[EngineState] = []
    engine.on_change(lambda status: states.append(status.state))
    engine.start()
    try:
        for _ in range(2):
            with pytest.raises(EngineUnavailable, match=rf"sc://localhost:{port} can't be reached"):
                engine.url()
        assert states == [EngineState.STARTING, EngineState.FAILED] * 2
    finally:
        engine.stop()


def test_waiting_for_a_remote_ends_when_the_engine_is_stopped(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trailbook.engine.remote.CONNECT_SECONDS", 3600.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        engine = Engine(replace(settings, spark=f"sc://localhost:{silent.getsockname()[1]}"))
        engine.start()
        silent.accept()
        engine.stop()
    assert engine.status.state is EngineState.STOPPED


def test_an_address_that_spark_can_not_read_fails_with_its_reason(settings: Settings) -> None:
    engine = Engine(replace(settings, spark="sc://localhost:15002/a/path"))
    engine.start()
    try:
        with pytest.raises(EngineUnavailable, match="sc://localhost:15002/a/path is no address"):
            engine.url()
    finally:
        engine.stop()


@pytest.mark.parametrize("url", ["localhost:15002", "http://localhost"])
def test_an_address_that_is_none_is_refused(url: str, settings: Settings) -> None:
    with pytest.raises(BadSetting, match="such as sc://host:15002"):
        Engine(replace(settings, spark=url))


def test_a_root_that_both_see_is_accepted(remote: Engine, tmp_path: Path) -> None:
    check_shared_root(remote, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_root_that_spark_does_not_see_is_refused(
    remote: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The same path, but for each process another folder.
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EngineError, match="does not see the files under /proc/self/cwd"):
        check_shared_root(remote, Path("/proc/self/cwd"))
    assert not list(tmp_path.iterdir())
