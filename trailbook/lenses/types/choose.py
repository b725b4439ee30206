"""From the votes of a column to what it is taken for."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from decimal import Decimal
from functools import reduce

from trailbook.algebra.datatypes import DOUBLE, precision_and_scale
from trailbook.lenses.types.codes import CODES, NUMBER_CODES
from trailbook.lenses.types.decision import NOTHING_GIVEN, Counts, Decision, Given, Guard, Guess
from trailbook.lenses.types.electing import companions, elected, formats_for, guard_for, number_of
from trailbook.lenses.types.formats import AMOUNTS, COMMA, CURRENCIES, EXPONENT, FORMATS, GROUPED, PLAIN, Kind
from trailbook.lenses.types.sizes import decimal_type, number_type
from trailbook.lenses.types.votes import BLANK, CODE, Extent, Votes, few


def choose(votes: Votes, given: Given = NOTHING_GIVEN) -> Decision:
    """The type that most values speak for, unless it is given, and the formats that read as many as can be."""
    kind = given.kind if given.is_settled else elected(votes)
    formats = formats_for(votes, kind, given.formats) if kind else ()
    type = _type(votes, kind, formats, given.type) if kind else None
    found = tuple(sorted(text for text in votes.watched if text in CODES))
    if kind is None or type is None:
        codes = _lower(given.codes or ())
        return Decision(codes=codes, proposed=_without(found, codes), counts=_counts(votes, ()))
    codes = found if given.codes is None else _lower(given.codes)
    usual = formats[0]
    extent = _extent(votes, formats)
    currency = _currency(votes, usual)
    guesses = () if given.formats else _guesses(votes, usual)
    return Decision(
        type=type,
        formats=formats,
        codes=codes,
        proposed=_without(_standing_out(votes, extent), codes) if kind is Kind.NUMBER else (),
        guesses=(*guesses, *_losses(votes, type, formats, currency)),
        currency=currency,
        guard=Guard.DIGITS if _would_round(votes, type, extent) else guard_for(votes, kind, usual),
        counts=_counts(votes, formats),
        misfits=_misfits(votes, formats),
    )


def _type(votes: Votes, kind: Kind, formats: tuple[str, ...], wanted: str) -> str | None:
    if wanted and wanted != "decimal":
        return wanted
    extent = _extent(votes, formats)
    if wanted == "decimal":
        return decimal_type(extent)
    return number_type(extent, number_of(votes.counts, EXPONENT) > 0) if kind is Kind.NUMBER else str(kind)


def _extent(votes: Votes, formats: Iterable[str]) -> Extent:
    return reduce(Extent.__or__, (votes.extents.get(name, Extent()) for name in formats))


def _guesses(votes: Votes, usual: str) -> tuple[Guess, ...]:
    guesses = []
    twin = FORMATS[usual].twin
    if twin in FORMATS and _is_open(votes, usual, twin):
        guesses.append(Guess.ORDER)
    if FORMATS[usual].guesses_century:
        guesses.append(Guess.CENTURY)
    other = {GROUPED: COMMA, COMMA: GROUPED}.get(usual)
    if other and _is_open(votes, usual, other, but=PLAIN):
        guesses.append(Guess.MARK)
    return tuple(guesses)


def _losses(votes: Votes, type: str, formats: tuple[str, ...], currency: str) -> tuple[Guess, ...]:
    """What no format settles, even if it is given."""
    exceeds_doubles = _extent(votes, (*formats, *companions(formats[0]))).exceeds_doubles
    losses = {Guess.CURRENCY: currency, Guess.DIGITS: type == DOUBLE and exceeds_doubles}
    return tuple(guess for guess, is_one in losses.items() if is_one)


def _currency(votes: Votes, usual: str) -> str:
    """The most frequent one, if there are several."""
    found = [mark for mark in CURRENCIES if votes.watched.get(mark)]
    if usual not in AMOUNTS or len(found) < 2:
        return ""
    return max(found, key=lambda mark: votes.watched[mark])


def _would_round(votes: Votes, type: str, extent: Extent) -> bool:
    if not (size := precision_and_scale(type)):
        return False
    return extent.most_places > size[1] or number_of(votes.counts, EXPONENT) > 0


def _is_open(votes: Votes, usual: str, other: str, but: str = "") -> bool:
    """Whether some texts may be of either format, and the column holds nothing, or too much, to tell which."""
    telling = {ballot: number for ballot, number in votes.counts.items() if but not in ballot}
    of_both = sum(number for ballot, number in telling.items() if usual in ballot and other in ballot)
    alone, other_alone = (number_of(telling, name) - of_both for name in (usual, other))
    return of_both > 0 and (alone == 0 or other_alone > 0)


def _standing_out(votes: Votes, extent: Extent) -> tuple[str, ...]:
    """Codes that lie apart from all other numbers: farther than those are from each other, or below zero alone."""
    low, high = extent.low, extent.high
    if low is None or high is None:
        return ()

    def stands_out(code: Decimal) -> bool:
        return (code < 0 <= low) or low - code > high - low or code - high > high - low

    return tuple(sorted(text for text in votes.watched if text in NUMBER_CODES and stands_out(Decimal(text))))


def _counts(votes: Votes, formats: tuple[str, ...]) -> Counts:
    usual = {formats[0], *companions(formats[0])} if formats else set()
    numbers = dict.fromkeys(("blanks", "codes", "usual", "unusual", "misfits"), 0)
    for ballot, number in votes.counts.items():
        if ballot in ((BLANK,), (CODE,)):
            numbers["blanks" if ballot == (BLANK,) else "codes"] += number
        elif not usual.isdisjoint(ballot):
            numbers["usual"] += number
        else:
            numbers["misfits" if set(formats).isdisjoint(ballot) else "unusual"] += number
    return Counts(nulls=votes.nulls, **numbers)


def _misfits(votes: Votes, formats: tuple[str, ...]) -> tuple[str, ...]:
    fits = {*formats, *companions(formats[0]), BLANK, CODE}
    return few(text for ballot, texts in votes.samples.items() if fits.isdisjoint(ballot) for text in texts)


def _lower(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({text.strip().lower() for text in texts}))


def _without(texts: Iterable[str], others: Collection[str]) -> tuple[str, ...]:
    return tuple(text for text in texts if text not in others)
