"""Spark, always through Spark Connect: an embedded server of our own, or a remote one.

Nothing here imports PySpark before the engine is started, so that the HTTP server can answer first.
"""

from trailbook.engine.engine import Engine
from trailbook.engine.status import EngineState, EngineStatus

__all__ = ["Engine", "EngineState", "EngineStatus"]
