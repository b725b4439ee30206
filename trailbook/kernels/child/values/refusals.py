"""Why a value can't be kept for other cells, and what to do about it."""

from __future__ import annotations

import re
from typing import Any

from trailbook.kernels.child.values.about import type_name

_KIND = re.compile(r"cannot pickle (?:an? )?'?([\w. ]+?)'?(?: objects?)?$")

_ADVICE = {
    "generator": "Make a list of it with list(…), or make it again in the cell that needs it.",
    "open file": "Read it in the cell that opens it, or keep its path and open it again.",
    "socket": "Open it again in the cell that needs it.",
}
_OTHERWISE = "Make it again in the cell that needs it, best in a function."


def refusal(value: Any, error: Exception) -> str:
    """The reason, which names the offender."""
    kind = _kind_of_offender(error)
    if kind is None:
        return f"it is a {type_name(value)} that can't be packed ({type(error).__name__}: {error}). {_OTHERWISE}"
    is_offender = kind in (type(value).__name__, type_name(value))
    holder = "" if is_offender else f"it is a {type_name(value)}, and holds "
    article = "an" if kind[0] in "aeiou" else "a"
    return f"{holder or 'it is '}{article} {kind}, which lives in one cell only. {_ADVICE.get(kind, _OTHERWISE)}"


def _kind_of_offender(error: Exception) -> str | None:
    found = _KIND.search(str(error))
    return found[1].rpartition(".")[2] if found else None
