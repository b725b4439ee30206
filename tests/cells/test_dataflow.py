"""What a query gives is stored with what is in doubt of it, and the next query reads that."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cells.conftest import Desk
from trailbook.caveats.reasons import Raised
from trailbook.caveats.targets import Target
from trailbook.cells.context import RunContext
from trailbook.cells.kind import Question, parse
from trailbook.errors import CellFailed
from trailbook.model.acknowledged import Acknowledged
from trailbook.model.artifacts import Doubt
from trailbook.model.notebook import Spec
from trailbook.store.masks import PHANTOMS, marks_of
from trailbook.store.parquet import PageReader

TYPED = "SELECT id, cast(amount AS int) AS amount FROM raw"


class Chain:
    """Cells that run one after the other; each reads what those before it made."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.scope = {"raw": desk.dataset(id=[1, 2, 3], amount=["10", "12O", "30"])}

    def sql(self, name: str, query: str) -> RunContext:
        context = self.desk.context(**self.scope)
        self.desk.run(context, "sql", query=query, name=name)
        self.scope.update(context.writes)
        return context

    def doubt(self, name: str) -> Doubt:
        return self.desk.described(self.scope[name]).doubt

    def marked(self, name: str, phantoms: bool = False) -> list[tuple[list[Any], list[int]]]:
        """The rows, each with the bits that are set."""
        directory = self.desk.files.path(self.scope[name])
        table = PageReader().read(directory / PHANTOMS if phantoms else directory, 0, 100)
        columns = [column.name for column in self.desk.described(self.scope[name]).columns]
        rows = [list(row.values()) for row in table.select(columns).to_pylist()]
        return list(zip(rows, marks_of(table, len(columns)), strict=True))


@pytest.fixture
def chain(desk: Desk) -> Chain:
    made = Chain(desk)
    made.sql("typed", TYPED)
    return made


def test_a_text_that_is_no_number_is_null_and_marked(chain: Chain) -> None:
    assert chain.marked("typed") == [([1, 10], []), ([2, None], [2]), ([3, 30], [])]
    assert chain.doubt("typed") == Doubt(values={"amount": 1})


def test_marks_reach_what_rests_on_them_through_stored_datasets(chain: Chain) -> None:
    chain.sql("sums", "SELECT id > 2 AS late, sum(amount) AS s FROM typed GROUP BY id > 2 ORDER BY late")
    assert chain.marked("sums") == [([False, 10], [2]), ([True, 30], [])]


def test_a_row_left_out_in_doubt_is_kept_as_a_phantom_in_the_order_of_the_rest(chain: Chain) -> None:
    chain.sql("big", "SELECT * FROM typed WHERE amount > 5 ORDER BY id DESC")
    assert chain.marked("big") == [([3, 30], []), ([1, 10], [])]
    assert chain.marked("big", phantoms=True) == [([2, None], [2])]
    assert chain.doubt("big") == Doubt(phantoms=1)
    chain.sql("counted", "SELECT count(*) AS n FROM big")
    assert chain.marked("counted") == [([2], [1])]


def test_many_phantoms_that_say_the_same_are_one(chain: Chain) -> None:
    query = "SELECT a.amount AS x FROM typed a JOIN range(2000) b ON a.amount > 5 AND a.id = 2"
    chain.sql("many", query)
    assert chain.marked("many", phantoms=True) == [([None], [0, 1])]
    assert chain.doubt("many") == Doubt(phantoms=1, open=True)


def test_too_many_phantoms_are_one_that_says_nothing(chain: Chain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trailbook.cells.results.MOST_PHANTOMS", 1500)
    query = "SELECT b.id, a.amount AS x FROM typed a JOIN range(2000) b ON a.amount > 5 AND a.id = 2"
    chain.sql("many", query)
    assert chain.marked("many", phantoms=True) == [([None, None], [0, 1, 2])]
    chain.sql("counted", "SELECT count(*) AS n FROM many WHERE id = 7")
    assert chain.marked("counted") == [([0], [1])]


def test_a_result_of_phantoms_alone_has_its_columns(chain: Chain) -> None:
    chain.sql("none", "SELECT * FROM typed WHERE id = 2 AND amount > 5")
    assert chain.marked("none") == []
    assert chain.doubt("none") == Doubt(phantoms=1)
    assert [column.name for column in chain.desk.described(chain.scope["none"]).columns] == ["id", "amount"]


def test_a_result_without_rows_and_phantoms_has_its_columns(chain: Chain) -> None:
    chain.sql("none", "SELECT * FROM typed WHERE id = 9 AND amount > 5")
    assert chain.marked("none") == []
    assert chain.doubt("none").is_none


def test_what_nobody_sees_through_is_all_in_doubt(chain: Chain) -> None:
    chain.sql("opaque", "SELECT id FROM raw TABLESAMPLE (100 PERCENT)")
    assert chain.doubt("opaque") == Doubt(values={"id": 3}, rows=3, phantoms=1, open=True)


def test_clean_data_stays_clean(chain: Chain) -> None:
    chain.sql("clean", "SELECT id, id * 2 AS twice FROM typed WHERE id < 3")
    assert chain.doubt("clean").is_none


def test_acknowledged_caveats_mark_nothing(chain: Chain) -> None:
    context = chain.desk.context(**chain.scope)
    context.acknowledged = [Acknowledged(place=place_of(chain), message="'12O' is not an int")]
    chain.desk.run(context, "sql", query=TYPED, name="typed")
    chain.scope.update(context.writes)
    assert chain.doubt("typed").is_none


def place_of(chain: Chain) -> str:
    """Where the cast of the amount raises its caveats."""
    kind = parse(Spec(kind="sql", parameters={"query": TYPED}))
    reads = {"raw": chain.desk.described(chain.scope["raw"])}
    question = Question(reads, (), Target(frozenset({"amount"})), columns=lambda plan: ())
    (reason,) = kind.explain(question)
    assert isinstance(reason, Raised)
    return reason.place


@pytest.mark.parametrize("name", ["__mask", "__MASK1", "__row", "__phantom"])
def test_names_of_columns_with_marks_are_refused(chain: Chain, name: str) -> None:
    with pytest.raises(CellFailed, match=f"{name} needs another name"):
        chain.sql("bad", f"SELECT 1 AS {name}")


def test_an_error_points_into_the_text_of_the_cell(chain: Chain) -> None:
    with pytest.raises(CellFailed) as failed:
        chain.sql("bad", "SELECT id,\n  amount + array(1) AS x\nFROM typed WHERE amount > 1")
    assert failed.value.line == 2
