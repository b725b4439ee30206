"""A text speaks for all the formats that could have written it, and for nothing else."""

from __future__ import annotations

import pytest

from trailbook.lenses.types.ballots import ballot_of
from trailbook.lenses.types.formats import FORMATS
from trailbook.lenses.types.votes import TEXT

SMALL = ("1234.5", "1,234.5", "1.234,5", "1 234.5", "1 234,5")


@pytest.mark.parametrize(
    ("text", "ballot"),
    [
        ("12", SMALL),
        (" -12\r", SMALL),
        ("1", (*SMALL, "1/0")),
        ("1234", ("1234.5", "1.234,5")),
        ("1,234", ("1,234.5", "1.234,5", "1 234,5")),
        ("1.234", ("1234.5", "1,234.5", "1.234,5", "1 234.5")),
        ("0.234", ("1234.5", "1,234.5", "1 234.5")),
        ("12,5", ("1.234,5", "1 234,5")),
        ("1.234.567", ("1.234,5",)),
        ("1'234.50", ("1 234.5",)),
        ("-$1,200.50", ("$1,234.5",)),
        ("1.200,50 €", ("1.234,5 €",)),
        ("12 %", ("12.5 %", "12,5 %")),
        ("12,5%", ("12,5 %",)),
        ("6.02e23", ("1.2e3",)),
        ("007", ("007",)),
        ("12d", ("text",)),
        ("Yes", ("yes/no",)),
        ("2026-3-31", ("yyyy-MM-dd",)),
        ("2026-02-30", ("text",)),
        ("2026-03-31T10:00:00.123", ("yyyy-MM-dd HH:mm:ss",)),
        ("2026-03-31 10:00:00+01:00", ("yyyy-MM-ddTHH:mm:ssZ",)),
        ("2026-03-31 10:00+01:00", ("yyyy-MM-ddTHH:mm:ssZ",)),
        ("2026-03-31T10:00+0530", ("yyyy-MM-ddTHH:mm:ssZ",)),
        ("2026-03-31T10:00Z", ("yyyy-MM-ddTHH:mm:ssZ",)),
        ("2026-03-31T10Z", ("text",)),
        ("2026-03-31 10:00:00+530", ("text",)),
        ("2026-03-31 24:00", ("text",)),
        ("2026-03-31T24:00Z", ("text",)),
        ("0000-01-01", ("text",)),
        ("1.1.0000", ("text",)),
        ("0001-01-01", ("yyyy-MM-dd",)),
        ("3/4/2026", ("M/d/yyyy", "d/M/yyyy")),
        ("31/3/2026", ("d/M/yyyy",)),
        ("31.3.26", ("d.M.yy",)),
        ("3/31/2026 5:04 pm", ("M/d/yyyy h:m[:s] a",)),
        ("3/31/2026 13:04 pm", ("text",)),
        ("31 March 2026", ("d [MMMM][MMM] yyyy",)),
        ("31 Mars 2026", ("text",)),
        ("Mar 31, 2026", ("[MMMM][MMM] d, yyyy",)),
        ("2026-03", ("text",)),
        ("10:00", ("text",)),
        ("+41 79 123 45 67", ("text",)),
        ("555-123-4567", ("text",)),
        ("N/A", ("code",)),
        (".", ("code",)),
        (" ", ("blank",)),
        ("1" * 65, ("1234.5", "1.234,5")),
    ],
)
def test_a_text_speaks_for_every_format_that_could_have_written_it(text: str, ballot: tuple[str, ...]) -> None:
    assert ballot_of(text) == ballot


def test_nothing_is_said_of_formats_that_are_not_known() -> None:
    texts = ("5", "1,5", "$5", "5 %", "1e5", "05", "no", "2026-01-02", "1/2/2026", "1.2.26 5:04", "5:04", "5d")
    assert {name for text in texts for name in ballot_of(text)} <= {*FORMATS, TEXT}
