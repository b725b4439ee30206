"""What the interpreter promises beyond right answers: choices, shared inputs, depth, clear refusals."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import pytest
from sqlglot import exp

from tests.support.random_plans import SCANS, random_plan, random_tables
from tests.support.spark_answers import comparable
from trailbook.algebra import plan as plans
from trailbook.algebra.expressions import NULL, Expr, call, either, number, ref
from trailbook.algebra.interpreter import compile_plan, interpret
from trailbook.algebra.plan import (
    Aggregate,
    Filter,
    Limit,
    Named,
    Opaque,
    Plan,
    Project,
    Scan,
    Sort,
    Union,
    Window,
)
from trailbook.errors import InterpreterError
from trailbook.model.artifacts import Column

SCAN = Scan("r", (Column(name="a", type="int"), Column(name="b", type="int")))
TABLES = {"r": [(1, 10), (1, 20), (1, 30)]}
BY_A = (exp.Ordered(this=ref("a")),)


def answers(plan: Plan, draws: int = 200) -> set[tuple[tuple[object, ...], ...]]:
    """What the plan may answer, as far as some draws show."""
    compiled = compile_plan(plan, Random(1))
    return {tuple(compiled(TABLES)) for _ in range(draws)}


def over(function: Expr) -> exp.Window:
    return exp.Window(this=function, partition_by=[], order=exp.Order(expressions=list(BY_A)), over="OVER")


def test_without_a_choice_rows_keep_their_order() -> None:
    assert interpret(Limit(Sort(SCAN, BY_A), 2), TABLES) == [(1, 10), (1, 20)]
    assert interpret(Limit(SCAN, 1, offset=1), TABLES) == [(1, 20)]


def test_ties_fall_in_every_order() -> None:
    assert answers(Sort(SCAN, BY_A)) == set(permutations(TABLES["r"]))


def test_a_limit_goes_by_an_order_that_lies_deeper() -> None:
    by_b = Sort(SCAN, (exp.Ordered(this=ref("b"), desc=True),))
    some = Filter(by_b, exp.LT(this=ref("b"), expression=number(30)))
    assert answers(Limit(Project(some, (Named("c", ref("b")),)), 1)) == {((20,),)}


@pytest.mark.parametrize("plan", [Limit(SCAN, 1), Limit(Sort(SCAN, BY_A), 1)])
def test_a_limit_takes_any_of_the_rows_that_tie(plan: Plan) -> None:
    assert answers(plan) == {(row,) for row in TABLES["r"]}


def test_row_number_gives_tied_rows_any_number() -> None:
    window = Window(SCAN, (Named("n", over(call("row_number"))),))
    numbers = {tuple(row[2] for row in answer) for answer in answers(window)}
    assert numbers == set(permutations([1, 2, 3]))


@pytest.mark.parametrize("name", ["first", "last", "any_value"])
def test_aggregates_that_depend_on_the_order_see_every_order(name: str) -> None:
    aggregate = Aggregate(SCAN, (), (Named("v", call(name, ref("b"))),))
    assert answers(aggregate) == {((10,),), ((20,),), ((30,),)}


def test_a_sum_does_not_depend_on_the_choice() -> None:
    assert len(answers(Aggregate(SCAN, (), (Named("v", call("sum", ref("b"))),)))) == 1


def test_rand_is_drawn_from_the_choice() -> None:
    plan = Project(SCAN, (Named("v", call("rand")),))
    one, other = (compile_plan(plan, Random(seed))(TABLES) for seed in (1, 2))
    assert one != other
    assert all(0 <= value < 1 for (value,) in one)


def test_an_operator_that_is_used_twice_is_evaluated_once() -> None:
    shared = Limit(SCAN, 1)
    for answer in answers(Union((shared, shared))):
        assert answer[0] == answer[1]


def test_a_determined_plan_answers_the_same_whatever_is_chosen() -> None:
    for seed in range(200):
        random = Random(seed)
        plan, tables = random_plan(random, SCANS, 3), random_tables(random, SCANS)
        assert comparable(compile_plan(plan, random)(tables)) == comparable(interpret(plan, tables)), f"seed {seed}"


def test_plans_that_leave_a_choice_are_evaluated_too() -> None:
    for seed in range(200):
        random = Random(seed)
        plan, tables = random_plan(random, SCANS, 3, determined=False), random_tables(random, SCANS)
        assert compile_plan(plan, random)(tables) is not None, f"seed {seed}"


def test_a_seed_makes_the_same_plan() -> None:
    one, other = (random_plan(Random(5), SCANS, 4) for _ in range(2))
    assert one == other


def test_random_plans_use_every_operator() -> None:
    used = Counter(
        type(operator).__name__ for seed in range(300) for operator in random_plan(Random(seed), SCANS, 3).walk()
    )
    operators = {name for name, kind in vars(plans).items() if isinstance(kind, type) and issubclass(kind, Plan)}
    assert operators - set(used) == {"Plan", "Leaf", "Unary", "Opaque"}


def test_plans_may_be_deep() -> None:
    plan: Plan = SCAN
    for _ in range(1200):
        plan = Filter(plan, exp.GT(this=ref("b"), expression=number(10)))
    assert interpret(plan, TABLES) == [(1, 20), (1, 30)]


def test_expressions_may_be_deep_and_wide() -> None:
    sums: Expr = ref("a")
    for _ in range(100):
        sums = exp.Add(this=sums, expression=number(1))
    wide = either(*(exp.EQ(this=ref("b"), expression=number(value)) for value in range(20, 2000)))
    plan = Filter(Project(SCAN, (Named("a", sums), Named("b", ref("b")))), wide)
    assert interpret(plan, TABLES) == [(101, 20), (101, 30)]


def test_no_condition_that_is_null_is_true() -> None:
    unknown = exp.EQ(this=ref("a"), expression=NULL)
    assert interpret(Filter(SCAN, unknown), TABLES) == []
    assert interpret(Filter(SCAN, exp.Not(this=unknown)), TABLES) == []


def test_a_scalar_subquery_with_two_rows_is_refused() -> None:
    with pytest.raises(InterpreterError, match="3 rows"):
        interpret(Aggregate(SCAN, (), (Named("v", call("only", ref("b"))),)), TABLES)


def test_what_is_not_known_is_named() -> None:
    with pytest.raises(InterpreterError, match=r"no table r\. Known: s"):
        interpret(SCAN, {"s": []})
    with pytest.raises(InterpreterError, match="the function frobnicate"):
        interpret(Project(SCAN, (Named("v", call("frobnicate", ref("a"))),)), TABLES)
    with pytest.raises(InterpreterError, match="Opaque"):
        interpret(Opaque("SELECT 1", ()), TABLES)
