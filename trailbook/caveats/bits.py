"""Marks as bits of integer columns, so that a row's marks are carried and aggregated as one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from trailbook.algebra.expressions import FALSE, Expr, either, is_true, number, when


def bit(word: Expr, index: int) -> Expr:
    """Whether the bit is set."""
    return test(word, 1 << index)


def any_mark(*marks: Expr) -> Expr:
    """OR, with tests of one mask column made one test."""
    bits: dict[Expr, int] = {}
    others: list[Expr] = []
    for mark in operands(marks):
        found = tested(mark)
        if found:
            bits[found[0]] = bits.get(found[0], 0) | found[1]
        else:
            others.append(mark)
    return either(*(test(word, wanted) for word, wanted in bits.items()), *others)


def pack(flags: Sequence[Expr]) -> Expr:
    """A number with a bit for each flag that is true; flags are never NULL."""
    terms: list[Expr] = []
    constant = 0
    for index, flag in enumerate(flags):
        if is_true(flag):
            constant |= 1 << index
        elif flag != FALSE:
            terms.append(when((flag, number(1 << index)), otherwise=number(0)))
    if constant or not terms:
        terms.append(number(constant))
    packed = terms[0]
    for term in terms[1:]:
        packed = exp.BitwiseOr(this=packed, expression=term)
    return packed


def test(word: Expr, wanted: int) -> Expr:
    """Whether one of the wanted bits is set."""
    return exp.NEQ(this=exp.BitwiseAnd(this=word, expression=number(wanted)), expression=number(0))


def tested(mark: Expr) -> tuple[Expr, int] | None:
    """The word and the bits, if the mark is a test of some."""
    if isinstance(mark, exp.NEQ) and isinstance(mark.this, exp.BitwiseAnd) and mark.expression == number(0):
        wanted = mark.this.expression
        if isinstance(wanted, exp.Literal) and not wanted.is_string:
            return mark.this.this, int(wanted.this)
    return None


def outcome(condition: Expr, columns: Mapping[str, Expr]) -> bool | None:
    """What a test of packed flags comes to for all rows with these columns, if that can be told."""
    if isinstance(condition, exp.Not):
        inner = outcome(condition.this, columns)
        return None if inner is None else not inner
    found = tested(condition)
    packed = columns.get(found[0].name) if found and isinstance(found[0], exp.Column) else None
    if found is None or packed is None:
        return None
    always, ever = 0, 0
    for term in _packed(packed):
        if isinstance(term, exp.Literal):
            always |= int(term.this)
        elif isinstance(term, exp.Case) and isinstance(term.args["ifs"][0].args["true"], exp.Literal):
            ever |= int(term.args["ifs"][0].args["true"].this)
        else:
            return None
    return True if found[1] & always else None if found[1] & ever else False


def _packed(word: Expr) -> list[Expr]:
    return [*_packed(word.this), *_packed(word.expression)] if isinstance(word, exp.BitwiseOr) else [word]


def operands(marks: Sequence[Expr]) -> list[Expr]:
    """What is ORed together."""
    found: list[Expr] = []
    for mark in marks:
        found += operands([mark.this, mark.expression]) if isinstance(mark, exp.Or) else [mark]
    return found
