"""A column is taken for what nearly all of its values are; what is doubtful about that is on record."""

from __future__ import annotations

import pyarrow as pa
import pytest
from pydantic import ValidationError

from trailbook.lenses.types.choose import choose
from trailbook.lenses.types.counting import counted
from trailbook.lenses.types.decision import Decision, Given, Guard, Guess


def _chosen(*texts: str | None, **given: object) -> Decision:
    return choose(counted(pa.array(texts, pa.string())), Given.model_validate(given))


@pytest.mark.parametrize(
    ("texts", "type"),
    [
        (["1", "-20", "2147483647"], "int"),
        (["1", "2147483648"], "bigint"),
        (["1", "9223372036854775807"], "bigint"),
        (["1", "9223372036854775808"], "decimal(38,0)"),
        (["1" * 39], "string"),
        (["12.50", "3.25", "7"], "decimal(18,2)"),
        (["12345678901234567890.25", "7.25"], "decimal(38,2)"),
        (["12.5", "3.25"], "double"),
        (["0.1234567890123456789", "0.5"], "decimal(38,19)"),
        (["0.1234567890123456", "0.5", "0.30000000000000004"], "double"),
        (["0.10000000000000001", "5e-1", "1.00000000000000005551e-01"], "double"),
        (["12345678901234.123456789", "7.25"], "decimal(38,9)"),
        (["9007199254740993", "1.5", "2.25"], "decimal(18,2)"),
        (["9007199254740993", "1e3"], "double"),
        (["1" * 400 + ".5", "7.25"], "double"),
        (["1e5", "7"], "double"),
        (["1,234,567", "12"], "int"),
        (["12,5", "1.234,5"], "decimal(18,1)"),
        (["12 %", "40 %"], "int"),
        (["$1,200.50", "$3.00"], "decimal(18,2)"),
        (["yes", "no"], "boolean"),
        (["TRUE", "False"], "boolean"),
        (["yes", "yes"], "string"),
        (["1", "0"], "int"),
        (["M", "F"], "string"),
        (["2026-03-31", "2026-4-1"], "date"),
        (["31.3.2026", "1.4.2026"], "date"),
        (["5 May 2026"], "date"),
        (["2026-03-31 10:00", "2026-03-31T10:00:01.5"], "timestamp"),
        (["3/31/2026 5:04 PM"], "timestamp"),
        (["2026-03-31T10:00:00Z"], "timestamp"),
        (["2026-03-31T10:00Z", "2026-03-31 10:00 +01:00"], "timestamp"),
        (["0000-01-01", "0000-00-00"], "string"),
        (["10:00", "11:30"], "string"),
        (["01234", "12345"], "string"),
        (["044 123 45 67", "079 765 43 21"], "string"),
        (["791 234 567", "442 345 678"], "string"),
        (["a", "b"], "string"),
        ([".", "", None], "string"),
        ([], "string"),
    ],
)
def test_the_type_is_the_one_that_the_values_speak_for(texts: list[str | None], type: str) -> None:
    assert _chosen(*texts).type == type


def test_one_in_ten_may_not_fit() -> None:
    assert _chosen(*["1"] * 9, "x").type == "int"
    assert _chosen(*["1"] * 8, "x").type == "string"


def test_blanks_and_codes_do_not_count_against_a_type() -> None:
    decision = _chosen("1", "2", ".", ".", "N/A", "", " ", None)
    assert (decision.type, decision.codes) == ("int", (".", "n/a"))
    assert decision.counts.share == 1
    counts = decision.counts
    assert (counts.usual, counts.codes, counts.blanks, counts.nulls) == (2, 3, 2, 1)


def test_codes_in_a_column_of_text_are_only_proposed() -> None:
    decision = _chosen("red", "n/a", "blue")
    assert (decision.codes, decision.proposed) == ((), ("n/a",))
    assert decision.changes_nothing


@pytest.mark.parametrize(
    ("others", "proposed"),
    [
        (["12", "40"], ("-999", "9999")),
        (["-2000", "12000"], ()),
        (["9000", "9500"], ("-999",)),
        (["-1000", "-998"], ("9999",)),
    ],
)
def test_numbers_are_proposed_as_codes_where_they_stand_out(others: list[str], proposed: tuple[str, ...]) -> None:
    decision = _chosen("-999", "9999", *others)
    assert (decision.proposed, decision.codes) == (proposed, ())


def test_formats_come_in_the_order_of_what_they_read() -> None:
    decision = _chosen(*["2026-03-31"] * 9, *["1.4.2026"] * 2, "4/30/2026")
    assert decision.formats == ("yyyy-MM-dd", "d.M.yyyy", "M/d/yyyy")
    assert (decision.counts.usual, decision.counts.unusual) == (9, 3)


@pytest.mark.parametrize(
    ("texts", "format", "guesses"),
    [
        (["3/4/2026", "31/3/2026"], "d/M/yyyy", ()),
        (["3/4/2026", "3/31/2026"], "M/d/yyyy", ()),
        (["3/4/2026", "5/6/2026"], "M/d/yyyy", (Guess.ORDER,)),
        (["3.4.2026", "5.6.2026"], "d.M.yyyy", (Guess.ORDER,)),
        (["3/4/2026", "31/3/2026", "30/3/2026", "3/31/2026"], "d/M/yyyy", (Guess.ORDER,)),
        (["31.3.26"], "d.M.yy", (Guess.CENTURY,)),
        (["1,234", "5"], "1,234.5", (Guess.MARK,)),
        (["1,234", "5,678.50"], "1,234.5", ()),
        (["1,234", "5,50"], "1.234,5", ()),
        (["12345", "67890", "1,234"], "1234.5", ()),
        (["12345", "67890", "12,5"], "1.234,5", ()),
    ],
)
def test_what_nothing_settles_is_a_guess(texts: list[str], format: str, guesses: tuple[Guess, ...]) -> None:
    decision = _chosen(*texts)
    assert (decision.formats[0], decision.guesses) == (format, guesses)


@pytest.mark.parametrize(
    ("usual", "other", "guard"),
    [
        ("2026-03-31", "2026-04-01", Guard.NONE),
        ("2026-03-31", "x", Guard.SHAPE),
        ("2026-03-31", "2026-04-01 (estimated)", Guard.SHAPE),
        ("2026-03-31", "0012", Guard.SHAPE),
        ("2026-03-31", "31.3.2026", Guard.NONE),
        ("2026-03-31", "2026-03-31 10:00", Guard.LENGTH),
        ("2026-03-31", "2026", Guard.SHAPE),
        ("2026-03-31 10:00", "2026-03-31", Guard.LENGTH),
        ("2026-03-31 10:00", "10:00", Guard.SHAPE),
        ("2026-03-31 10:00", "2026-03-31 10:00 BST", Guard.SHAPE),
        ("1234", "$5", Guard.NONE),
        ("1234", "007", Guard.SHAPE),
        ("1234", "\x0b6", Guard.SHAPE),
        ("0.125", "12d", Guard.SHAPE),
    ],
)
def test_a_cast_is_guarded_where_it_would_read_too_much(usual: str, other: str, guard: Guard) -> None:
    assert _chosen(*[usual] * 100, other).guard is guard


def test_what_somebody_says_goes_over_what_is_inferred() -> None:
    texts = ("3/4/2026", "5/6/2026", "none")
    assert _chosen(*texts, type="string").changes_nothing
    decision = _chosen(*texts, formats=["dd/MM/yyyy"], codes=["5/6/2026"])
    assert (decision.formats, decision.guesses, decision.codes) == (("d/M/yyyy",), (), ("5/6/2026",))
    assert _chosen("01234", "12345", type="int").type == "int"
    assert _chosen("3/4/2026", "soon", formats=["d/M/yyyy"]).type == "date"
    assert _chosen("1.25", type="decimal").type == "decimal(18,2)"
    assert _chosen("1.25" + "0" * 40, type="decimal").type == "decimal(38,37)"


@pytest.mark.parametrize("text", ["1.25", "1e-3", "1.239e0"])
def test_digits_are_looked_at_where_a_given_type_may_lose_some(text: str) -> None:
    assert _chosen("1.5", text, type="decimal(5, 1)").guard is Guard.DIGITS


@pytest.mark.parametrize(
    ("texts", "is_loss"),
    [
        (["1e5", "0.1", "0.1234567890123456"], False),
        (["1e5", "0.10000000000000001", "1.000000000000000056e-01"], False),
        (["1e5", "9007199254740992", "12345678901234567000"], False),
        (["1e5", "inf", "0.0", "0e400"], False),
        (["1e5", "0.1234567890123456789"], True),
        (["1e5", "9007199254740993"], True),
        (["1e5", "1e400"], True),
        (["1e5", "1e-400"], True),
        (["1e5", "1.2345e-321"], True),
        (["1" * 400 + ".5", "7.25"], True),
        (["1,234.5678901234567891", "1e5"], True),
    ],
)
def test_what_a_double_does_not_give_back_is_on_record(texts: list[str], is_loss: bool) -> None:
    decision = _chosen(*texts)
    assert decision.type == "double"
    assert (Guess.DIGITS in decision.guesses) == is_loss


def test_a_double_that_is_given_may_lose_digits() -> None:
    assert _chosen("9007199254740993", type="double", formats=["1234.5"]).guesses == (Guess.DIGITS,)
    assert _chosen("9007199254740992", type="double").guesses == ()


@pytest.mark.parametrize(
    ("texts", "currency"),
    [
        (["$5", "$6"], ""),
        (["$5", "€6", "6 €"], "€"),
        (["¥700", "£5"], "£"),
        (["5", "6", "7", "$5", "€6"], ""),
    ],
)
def test_several_currencies_are_a_guess(texts: list[str], currency: str) -> None:
    decision = _chosen(*texts)
    assert decision.currency == currency
    assert (Guess.CURRENCY in decision.guesses) == bool(currency)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"type": "float"}, "'float' is no type of a column: use int, bigint"),
        ({"type": "decimal(40,2)"}, r"decimal\(40,2\) has no room"),
        ({"type": "int", "formats": ["d.M.yyyy"]}, "'d.M.yyyy' is a format of a date, so it can't be read as int"),
        ({"formats": ["d+M+y"]}, "is no format of values: use one of 1234.5"),
    ],
)
def test_what_can_not_be_given_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Given.model_validate(given)
