"""`trailbook`: serve, run, import, export, worker, prepare, doctor, gc, settings."""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
from collections.abc import Sequence

import trailbook
from trailbook.cli import files, run, worker
from trailbook.cli.parser import FAILED, OneLineParser
from trailbook.errors import TrailbookError
from trailbook.settings import Origin, Settings, about_settings, explain_settings, load_settings

DAMAGED = 2
SECRETS = frozenset({"token", "password", "databases"})
SECRET_IN_URL = re.compile(r"(?<=:)[^:/@]+(?=@)|(?<=[;?&]token=)[^;&]+")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; an error is one line and an exit code."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    options, unknown = _parser().parse_known_args(arguments)
    if unknown:
        options.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    try:
        return COMMANDS[options.command or "serve"](options)
    except TrailbookError as error:
        print(f"trailbook: {error.message}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    common = OneLineParser(add_help=False, argument_default=argparse.SUPPRESS)
    for about in about_settings():
        action = argparse.BooleanOptionalAction if about.type is bool else "store"
        common.add_argument(f"--{about.name.replace('_', '-')}", action=action, help=about.help)
    parser = OneLineParser(prog="trailbook", description=trailbook.__doc__, parents=[common], allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"trailbook {trailbook.__version__}")
    parser.set_defaults(command=None, parser=parser)
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, help in HELP.items():
        sub = commands.add_parser(name, help=help, description=help, parents=[common], allow_abbrev=False)
        sub.set_defaults(command=name, parser=sub)
        if name in ARGUMENTS:
            ARGUMENTS[name](sub)
        if name == "doctor":
            sub.add_argument("--deep", action="store_true", default=False, help="Read every file and check its digest.")
        if name == "gc":
            sub.add_argument("--dry-run", action="store_true", default=False, help="Only say what would be deleted.")
            sub.add_argument(
                "--drop", action="store_true", default=False, help="Also drop files that their cells can make again."
            )
    return parser


def _settings(options: argparse.Namespace) -> Settings:
    return load_settings(vars(options))


def _serve(options: argparse.Namespace) -> int:
    from trailbook.server.serve import serve

    serve(_settings(options))
    return 0


def _doctor(options: argparse.Namespace) -> int:
    from trailbook.cli.reports import doctor_text
    from trailbook.model.base import now
    from trailbook.store.doctor import doctor
    from trailbook.store.store import Store

    settings = _settings(options)
    report = doctor(Store.visit(settings), now(), settings.gc_grace, deep=options.deep)
    print(doctor_text(report))
    return 0 if report.healthy else DAMAGED


def _gc(options: argparse.Namespace) -> int:
    from trailbook.cli.reports import gc_text
    from trailbook.model.base import now
    from trailbook.store.gc import gc
    from trailbook.store.store import Store

    settings = _settings(options)
    store = Store.visit(settings)
    report = gc(store, now(), settings.gc_grace, drop_recomputable=options.drop, dry_run=options.dry_run)
    print(gc_text(report))
    return 0


def _show_settings(options: argparse.Namespace) -> int:
    for origin in explain_settings(vars(options)):
        print(f"{origin.about.name} = {_shown(origin)}\n    {origin.about.help} [{origin.source}]")
    return 0


def _shown(origin: Origin) -> str:
    """The value as it would be given, without what should not be looked at over a shoulder."""
    if isinstance(origin.value, tuple):
        return os.pathsep.join(map(str, origin.value))
    if origin.about.name in SECRETS and origin.value:
        return "(hidden)"
    return SECRET_IN_URL.sub("…", str(origin.value))


def _prepare(options: argparse.Namespace) -> int:
    from trailbook.engine.archive import make_archive

    print(f"Spark starts faster from now on: {make_archive(_settings(options))}")
    return 0


COMMANDS = {
    "serve": _serve,
    "run": run.run,
    "import": files.import_file,
    "export": files.export_file,
    "worker": worker.work,
    "prepare": _prepare,
    "doctor": _doctor,
    "gc": _gc,
    "settings": _show_settings,
}
ARGUMENTS = {
    "run": run.add_arguments,
    "import": files.add_import_arguments,
    "export": files.add_export_arguments,
    "worker": worker.add_arguments,
}
HELP = {
    "serve": "Start the app (the default).",
    "run": "Run a notebook and say how it went.",
    "import": "Make a project of a notebook file, or of the archive of one.",
    "export": "Write a project's notebook, or all of the project, as a file.",
    "worker": "Run cells for a server on another machine.",
    "prepare": "Have Spark start faster from now on; takes half a minute, once.",
    "doctor": "Check that the store is whole.",
    "gc": "Delete what nothing refers to any more.",
    "settings": "List the settings, their values and where those come from.",
}

if __name__ == "__main__":
    sys.exit(main())
