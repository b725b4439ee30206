"""What a Python cell means to write is told from its code, so that readers wait for it when it fails."""

from __future__ import annotations

import pytest

from trailbook.cells.kind import parse
from trailbook.model.notebook import Spec


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("a = 1\nb: int = 2\nc += 1", {"a", "b", "c"}),
        ("for a in b:\n    c, *d = e", {"a", "c", "d"}),
        ("if (a := 1):\n    with b as c: pass", {"a", "c"}),
        ("sales['n'] = 1\nother.loc[0, 'x'] = 2", {"sales", "other"}),
        ("f().x = 1", set()),
        ("tb.save('totals', frame)", {"totals"}),
        ("print(sales)", set()),
        ("a = (", set()),
        ("-" * 100_000 + "1", set()),
    ],
)
def test_the_names_a_cell_means_to_write(code: str, names: set[str]) -> None:
    assert parse(Spec(kind="python", parameters={"code": code})).writes() == names
