"""Joins by comparing every pair: tables are tiny where this is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trailbook.algebra.interpreter.values import Row
from trailbook.algebra.plan import JoinKind

Rows = list[Row]
Match = Callable[[Row, Row], Any]


def inner(left: Rows, right: Rows, match: Match, no_left: Row, no_right: Row) -> Rows:
    return [one + other for one in left for other in right if match(one, other)]


def left_outer(left: Rows, right: Rows, match: Match, no_left: Row, no_right: Row) -> Rows:
    result: Rows = []
    for one in left:
        result.extend([one + other for other in right if match(one, other)] or [one + no_right])
    return result


def right_outer(left: Rows, right: Rows, match: Match, no_left: Row, no_right: Row) -> Rows:
    result: Rows = []
    for other in right:
        result.extend([one + other for one in left if match(one, other)] or [no_left + other])
    return result


def full_outer(left: Rows, right: Rows, match: Match, no_left: Row, no_right: Row) -> Rows:
    lonely = anti(right, left, lambda other, one: match(one, other), no_right, no_left)
    return left_outer(left, right, match, no_left, no_right) + [no_left + other for other in lonely]


def semi(left: Rows, right: Rows, match: Match, no_left: Row, no_right: Row) -> Rows:
    return [one for one in left if any(match(one, other) for other in right)]


def anti(left: Rows, right: Rows, match: Match, no_left: Row, no_right: Row) -> Rows:
    return [one for one in left if not any(match(one, other) for other in right)]


def existence(left: Rows, right: Rows, match: Match) -> Rows:
    return [(*one, any(match(one, other) for other in right)) for one in left]


JOINS: dict[JoinKind, Callable[[Rows, Rows, Match, Row, Row], Rows]] = {
    JoinKind.INNER: inner,
    JoinKind.LEFT: left_outer,
    JoinKind.RIGHT: right_outer,
    JoinKind.FULL: full_outer,
    JoinKind.SEMI: semi,
    JoinKind.ANTI: anti,
}
