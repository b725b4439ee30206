"""What does not fit a model, in plain words: Pydantic's own are for programmers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

_TEXT = "it should be a text"
_WHOLE = "it should be a whole number"
_NUMBER = "it should be a number"
_SWITCH = "it should be true or false"
_LIST = "it should be a list"
_OBJECT = "it should be an object"
_WORDS = {
    "missing": "it is missing",
    "extra_forbidden": "it is not known here",
    "string_type": _TEXT,
    "string_too_short": "it should have {min_length} characters or more",
    "string_too_long": "it should have {max_length} characters or fewer",
    "string_pattern_mismatch": "it is not written as it should be, which is {pattern}",
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": _NUMBER,
    "bool_type": _SWITCH,
    "bool_parsing": _SWITCH,
    "list_type": _LIST,
    "tuple_type": _LIST,
    "too_short": "it should have {min_length} entries or more",
    "too_long": "it should have {max_length} entries or fewer",
    "dict_type": _OBJECT,
    "mapping_type": _OBJECT,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "literal_error": "it should be {expected}",
    "enum": "it should be {expected}",
    "greater_than": "it should be more than {gt}",
    "greater_than_equal": "it should be {ge} or more",
    "less_than": "it should be less than {lt}",
    "less_than_equal": "it should be {le} or less",
    "union_tag_not_found": "it does not say which it is, as {discriminator}",
    "union_tag_invalid": "its {discriminator} should be one of {expected_tags}",
    "json_invalid": "it is no JSON: {error}",
}
"""By the types of Pydantic's errors, with what their contexts hold."""


@dataclass(frozen=True)
class Misfit:
    """A place in what was given, with dots, and what is wrong there."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


def misfits(errors: Iterable[Any]) -> list[Misfit]:
    """What a validation found, as its `errors()` lists it."""
    return [Misfit(".".join(map(str, error["loc"])), _words(error)) for error in errors]


def _words(error: Any) -> str:
    if known := _WORDS.get(error["type"]):
        return known.format(**error.get("ctx", {}))
    # What our own validators say is meant for people.
    said: str = error["msg"].removeprefix("Value error, ")
    return said if said != error["msg"] else said[:1].lower() + said[1:]
