"""Every error Trailbook raises on purpose.

TrailbookError
├── Invalid               the request itself makes no sense
│   ├── BadParameters     a cell's parameters don't fit its kind
│   ├── BadEdit           an edit that can't be applied to this version
│   ├── BadPackages       packages that can't be had, or not together
│   ├── BadArchive        an archive of a project that is damaged, or means harm
│   └── BadSetting        a setting with a value that can't be used
├── NotFound              nothing with that id or name
├── NotAllowed            no token, or a wrong one
│   ├── ForeignHost       a request that was meant for another server
│   ├── ForeignOrigin     a state-changing request from another site
│   ├── PathRefused       a path outside the allowed folders
│   └── AddressRefused    an address that may not be asked for data
├── Conflict              it was possible a moment ago
│   ├── HeadMoved         another client edited the branch first
│   ├── NeedsBranchName   only a branch's head is edited in place
│   ├── NameTaken         another thing has that name
│   ├── NothingToUndo     the log of head moves has no such step
│   ├── EnvironmentInUse  cells run in it
│   └── Dropped           the artifact's files are no longer there
├── TooLarge              an upload, or a file to be fetched, beyond the limit
├── NotFetched            a file or table elsewhere that could not be had
├── NotPreviewed          a file that can't be looked at before it is loaded
├── NotExported           a place that a dataset could not be written to
├── CellFailed            a cell did not finish: its own fault, or its input's
│   └── CellCancelled     somebody asked it to stop
├── BadPlan               an operator over what is not there: a defect of ours
├── InterpreterError      a plan that plain Python can't evaluate, or where Spark would raise
├── EnvironmentFailed     the packages of a notebook could not be installed
├── EngineError           Spark can't be used
│   ├── EngineUnavailable not started, starting for too long, or gone
│   ├── EngineLost        it died while work ran on it
│   └── BadJava           no Java that fits
├── WorkerError           a cell can't run on another machine
│   ├── BrokerUnavailable Redis can't be reached
│   ├── WorkerLost        the worker died while it ran the cell, and so did the next one
│   └── WorkerUnfit       it has other packages than the server, or other files
└── StoreError            the data directory can't be used
    ├── StoreInUse        another server has it
    ├── StoreFull         no space left
    └── StoreDamaged      what is on disk is not what was written
"""

from __future__ import annotations

from typing import Any, ClassVar


class TrailbookError(Exception):
    """An error with a stable code, a message for people, and details for programs."""

    code: str = "error"
    status: ClassVar[int] = 500

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details: dict[str, Any] = details


class Invalid(TrailbookError):
    """The request itself makes no sense."""

    code = "invalid"
    status = 422


class BadParameters(Invalid):
    """A cell's parameters don't fit its kind."""

    code = "bad_parameters"


class BadEdit(Invalid):
    """An edit that can't be applied to this version."""

    code = "bad_edit"


class BadPackages(Invalid):
    """Packages that can't be had, or not together."""

    code = "bad_packages"


class BadArchive(Invalid):
    """An archive of a project that is damaged, or means harm."""

    code = "bad_archive"


class BadSetting(Invalid):
    """A setting with a value that can't be used."""

    code = "bad_setting"


class NotFound(TrailbookError):
    """Nothing with that id or name."""

    code = "not_found"
    status = 404


class NotAllowed(TrailbookError):
    """No token, or a wrong one."""

    code = "not_allowed"
    status = 401


class ForeignHost(NotAllowed):
    """A request that was meant for another server."""

    code = "foreign_host"
    status = 403


class ForeignOrigin(NotAllowed):
    """A state-changing request from another site."""

    code = "foreign_origin"
    status = 403


class PathRefused(NotAllowed):
    """A path outside the allowed folders."""

    code = "path_refused"
    status = 403


class AddressRefused(NotAllowed):
    """An address that may not be asked for data."""

    code = "address_refused"
    status = 403


class Conflict(TrailbookError):
    """It was possible a moment ago."""

    code = "conflict"
    status = 409


class HeadMoved(Conflict):
    """Another client edited the branch first."""

    code = "head_moved"


class NeedsBranchName(Conflict):
    """Only a branch's head is edited in place."""

    code = "needs_branch_name"


class NameTaken(Conflict):
    """Another thing has that name."""

    code = "name_taken"


class NothingToUndo(Conflict):
    """The log of head moves has no such step."""

    code = "nothing_to_undo"


class EnvironmentInUse(Conflict):
    """Cells run in it."""

    code = "environment_in_use"


class Dropped(Conflict):
    """The artifact's files are no longer there."""

    code = "dropped"


class TooLarge(TrailbookError):
    """An upload, or a file to be fetched, beyond the limit."""

    code = "too_large"
    status = 413


class NotFetched(TrailbookError):
    """A file or table elsewhere that could not be had."""

    code = "not_fetched"
    status = 502


class NotPreviewed(TrailbookError):
    """A file that can't be looked at before it is loaded."""

    code = "not_previewed"
    status = 422


class NotExported(TrailbookError):
    """A place that a dataset could not be written to."""

    code = "not_exported"
    status = 502


class CellFailed(TrailbookError):
    """A cell did not finish: its own fault, or its input's.

    `line` and `column` (from 1) point into the cell's text where that is known; `traceback` is the way there.
    Kernels have codes of their own.
    """

    code = "cell_failed"
    status = 422

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        traceback: str | None = None,
        code: str | None = None,
        **details: Any,
    ) -> None:
        super().__init__(message, **details)
        self.code = code or self.code
        self.line = line
        self.column = column
        self.traceback = traceback


class CellCancelled(CellFailed):
    """Somebody asked it to stop."""

    code = "cell_cancelled"


class BadPlan(TrailbookError):
    """A plan whose operators don't fit each other, which no input may cause."""

    code = "bad_plan"


class InterpreterError(TrailbookError):
    """The interpreter of plans met what it does not know, or a value for which Spark in ANSI mode raises an error."""

    code = "interpreter_error"


class EnvironmentFailed(TrailbookError):
    """The packages of a notebook could not be installed."""

    code = "environment_failed"
    status = 503


class EngineError(TrailbookError):
    """Spark can't be used."""

    code = "engine_error"
    status = 503


class EngineUnavailable(EngineError):
    """Not started, starting for too long, or gone."""

    code = "engine_unavailable"


class EngineLost(EngineError):
    """It died while work ran on it."""

    code = "engine_lost"


class BadJava(EngineError):
    """No Java that fits."""

    code = "bad_java"


class WorkerError(TrailbookError):
    """A cell can't run on another machine."""

    code = "worker_error"
    status = 503


class BrokerUnavailable(WorkerError):
    """Redis can't be reached."""

    code = "broker_unavailable"


class WorkerLost(WorkerError):
    """The worker died while it ran the cell, and so did the next one."""

    code = "worker_lost"


class WorkerUnfit(WorkerError):
    """It has other packages than the server, or other files."""

    code = "worker_unfit"


class StoreError(TrailbookError):
    """The data directory can't be used."""

    code = "store_error"
    status = 503


class StoreInUse(StoreError):
    """Another server has it."""

    code = "store_in_use"


class StoreFull(StoreError):
    """No space left."""

    code = "store_full"
    status = 507


class StoreDamaged(StoreError):
    """What is on disk is not what was written."""

    code = "store_damaged"
