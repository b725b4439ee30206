"""What was decided when a dataset was made, in a file beside its data: reasons are looked up by the same plan."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from trailbook.errors import Invalid
from trailbook.model.base import Json

DECISIONS = "_decisions"


def write_decisions(directory: Path, decisions: Mapping[str, Json]) -> None:
    """Keep these with a staged dataset."""
    content = json.dumps(decisions, ensure_ascii=False, sort_keys=True)
    # Half of a surrogate pair is a character to Python, and to nobody else.
    (directory / DECISIONS).write_bytes(content.encode("utf-8", "replace"))


def read_decisions(directory: Path) -> dict[str, Json]:
    """None are kept where nothing had to be decided."""
    try:
        found = json.loads((directory / DECISIONS).read_bytes())
    except FileNotFoundError:
        return {}
    except (RecursionError, ValueError) as error:
        raise Invalid(f"What was decided for a dataset can't be read: {type(error).__name__}: {error}.") from error
    if not isinstance(found, dict):
        raise Invalid("What was decided for a dataset can't be read: it is no object.")
    return found
