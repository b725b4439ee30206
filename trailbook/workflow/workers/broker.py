"""The Redis between a server and its workers, and Celery on it."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from trailbook.errors import BadSetting, BrokerUnavailable
from trailbook.settings import Settings

if TYPE_CHECKING:
    from redis import Redis

TASK = "trailbook.execute"
CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 10.0
RESTORE_SECONDS = 30
"""A task that a worker received and died before it could begin is offered again after so long."""


def require_broker(settings: Settings) -> None:
    """Refuse settings with which no cell could run on another machine. The URL may hold a password: it is not told."""
    if urlsplit(settings.broker).scheme not in ("redis", "rediss"):
        raise BadSetting("broker is not the address of a Redis; it should look like redis://:password@host:6379/0.")
    if not settings.database:
        raise BadSetting(
            "broker needs a database that all machines can reach, and SQLite is a file for one of them. "
            "Set database = postgresql://user@host/name as well."
        )
    try:
        import celery  # type: ignore[import-untyped]  # noqa: F401
        import redis  # noqa: F401
    except ModuleNotFoundError as error:
        raise BadSetting(
            f"broker needs {error.name}, which is not installed: pip install 'trailbook[workers]'."
        ) from error


def connect(settings: Settings) -> Redis:
    """A client that can be used by many threads. Nothing is asked of Redis yet."""
    from redis import Redis
    from redis.backoff import ExponentialBackoff
    from redis.retry import Retry

    return Redis.from_url(
        settings.broker,
        decode_responses=True,
        socket_connect_timeout=CONNECT_SECONDS,
        socket_timeout=ANSWER_SECONDS,
        retry=Retry(ExponentialBackoff(cap=0.5, base=0.05), retries=6),
        max_connections=10_000,
    )


def celery_app(settings: Settings, store: str) -> Any:
    """Celery for the workers of one store. What is sent is JSON, and nothing else is taken."""
    from celery import Celery

    app = Celery("trailbook", broker=settings.broker, set_as_current=False)
    if urlsplit(settings.broker).scheme == "rediss" and "ssl_" not in urlsplit(settings.broker).query:
        # By the scheme alone, it would not encrypt.
        app.conf.broker_use_ssl = {"ssl_cert_reqs": ssl.CERT_REQUIRED}
    app.conf.update(
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        task_default_queue=f"trailbook-{store}",
        worker_disable_prefetch=True,
        worker_prefetch_multiplier=1,
        worker_enable_remote_control=False,
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_connection_timeout=CONNECT_SECONDS,
        broker_transport_options={
            "visibility_timeout": RESTORE_SECONDS,
            "socket_connect_timeout": CONNECT_SECONDS,
            "socket_timeout": ANSWER_SECONDS,
            "max_retries": 3,
            "interval_max": 0.5,
        },
    )
    return app


@contextmanager
def broker_failures_told(settings: Settings) -> Iterator[None]:
    """Raise Trailbook's error for what Redis refuses, or Celery for it."""
    from celery.exceptions import OperationalError  # type: ignore[import-untyped]
    from redis.exceptions import RedisError

    try:
        yield
    except (RedisError, OperationalError, OSError) as error:
        raise BrokerUnavailable(
            f"Redis at {_shown(settings.broker)} can't be used, so no cell can run on other machines: {error} "
            "Once it is back, run the cell again."
        ) from error


def _shown(url: str) -> str:
    """Without user and password."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port or 6379}"
