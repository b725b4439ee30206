"""What does not fit is told in plain words."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError, field_validator

from trailbook.model.misfits import misfits


class Form(BaseModel, extra="forbid"):
    name: Annotated[str, Field(min_length=1, max_length=5, pattern="^[a-z]*$")] = "a"
    count: Annotated[int, Field(ge=1, le=9)] = 1
    share: float = 0.5
    open: bool = True
    words: Annotated[list[str], Field(max_length=2)] = []
    kind: Literal["one", "two"] = "one"
    delimiter: str = ","
    inner: dict[str, int] = {}

    @field_validator("delimiter")
    @classmethod
    def _no_quote(cls, value: str) -> str:
        if value == '"':
            raise ValueError("a quote can't stand between values")
        return value


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": 1}, "name: it should be a text"),
        ({"name": ""}, "name: it should have 1 characters or more"),
        ({"name": "abcdef"}, "name: it should have 5 characters or fewer"),
        ({"name": "A"}, "name: it is not written as it should be, which is ^[a-z]*$"),
        ({"count": "x"}, "count: it should be a whole number"),
        ({"count": 1.5}, "count: it should be a whole number"),
        ({"count": 0}, "count: it should be 1 or more"),
        ({"count": 10}, "count: it should be 9 or less"),
        ({"share": "x"}, "share: it should be a number"),
        ({"open": "perhaps"}, "open: it should be true or false"),
        ({"words": "a"}, "words: it should be a list"),
        ({"words": ["a", "b", "c"]}, "words: it should have 2 entries or fewer"),
        ({"kind": "three"}, "kind: it should be 'one' or 'two'"),
        ({"delimiter": '"'}, "delimiter: a quote can't stand between values"),
        ({"inner": {"a": "x"}}, "inner.a: it should be a whole number"),
        ({"inner": 1}, "inner: it should be an object"),
        ({"other": 1}, "other: it is not known here"),
        ([], "it should be an object"),
    ],
)
def test_each_misfit_has_its_words(given: Any, said: str) -> None:
    with pytest.raises(ValidationError) as found:
        Form.model_validate(given)
    assert [str(one) for one in misfits(found.value.errors())] == [said]


def test_what_has_no_words_of_ours_is_told_as_it_comes() -> None:
    error = {"type": "date_parsing", "loc": ("day",), "msg": "Input should be a valid date"}
    assert [str(one) for one in misfits([error])] == ["day: input should be a valid date"]
