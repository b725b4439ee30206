"""Where Spark reads a text by the clock, so that it is another moment each day."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp

from trailbook.algebra.clock import WORDS, WORDS_AND_TIMES, is_word_of_the_clock
from trailbook.algebra.datatypes import DATE, MOMENTS, STRING, TIMESTAMP, TIMESTAMP_NTZ, UNKNOWN, interval_units
from trailbook.algebra.expressions import FALSE, TRUE, Expr, call, names_in, text
from trailbook.algebra.forms import COMPARISONS
from trailbook.algebra.function_names import names
from trailbook.algebra.functions import lookup
from trailbook.algebra.types import type_of
from trailbook.model.artifacts import Column

READERS = {
    "to_date": DATE,
    "try_to_date": DATE,
    "to_timestamp": TIMESTAMP,
    "to_timestamp_ltz": TIMESTAMP,
    "try_to_timestamp": TIMESTAMP,
    "to_timestamp_ntz": TIMESTAMP_NTZ,
}
"""Functions that, without a pattern, read a text as a cast to this type does."""

OF_MOMENTS = names(
    """
    add_months convert_timezone date_add date_diff date_format date_part date_sub date_trunc dateadd datediff datepart
    day dayname dayofmonth dayofweek dayofyear from_utc_timestamp hour last_day minute month monthname months_between
    next_day quarter second timestampadd timestampdiff to_utc_timestamp trunc weekday weekofyear window year
    """
)
"""Functions that make a date or timestamp of a text."""

OF_TIMESTAMPS = {
    **dict.fromkeys(("date_format", "from_utc_timestamp", "to_utc_timestamp", "window"), (0,)),
    **dict.fromkeys(("date_diff", "datediff", "timestampdiff"), (1, 2)),
    **dict.fromkeys(("date_add", "dateadd", "timestampadd"), (2,)),
    "date_trunc": (1,),
    "months_between": (0, 1),
}
"""The arguments of which they make timestamps, where the day matters."""

LEAVE_TEXT = ("s", "*+")
"""How the signatures begin of functions to which a text is a text, whatever is beside it."""

OF_ONE_TYPE = "=+"
"""The signature of functions that give their arguments one type."""

BRING_TOGETHER = (*COMPARISONS, exp.NullSafeEQ, exp.Case, exp.Sub)
"""Operators that do."""


def by_the_clock(value: Expr, target: str) -> Expr:
    """Whether the text, as a value of this type, is another moment each day; never NULL."""
    # Spark knows the words in constants alone, and a time without a day as a timestamp alone.
    if target not in (DATE, TIMESTAMP, TIMESTAMP_NTZ) or (target != TIMESTAMP and names_in(value)):
        return FALSE
    pattern = WORDS_AND_TIMES if target == TIMESTAMP else WORDS
    if isinstance(value, exp.Literal):
        return TRUE if re.search(pattern, value.name) else FALSE
    written = exp.Cast(this=value, to=exp.DataType.build("string"))
    return call("coalesce", exp.RegexpLike(this=written, expression=text(pattern)), FALSE)


def another_moment(value: Expr) -> Expr:
    """What is said of a text that is read by the clock."""
    written = exp.Cast(this=value, to=exp.DataType.build("string"))
    return call("concat", text("'"), written, text("' is another moment each day"))


def reader_of(part: Expr) -> Expr:
    """The operator or function that a part of an expression is an operand of."""
    around = part.parent
    assert around is not None
    return around.parent if isinstance(around, exp.If) and around.parent else around


class Unasked:
    """Finds the texts in an expression of which Spark makes moments though nobody wrote a cast."""

    def __init__(self, schema: Sequence[Column]) -> None:
        self._schema = schema
        self._kinds: dict[int, frozenset[str]] = {}
        """The types of an operator's operands, once for all of them: IN may have thousands."""

    def by_the_clock(self, part: Expr) -> Expr:
        """Whether Spark reads this part so on its own."""
        around = reader_of(part)
        if is_word_of_the_clock(part):
            return TRUE if self._is_made_moment(around) else FALSE
        if not self._is_made_timestamp(part, around) or type_of(part, self._schema)[0] != STRING:
            return FALSE
        return by_the_clock(part.copy(), TIMESTAMP)

    def _is_made_moment(self, around: Expr) -> bool:
        """Whether it may make a date or timestamp of a text: where it can't be ruled out, it may."""
        function = lookup(around.name) if isinstance(around, exp.Anonymous) else None
        if function and function.name in OF_MOMENTS:
            return True
        if isinstance(around, exp.Cast) or (function and (function.takes or "").startswith(LEAVE_TEXT)):
            return False
        return any(kind in (*MOMENTS, UNKNOWN) or interval_units(kind) for kind in self._operand_kinds(around))

    def _is_made_timestamp(self, part: Expr, around: Expr) -> bool:
        function = lookup(around.name) if isinstance(around, exp.Anonymous) else None
        if function and part.index in OF_TIMESTAMPS.get(function.name, ()):
            return True
        if not isinstance(around, BRING_TOGETHER) and not (function and function.takes == OF_ONE_TYPE):
            return False
        return TIMESTAMP in self._operand_kinds(around)

    def _operand_kinds(self, around: Expr) -> frozenset[str]:
        """The types of all that Spark may give one type with an operand."""
        if id(around) not in self._kinds:
            operands = (part.args.get("true", part) for part in around.iter_expressions())
            self._kinds[id(around)] = frozenset(type_of(operand, self._schema)[0] for operand in operands)
        return self._kinds[id(around)]
