"""A column of texts as one of another type: expressions in which every doubt is a call of `caveat_if`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from trailbook.algebra.datatypes import BOOLEAN, DOUBLE, STRING
from trailbook.algebra.expressions import (
    FALSE,
    NULL,
    Expr,
    both,
    call,
    either,
    is_null,
    negated,
    number,
    ref,
    text,
    when,
)
from trailbook.algebra.plan import Named
from trailbook.caveats.calls import stands_for, told_elsewhere
from trailbook.lenses.types.decision import Decision, Guard, Guess
from trailbook.lenses.types.doubles import NO_DIGITS
from trailbook.lenses.types.electing import companions
from trailbook.lenses.types.formats import (
    AROUND,
    CURRENCIES,
    FORMATS,
    ISO_ZONED,
    LENGTHS,
    NO_SECONDS,
    Format,
    Kind,
    whole,
)
from trailbook.model.artifacts import Column

_BLANK = f"^[{AROUND}]*$"
_OPEN_MARK = whole("[+-]?[0-9]{1,3}[,.][0-9]{3}")
"""A number in which the mark may set off thousands or decimals."""


def typed_columns(columns: Sequence[Column], decisions: Mapping[str, Decision]) -> tuple[Named, ...]:
    """The columns of a table, each as it was decided; those of which nothing was are as they were."""
    return tuple(
        Named(column.name, typed(ref(column.name), decisions.get(column.name, Decision()), column.name))
        for column in columns
    )


def typed(value: Expr, decision: Decision, column: str) -> Expr:
    """A text as the type of its column. What is written in the usual way costs one cast, and has no mark."""
    place = place_of_type(column, decision.type)
    if decision.type == STRING:
        return stands_for(_without_codes(value, decision), place) if decision.codes else value
    usual, *others = (_read(value, FORMATS[name], decision) for name in decision.formats)
    result = call("coalesce", usual, *others) if others else usual
    unusual = is_null(usual)
    if any(_may_be_read(code, decision.type) for code in decision.codes):
        coded = _is_code(value, decision)
        result, unusual = when((coded, _null(decision.type)), otherwise=result), either(unusual, coded)
    raised: Expr = call("caveat_if", result, both(unusual, negated(is_null(value))), _message(value, others, decision))
    stands_for(raised, place)
    for guess in decision.guesses:
        condition, message = _GUESSES[guess](value, usual, decision)
        raised = call("caveat_if", raised, both(negated(is_null(usual)), condition), message)
        stands_for(raised, f"{place}: {guess}")
    return raised


def place_of_type(column: str, type: str) -> str:
    """Not the text of the expression: what is acknowledged here still is if another format turns up."""
    return f"{column} read as {type}"


def _may_be_read(code: str, type: str) -> bool:
    """Other codes are no values, whatever is said of them."""
    return any(map(str.isdigit, code)) or (type == DOUBLE and code == "nan") or type == BOOLEAN


def _without_codes(value: Expr, decision: Decision) -> Expr:
    coded = both(negated(is_null(value)), _is_code(value, decision))
    return call("caveat_if", when((coded, _null(STRING)), otherwise=value), coded, _stands_for_missing(value))


def _read(value: Expr, format: Format, decision: Decision) -> Expr:
    """The value if it is written in this format, else NULL."""
    is_usual = format.name == decision.formats[0]
    read = _by_pattern(value, format, decision.type) if format.pattern else _by_cast(value, format, decision.type)
    guard = decision.guard
    if (format.kept or not is_usual) and guard is not Guard.DIGITS:
        guard = Guard.SHAPE
    if guard is Guard.NONE:
        return read
    fits = _has_length(value, format) if guard is Guard.LENGTH else _has_shape(value, format, is_usual)
    if guard is Guard.DIGITS:
        fits = both(fits, exp.EQ(this=_digits(value), expression=_digits(_text(read))))
    return when((fits, read), otherwise=_null(decision.type))


def _has_length(value: Expr, format: Format) -> Expr:
    shortest, longest = map(number, LENGTHS[format.name])
    length = call("length", call("btrim", value, text(AROUND)))
    return both(exp.GTE(this=length, expression=shortest), exp.LTE(this=length, expression=longest))


def _has_shape(value: Expr, format: Format, is_usual: bool) -> Expr:
    beside = [FORMATS[name] for name in companions(format.name)] if is_usual else []
    shape = "|".join(one.shape for one in (format, *beside))
    return exp.RegexpLike(this=value, expression=text(whole(shape)))


def _digits(written: Expr) -> Expr:
    """Those of a number that are significant: a text and what it was read as differ in them if it was rounded."""
    return call("btrim", call("regexp_replace", written, text(NO_DIGITS), text("")), text("0"))


def _by_cast(value: Expr, format: Format, type: str) -> Expr:
    if format.name == ISO_ZONED:
        value = call("regexp_replace", value, text(NO_SECONDS), text("$1:00$2"))
    if format.kept:
        # What has no counterpart in the second list is left out.
        value = call("translate", value, text(format.kept + format.dropped), text("."))
    return _try_cast(value, type)


def _by_pattern(value: Expr, format: Format, type: str) -> Expr:
    written = call("btrim", value, text(AROUND))
    if format.kind is Kind.DATE and type == "date":
        return told_elsewhere(call("try_to_date", written, text(format.pattern)))
    moment = told_elsewhere(call("try_to_timestamp", written, text(format.pattern)))
    return moment if type == "timestamp" else _try_cast(moment, type)


def _try_cast(value: Expr, type: str) -> Expr:
    return told_elsewhere(exp.TryCast(this=value, to=exp.DataType.build(type, dialect="spark"), safe=True))


def _null(type: str) -> Expr:
    return exp.Cast(this=NULL, to=exp.DataType.build(type, dialect="spark"))


def _is_code(value: Expr, decision: Decision) -> Expr:
    plain = call("lower", call("btrim", value, text(AROUND)))
    return exp.In(this=plain, expressions=[text(code) for code in decision.codes])


def _message(value: Expr, others: Sequence[Expr], decision: Decision) -> Expr:
    """What is said of a text that is not written in the usual way."""
    coded = _is_code(value, decision) if decision.codes else FALSE
    blank = exp.RegexpLike(this=value, expression=text(_BLANK))
    cases = [(blank, text("a blank stands for a missing value")), (coded, _stands_for_missing(value))]
    for other in others:
        read = _said("'", value, "' was read as ", _text(other), ", unlike most")
        cases.append((negated(is_null(other)), read))
    article = "an" if decision.type[0] in "aeiou" else "a"
    return when(*cases, otherwise=_said("'", value, f"' is not {article} {decision.type}"))


def _stands_for_missing(value: Expr) -> Expr:
    return _said("'", value, "' stands for a missing value")


def _order(value: Expr, read: Expr, _: Decision) -> tuple[Expr, Expr]:
    day, month = call("day", read), call("month", read)
    swapped = both(exp.LTE(this=day, expression=number(12)), exp.NEQ(this=day, expression=month))
    return swapped, _said("'", value, "' was read as ", _text(read), ": day and month may be the other way round")


def _century(value: Expr, read: Expr, _: Decision) -> tuple[Expr, Expr]:
    return negated(is_null(read)), _said("'", value, "' was read as ", _text(read), ": the century is a guess")


def _mark(value: Expr, read: Expr, _: Decision) -> tuple[Expr, Expr]:
    is_open = exp.RegexpLike(this=value, expression=text(_OPEN_MARK))
    return is_open, _said("'", value, "' was read as ", _text(read), ": the mark may set off thousands or decimals")


def _currency(value: Expr, read: Expr, decision: Decision) -> tuple[Expr, Expr]:
    others = "".join(mark for mark in CURRENCIES if mark != decision.currency)
    is_other = exp.RegexpLike(this=value, expression=text(f"[{others}]"))
    return is_other, _said("'", value, "' was read as ", _text(read), f": others are in {decision.currency}")


def _loss(value: Expr, read: Expr, _: Decision) -> tuple[Expr, Expr]:
    is_lost = exp.NEQ(this=_digits(value), expression=_digits(_text(read)))
    return is_lost, _said("'", value, "' was read as ", _text(read), ": a double does not hold it exactly")


_GUESSES = {
    Guess.ORDER: _order,
    Guess.CENTURY: _century,
    Guess.MARK: _mark,
    Guess.CURRENCY: _currency,
    Guess.DIGITS: _loss,
}


def _said(*parts: Expr | str) -> Expr:
    return call("concat", *(text(part) if isinstance(part, str) else part for part in parts))


def _text(value: Expr) -> Expr:
    return exp.Cast(this=value, to=exp.DataType.build("string"))
