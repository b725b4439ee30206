"""Projects, as people name them on a command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from trailbook.errors import Invalid

if TYPE_CHECKING:
    from trailbook.model.base import ProjectId


class _Named(Protocol):
    @property
    def id(self) -> ProjectId: ...

    @property
    def name(self) -> str: ...


P = TypeVar("P", bound=_Named)


def project_called(name: str, known: Sequence[P]) -> P | None:
    """The one of that name or id; None if there is none. A name that several have could mean any of them."""
    found = [project for project in known if name == project.id] or [one for one in known if name == one.name]
    if len(found) > 1:
        ids = ", ".join(project.id for project in found)
        raise Invalid(f"There are {len(found)} projects called {name}. Say which one by its id: {ids}.")
    return found[0] if found else None


def names_of(known: Sequence[P]) -> str:
    return ", ".join(sorted({project.name for project in known})) or "none"
