"""What goes wrong inside a cell through no mistake of Python's own, and how it is reported.

CellProblem             shown with its message alone, without the name of a class
├── UnknownDataset      no dataset of that name above this cell
├── UnavailableValue    there is something of that name, and it can't be read
├── BadDataset          a value that can't be stored as a dataset
├── NotCreated          data from elsewhere that could not be fetched, or not be read
├── NoInput             input() has nobody to ask
└── NoEngine            Spark can't be used
"""

from __future__ import annotations

from typing import ClassVar


class CellProblem(Exception):
    """A problem with a stable code and a message for people."""

    code: ClassVar[str] = "python_exception"


class UnknownDataset(CellProblem, LookupError):
    """No dataset of that name above this cell."""

    code = "unknown_dataset"


class UnavailableValue(CellProblem):
    """There is something of that name, and it can't be read."""

    code = "unavailable_value"


class BadDataset(CellProblem, ValueError):
    """A value that can't be stored as a dataset."""

    code = "bad_dataset"


class NotCreated(CellProblem, OSError):
    """Data from elsewhere that could not be fetched, or not be read."""

    code = "not_created"


class NoInput(CellProblem):
    """input() has nobody to ask."""

    code = "no_input"


class NoEngine(CellProblem):
    """Spark can't be used."""

    code = "engine_unavailable"
