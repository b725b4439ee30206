"""Decisions in words."""

from __future__ import annotations

from trailbook.lenses.types.decision import Counts, Decision, Guess

_GUESSES = {
    Guess.ORDER: "nothing tells day from month everywhere",
    Guess.CENTURY: "years have two digits, and are read as 20..",
    Guess.MARK: "nothing tells whether the mark sets off thousands or decimals",
    Guess.CURRENCY: "amounts are of several currencies",
    Guess.DIGITS: "a double does not hold all of them exactly",
}


def is_worth_telling(decision: Decision) -> bool:
    """Whether there is more to it than that all values fit."""
    counts = decision.counts
    is_typed = decision.type != "string"
    return bool(
        decision.proposed or decision.guesses or (is_typed and (counts.misfits + counts.unusual + counts.codes))
    )


def told(column: str, decision: Decision) -> str:
    """One line for a column that was changed, or might be."""
    if decision.type == "string":
        return f"{column} is text. {_proposals(decision)}".strip()
    counts = decision.counts
    parts = [f"{_share(counts)} fit"]
    parts += [f"{what}: {number:,}{more}" for what, number, more in _exceptions(decision) if number]
    parts += [_GUESSES[guess] for guess in decision.guesses]
    return f"{column} is {decision.type}: {'; '.join(parts)}. {_proposals(decision)}".strip()


def _share(counts: Counts) -> str:
    fits = counts.usual + counts.unusual
    if not counts.misfits:
        return f"all {fits:,} values"
    # All but one of a million is not all.
    percent = min(int(counts.share * 1000) / 10, 99.9)
    return f"{percent:g} % of {fits + counts.misfits:,} values"


def _exceptions(decision: Decision) -> list[tuple[str, int, str]]:
    counts = decision.counts
    usual = decision.formats[0] if decision.formats else ""
    return [
        ("misfits", counts.misfits, f", such as {', '.join(map(repr, decision.misfits[:3]))}"),
        (f"not written like {usual}", counts.unusual, ""),
        ("codes for missing values", counts.codes, f" ({' '.join(decision.codes)})"),
        ("blanks", counts.blanks, ""),
    ]


def _proposals(decision: Decision) -> str:
    if not decision.proposed:
        return ""
    return f"May stand for a missing value: {', '.join(decision.proposed)}."
