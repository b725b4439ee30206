"""The talk about one run: a stream of Redis for each direction."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from trailbook.model.base import RunId
from trailbook.settings import Settings
from trailbook.workflow.workers.broker import broker_failures_told
from trailbook.workflow.workers.words import WORDS, Alive, Taken, Word

if TYPE_CHECKING:
    from redis import Redis

KEPT_SECONDS = 3600
"""How long Redis remembers what nobody heard; as long as a run goes on, both sides say that they are alive."""
MOST_AT_ONCE = 100


class Line:
    """One end of the talk. What is said is heard in that order, and once."""

    def __init__(self, redis: Redis, settings: Settings, run: RunId, *, at_worker: bool) -> None:
        self._redis = redis
        self._settings = settings
        ends = (f"trailbook:{run}:to_server", f"trailbook:{run}:to_worker")
        self._outgoing, self._incoming = ends if at_worker else ends[::-1]
        self._lock = threading.Lock()
        self._said = 0
        self._heard = "0"

    def take(self, worker: str) -> bool:
        """Say, as the first word, that this worker has the run; False if another one does. It may be offered twice."""
        return self._say(Taken(worker=worker))

    def say(self, word: Word) -> None:
        self._say(word)

    def _say(self, word: Word) -> bool:
        """Whether there was no word of this number yet."""
        from redis.exceptions import ResponseError

        with self._lock, broker_failures_told(self._settings):
            self._said += 1
            try:
                self._redis.xadd(self._outgoing, {"word": word.model_dump_json()}, id=f"{self._said}-0")
            except ResponseError as error:
                # Also if the client has said it twice, since the answer to the first time got lost.
                if "equal or smaller" not in str(error):
                    raise
                return False
            if self._said == 1 or isinstance(word, Alive):
                self._redis.expire(self._outgoing, KEPT_SECONDS)
            return True

    def hear(self, seconds: float) -> list[Word]:
        """What was said since; waits up to so long for it."""
        with broker_failures_told(self._settings):
            block = max(1, round(seconds * 1000))
            found: Any = self._redis.xread({self._incoming: self._heard}, count=MOST_AT_ONCE, block=block)
            if not found:
                return []
            [(_, entries)] = found
            self._heard = entries[-1][0]
            self._redis.xtrim(self._incoming, minid=self._heard)
            return [WORDS.validate_json(fields["word"]) for _, fields in entries]
