"""`trailbook worker`: run cells for a server on another machine."""

from __future__ import annotations

import argparse

from trailbook.cli.parser import OneLineParser
from trailbook.errors import BadSetting
from trailbook.settings import load_settings

GRACE_SECONDS = 20.0


def add_arguments(parser: OneLineParser) -> None:
    parser.add_argument(
        "--concurrency", type=int, metavar="N", help="How many cells it runs at once; by default the setting workers."
    )
    parser.add_argument(
        "--grace",
        type=float,
        default=GRACE_SECONDS,
        metavar="SECONDS",
        help="How long cells may go on after SIGTERM before they are handed back.",
    )


def work(options: argparse.Namespace) -> int:
    from trailbook.workflow.workers.worker import Worker

    settings = load_settings(vars(options))
    concurrency = settings.workers if options.concurrency is None else options.concurrency
    if concurrency < 1:
        raise BadSetting(f"A worker for {concurrency} cells at once would never run one; it should be 1 or more.")
    worker = Worker(settings, concurrency)
    try:
        return worker.work(options.grace)
    finally:
        worker.close()
