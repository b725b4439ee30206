"""A seed that is another one in each run of the tests, and the same in all processes of a run."""

from __future__ import annotations

import os
from random import SystemRandom

FRESH = int(os.environ.setdefault("TEST_FRESH_SEED", str(SystemRandom().randrange(10**9))))
