"""What a Python cell means to write is told from its code; what it makes of data in doubt is in doubt."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.cells.conftest import Desk
from trailbook.cells.kind import parse
from trailbook.model.artifacts import ArtifactKind
from trailbook.model.notebook import Spec
from trailbook.model.runs import NoteMessage


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("a = 1\nb: int = 2\nc += 1", {"a", "b", "c"}),
        ("for a in b:\n    c, *d = e", {"a", "c", "d"}),
        ("if (a := 1):\n    with b as c: pass", {"a", "c"}),
        ("sales['n'] = 1\nother.loc[0, 'x'] = 2", {"sales", "other"}),
        ("f().x = 1", set()),
        ("zones.insert(0, 'x', 1)\nsales.drop(0, inplace=True)\ncups.head()", {"zones", "sales"}),
        ("def f():\n    global g\n    g = 1\n    h.append(1)\nf()", {"f", "g", "h"}),
        ("tb.save('totals', frame)", {"totals"}),
        ("print(sales)", set()),
        ("a = (", set()),
        ("-" * 100_000 + "1", set()),
    ],
)
def test_the_names_a_cell_means_to_write(code: str, names: set[str]) -> None:
    assert parse(Spec(kind="python", parameters={"code": code})).writes() == names


def test_what_code_makes_of_data_in_doubt_is_all_in_doubt(desk: Desk) -> None:
    first = desk.context(raw=desk.dataset(id=[1, 2], amount=["1", "x"]))
    desk.run(first, "sql", query="SELECT id, int(amount) AS amount FROM raw", name="typed")
    context = desk.context(**first.writes)
    desk.run(context, "python", code="twice = typed.assign(amount=typed['amount'] * 2)\nlist(twice.columns)")
    assert desk.described(context.writes["twice"]).doubt.coarse
    assert desk.rows(context, "twice") == [{"id": 1, "amount": 2.0}, {"id": 2, "amount": None}]
    assert NoteMessage(text="All that this cell makes is in doubt, since typed is.") in desk.said


@pytest.mark.parametrize(
    ("code", "doubtful"),
    [
        ("def fix():\n    if len(typed) > 9: zones.insert(0, 'n', 1)\nfix()", {"zones"}),
        ("exec('if len(typed) > 9: zones = 1')", {"zones", "typed"}),
        ("zones.merge(typed, on='id')", set()),
    ],
)
def test_what_code_could_have_changed_is_in_doubt(desk: Desk, code: str, doubtful: set[str]) -> None:
    raw = desk.dataset(id=[1, 2], amount=["1", "x"])
    first = desk.context(raw=raw)
    desk.run(first, "sql", query="SELECT id, int(amount) AS amount FROM raw", name="typed")
    context = desk.context(**first.writes, zones=raw)
    desk.run(context, "python", code=code)
    datasets = {name: id for name, id in context.writes.items() if name != "fix"}
    assert {name for name, id in datasets.items() if desk.described(id).doubt.coarse} == doubtful


def test_doubt_passes_through_values_and_not_through_what_is_only_code(desk: Desk) -> None:
    first = desk.context(raw=desk.dataset(id=[1, 2], amount=["1", "x"]))
    desk.run(first, "sql", query="SELECT id, int(amount) AS amount FROM raw", name="typed")
    middle = desk.context(**first.writes)
    code = "import pandas as pd\ndef frame(x): return pd.DataFrame({'x': [x]})\ntotal = int(typed['amount'].sum())"
    desk.run(middle, "python", code=code)
    assert {name: desk.made[id][0].doubt.coarse for name, id in middle.writes.items()} == {
        "pd": False,
        "frame": False,
        "total": True,
    }
    last = desk.context(**middle.writes)
    desk.run(last, "python", code="out = frame(total)")
    assert desk.described(last.writes["out"]).doubt.coarse
    clean = desk.context(**middle.writes)
    desk.run(clean, "python", code="out = frame(7)")
    assert desk.described(clean.writes["out"]).doubt.is_none


def test_what_code_makes_of_other_data_is_not_in_doubt(desk: Desk) -> None:
    first = desk.context(raw=desk.dataset(id=[1, 2], amount=["1", "x"]))
    desk.run(first, "sql", query="SELECT int(amount) AS amount FROM raw", name="typed")
    context = desk.context(**first.writes, raw=first.scope.artifacts["raw"])
    desk.run(context, "python", code="copy = raw.assign(n=1)")
    assert desk.described(context.writes["copy"]).doubt.is_none


def test_code_sees_data_without_marks_and_phantoms(desk: Desk) -> None:
    first = desk.context(raw=desk.dataset(id=[1, 2], amount=["1", "x"]))
    desk.run(first, "sql", query="SELECT id, int(amount) AS amount FROM raw WHERE int(amount) > 0", name="typed")
    context = desk.context(**first.writes)
    code = """
    found = tb.dataset("typed")
    sql = spark.sql("SELECT * FROM typed")
    seen = [found.columns, list(typed.columns), found.arrow().column_names, found.polars().columns,
            [name for batch in found.batches() for name in batch.schema.names], found.spark().columns, sql.columns]
    assert seen == [["id", "amount"]] * 7, seen
    assert [found.rows, len(typed), found.spark().count(), sql.count()] == [1, 1, 1, 1]
    """
    desk.run(context, "python", code=dedent(code))


def test_code_can_not_make_marks(desk: Desk) -> None:
    context = desk.context()
    desk.run(context, "python", code="import pandas as pd\nx = pd.DataFrame({'a': [1], '__mask': [3]})")
    assert {artifact.kind for artifact, _ in context.made} == {ArtifactKind.VALUE}
    assert any(isinstance(said, NoteMessage) and "'__mask' needs another name" in said.text for said in desk.said)
