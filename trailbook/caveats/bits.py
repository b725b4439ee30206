"""Marks as bits of integer columns, so that a row's marks are carried and aggregated as one number."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from trailbook.algebra.expressions import FALSE, Expr, either, is_true, number, when

WORD = 62
"""Bits in one mask column: what fits a BIGINT, with room for the sign."""


def bit(word: Expr, index: int) -> Expr:
    """Whether the bit is set."""
    return _test(word, 1 << index)


def any_mark(*marks: Expr) -> Expr:
    """OR, with tests of one mask column made one test."""
    bits: dict[Expr, int] = {}
    others: list[Expr] = []
    for mark in _operands(marks):
        tested = _tested(mark)
        if tested:
            bits[tested[0]] = bits.get(tested[0], 0) | tested[1]
        else:
            others.append(mark)
    return either(*(_test(word, wanted) for word, wanted in bits.items()), *others)


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


def _test(word: Expr, wanted: int) -> Expr:
    return exp.NEQ(this=exp.BitwiseAnd(this=word, expression=number(wanted)), expression=number(0))


def _tested(mark: Expr) -> tuple[Expr, int] | None:
    """The word and the bits, if the mark is a test of some."""
    if isinstance(mark, exp.NEQ) and isinstance(mark.this, exp.BitwiseAnd) and mark.expression == number(0):
        wanted = mark.this.expression
        if isinstance(wanted, exp.Literal) and not wanted.is_string:
            return mark.this.this, int(wanted.this)
    return None


def _operands(marks: Sequence[Expr]) -> list[Expr]:
    found: list[Expr] = []
    for mark in marks:
        found += _operands([mark.this, mark.expression]) if isinstance(mark, exp.Or) else [mark]
    return found
