"""The workers on other machines, as the server sees them."""

from __future__ import annotations

import trailbook
from trailbook.model.base import new_id
from trailbook.settings import Settings
from trailbook.store.store import Store
from trailbook.workflow.work import Listener, Work
from trailbook.workflow.workers.broker import TASK, broker_failures_told, celery_app, connect
from trailbook.workflow.workers.line import Line
from trailbook.workflow.workers.remote import RemoteExecution
from trailbook.workflow.workers.words import Errand


class Crew:
    """Work can be sent to it; which worker takes it, the talk about the run tells."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.silence = settings.worker_silence
        self._settings = settings
        self._store = store
        self._redis = connect(settings)
        self._celery = celery_app(settings, store.identity())
        self._sign = store.files.staging / f"server-{new_id()}"
        self._sign.touch()

    def execution(self, work: Work, listener: Listener) -> RemoteExecution:
        return RemoteExecution(self, self._store, work, listener)

    def send(self, work: Work) -> Line:
        """Ask for a worker; the talk about the run begins with the one who takes it."""
        self._send(work)
        return Line(self._redis, self._settings, work.run.id, at_worker=False)

    def send_again_if_lost(self, work: Work) -> None:
        """If nothing is left to take, whoever took this may have died of it. Of two workers one gets the run."""
        with broker_failures_told(self._settings):
            is_lost = self._redis.llen(self._celery.conf.task_default_queue) == 0
        if is_lost:
            self._send(work)

    def _send(self, work: Work) -> None:
        errand = Errand(work=work, server=self._sign.name, silence=self.silence)
        with broker_failures_told(self._settings):
            arguments = [work.run.id, trailbook.__version__, errand.model_dump_json()]
            self._celery.send_task(TASK, args=arguments, retry=False)

    def close(self) -> None:
        self._sign.unlink(missing_ok=True)
        self._celery.close()
        self._redis.close()
