"""A past run stands for a cell only where it would do the same again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trailbook.model.acknowledged import Acknowledgement
from trailbook.model.base import ArtifactId, CellHandle, Digest, PersonId, RunId, now
from trailbook.model.notebook import Cell, Spec
from trailbook.model.runs import CellState, Run
from trailbook.workflow.resolve import Blocked, Held, Needed, PastRuns, Settled, Step, Waiting, resolve


def sql(handle: str, query: str, name: str) -> Cell:
    return Cell(handle=CellHandle(handle), spec=Spec(kind="sql", parameters={"query": query, "name": name}))


def python(handle: str, code: str) -> Cell:
    return Cell(handle=CellHandle(handle), spec=Spec(kind="python", parameters={"code": code}))


TEXT = Cell(handle=CellHandle("text"), spec=Spec(kind="markdown", parameters={"text": "hello"}))
MAKE = sql("make", "SELECT 1 AS x", "a")
USE = sql("use", "SELECT x + 1 AS x FROM a", "b")


def run_of(
    cell: Cell,
    reads: Mapping[str, str | None] = {},
    writes: Mapping[str, str] = {},
    state: CellState = CellState.DONE,
) -> Run:
    return Run(
        id=RunId(f"run-{cell.handle}"),
        cell=cell.handle,
        spec=cell.spec.hash,
        environment=Digest("e"),
        person=PersonId("p"),
        state=state,
        started=now(),
        reads=dict(reads),
        writes={name: ArtifactId(id) for name, id in writes.items()},
    )


def steps(cells: Sequence[Cell], own: Sequence[Run] = (), others: Sequence[Run] = (), **more: Any) -> list[Step]:
    past = PastRuns(
        own={run.cell: run for run in own},
        others=lambda spec: [run for run in others if run.spec == spec],
        usable=more.get("usable", lambda handle, run: True),
        outside_digest=more.get("outside_digest", lambda name: None),
        data=lambda ids: {id: data for id, data in more.get("data", {}).items() if id in ids},
        frozen={run.cell: run for run in own},
        specs=more.get("specs", {}),
    )
    return resolve(cells, past)


MADE = run_of(MAKE, writes={"a": "A1"})
USED = run_of(USE, reads={"a": "A1"}, writes={"b": "B1"})


def test_without_past_runs_the_first_cell_that_is_not_text_is_needed() -> None:
    text, make, use = steps([TEXT, MAKE, USE])
    assert text == Settled(None)
    assert isinstance(make, Needed)
    assert isinstance(use, Waiting)
    assert use.writers == {MAKE.handle}


def test_a_cell_without_text_has_nothing_to_run() -> None:
    blank = sql("blank", "  \n", "a")
    assert steps([blank, python("empty", "")]) == [Settled(None), Settled(None)]


def test_runs_whose_reads_meet_the_same_identities_are_reused_whoever_made_them() -> None:
    assert steps([MAKE, USE], own=[MADE], others=[USED]) == [Settled(MADE), Settled(USED)]


def test_a_run_that_read_something_else_is_not_reused() -> None:
    remade = run_of(MAKE, writes={"a": "A2"})
    made, use = steps([MAKE, USE], own=[remade], others=[USED])
    assert made == Settled(remade)
    assert isinstance(use, Needed)
    assert use.scope.artifacts == {"a": "A2"}


def test_a_run_that_found_a_name_absent_is_not_reused_once_it_is_there() -> None:
    cell = python("look", "x = 1")
    looked = run_of(cell, reads={"a": None})
    assert steps([cell], own=[looked]) == [Settled(looked)]
    assert isinstance(steps([MAKE, cell], own=[MADE, looked])[1], Needed)


def test_a_changed_file_makes_its_cell_run_again() -> None:
    cell = Cell(handle=CellHandle("load"), spec=Spec(kind="load", parameters={"name": "a", "path": "/data/x.csv"}))
    loaded = run_of(cell, reads={"file:/data/x.csv": "D1"}, writes={"a": "A1"})
    assert steps([cell], own=[loaded], outside_digest=lambda name: "D1") == [Settled(loaded)]
    assert isinstance(steps([cell], own=[loaded], outside_digest=lambda name: "D2")[0], Needed)


def test_a_failure_stands_until_what_it_read_changes_and_blocks_its_readers() -> None:
    failed = run_of(MAKE, state=CellState.ERROR)
    assert steps([MAKE, USE], own=[failed, USED]) == [Settled(failed), Blocked(MAKE.handle)]


def test_a_failure_of_another_cell_is_never_borrowed() -> None:
    twin = sql("twin", "SELECT 1 AS x", "a")
    assert isinstance(steps([twin], own=[run_of(MAKE, state=CellState.ERROR)])[0], Needed)


def test_a_cell_that_does_not_read_what_failed_goes_on() -> None:
    failed = run_of(MAKE, state=CellState.ERROR)
    other = sql("other", "SELECT 2 AS y", "c")
    _, step = steps([MAKE, other], own=[failed])
    assert isinstance(step, Needed)
    assert "cell 1" in step.scope.failed["a"].reason


def test_a_failed_cell_hides_the_dataset_of_that_name_from_above() -> None:
    again = sql("again", "SELECT broken", "a")
    failed = run_of(again, state=CellState.ERROR)
    assert steps([MAKE, again, USE], own=[MADE, failed, USED])[2] == Blocked(again.handle)


def test_runs_that_are_not_usable_are_passed_over() -> None:
    assert isinstance(steps([MAKE], own=[MADE], usable=lambda handle, run: False)[0], Needed)


CODE = python("code", "b = a.assign(n=1)")
DOUBTED = run_of(MAKE, writes={"a": "A2"})
CODED = run_of(CODE, reads={"a": "A1"}, writes={"b": "B1"})


def twins(cells: Sequence[Cell], own: Sequence[Run], data: Mapping[str, str]) -> Run | None:
    specs = {cell.spec.hash: cell.spec for cell in (*cells, CODE)}
    (*_, last) = steps(cells, own, data=data, specs=specs)
    assert isinstance(last, Needed)
    return last.twin


def test_code_that_read_the_same_data_with_other_doubts_has_a_twin() -> None:
    assert twins([MAKE, CODE], [DOUBTED, CODED], {"A1": "same", "A2": "same"}) == CODED
    assert twins([MAKE, CODE], [DOUBTED, CODED], {"A1": "one", "A2": "other"}) is None
    assert twins([MAKE, CODE], [DOUBTED, CODED], {}) is None


def test_a_query_sees_doubts_so_it_has_no_twin() -> None:
    assert twins([MAKE, USE], [DOUBTED, USED], {"A1": "same", "A2": "same"}) is None


def test_a_run_that_failed_is_nobodys_twin() -> None:
    failed = CODED.model_copy(update={"state": CellState.ERROR})
    assert twins([MAKE, CODE], [DOUBTED, failed], {"A1": "same", "A2": "same"}) is None


def test_acknowledging_what_code_raises_leaves_it_its_twin() -> None:
    said = Acknowledgement(place="here", person=PersonId("p"), time=now())
    accepted = Cell(handle=CODE.handle, spec=Spec(**{**CODE.spec.model_dump(), "acknowledged": (said,)}))
    assert twins([MAKE, accepted], [MADE, CODED], {}) == CODED
    other = Cell(handle=CODE.handle, spec=Spec(kind="python", parameters={"code": "b = 2"}))
    assert twins([MAKE, other], [MADE, CODED], {}) is None


A, B, C = (python(name, code) for name, code in (("a", "x = 1"), ("b", "y = 2"), ("c", "print(x)")))


def test_cells_that_are_not_expected_to_read_what_is_written_above_can_run_at_once() -> None:
    a, b, c = steps([A, B, C])
    assert isinstance(a, Needed)
    assert isinstance(b, Needed)
    assert isinstance(c, Waiting)
    assert c.writers == {A.handle}


def test_what_a_cell_did_the_last_time_tells_more_than_its_code() -> None:
    maybe = python("maybe", "if late: x = 1")
    ran = run_of(maybe, reads={"late": "L1"})
    _, step = steps([maybe, C], own=[ran])
    assert isinstance(step, Needed)
    assert step.scope.writer("x") is None


def test_code_that_can_do_anything_holds_up_those_below_that_read_something() -> None:
    anything = python("anything", "exec(text)")
    _, reader, other = steps([anything, C, python("other", "z = 3")])
    assert isinstance(reader, Waiting)
    assert isinstance(other, Needed)


def test_a_run_is_certain_only_once_nothing_above_could_change_what_it_read() -> None:
    used = run_of(C, reads={"x": "X1", "print": None})
    made = run_of(A, writes={"x": "X1"})
    assert steps([A, B, C], own=[made, used])[2] == Settled(used)
    touching = python("touch", "show(x)")
    _, _, settled = steps([A, touching, C], own=[made, used])
    assert settled == Settled(used, frozenset({touching.handle}))


def test_what_rests_on_something_uncertain_is_uncertain() -> None:
    touching = python("touch", "show(x)")
    copy = python("copy", "y = x")
    made, copied = run_of(A, writes={"x": "X1"}), run_of(copy, reads={"x": "X1"}, writes={"y": "Y1"})
    shown = run_of(python("show", "print(y)"), reads={"y": "Y1"})
    last = steps([A, touching, copy, python("show", "print(y)")], own=[made, copied, shown])[3]
    assert last == Settled(shown, frozenset({copy.handle}))


def test_a_name_that_is_bound_below_an_unfinished_cell_is_certain() -> None:
    made, used = run_of(A, writes={"x": "X1"}), run_of(C, reads={"x": "X1", "print": None})
    first = python("first", "x = 0")
    assert steps([first, A, C], own=[made, used])[2] == Settled(used)


def test_a_deleted_name_is_absent_below() -> None:
    gone = python("gone", "del x")
    deleted = run_of(gone, reads={"x": "X1"}).model_copy(update={"deletes": ("x",)})
    _, _, step = steps([A, gone, C], own=[run_of(A, writes={"x": "X1"}), deleted])
    assert isinstance(step, Needed)
    assert "x" not in step.scope.artifacts


def test_sql_waits_for_a_name_in_any_spelling() -> None:
    maker = sql("maker", "SELECT 1 AS x", "Sales")
    _, step = steps([maker, sql("use", "SELECT * FROM SALES", "b")])
    assert isinstance(step, Waiting)


def test_a_name_of_another_spelling_makes_a_query_run_again() -> None:
    maker = sql("maker", "SELECT 1 AS x", "Sales")
    use = sql("use", "SELECT * FROM sales", "b")
    used = run_of(use, reads={"sales": None, "caseless:sales": "Sales", "Sales": "S1"}, writes={"b": "B1"})
    made = run_of(maker, writes={"Sales": "S1"})
    assert steps([maker, use], own=[made, used])[1] == Settled(used)
    other = sql("other", "SELECT 2 AS x", "SALES")
    assert isinstance(steps([maker, other, use], own=[made, used, run_of(other, writes={"SALES": "S2"})])[2], Needed)


def test_a_frozen_cell_keeps_its_result_whatever_it_would_do_now() -> None:
    frozen = python("a", "x = 2").model_copy(update={"frozen": True})
    made = run_of(A, writes={"x": "X1"})
    held, step = steps([frozen, C], own=[made])
    assert held == Held(made)
    assert isinstance(step, Needed)
    assert step.scope.artifacts == {"x": "X1"}


def test_a_frozen_cell_that_never_ran_makes_nothing() -> None:
    frozen = A.model_copy(update={"frozen": True})
    held, step = steps([frozen, C])
    assert held == Held(None)
    assert isinstance(step, Needed)
    assert step.scope.failure("x")
