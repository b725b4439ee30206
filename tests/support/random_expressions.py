"""Random expressions of a wanted type over columns whose names tell their types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from sqlglot import exp

from trailbook.algebra.expressions import Expr, call, is_null, number, ref, text, when

COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ)
TYPES = ("int", "boolean", "string", "double", "date")
WHOLE = ("int", "bigint")

Windowed = tuple[Expr, str, tuple[exp.Ordered, ...], exp.WindowSpec | None]
"""A function, its type, its order and its frame."""


def cast(expr: Expr, kind: str, *, forgiving: bool = False) -> Expr:
    return (exp.TryCast if forgiving else exp.Cast)(this=expr, to=exp.DataType.build(kind, dialect="spark"))


class Expressions:
    """Makes expressions that raise no error over small values, so that Spark's answer can be compared."""

    def __init__(self, random: Random, types: Mapping[str, str]) -> None:
        self.random = random
        self.types = types
        self._makers: Mapping[str, Callable[[Sequence[str], int], Expr]] = {
            "boolean": self._boolean,
            "int": self._int,
            "bigint": lambda names, depth: cast(self._int(names, depth), "bigint"),
            "string": self._string,
            "double": self._double,
            "date": self._date,
        }

    def make(self, names: Sequence[str], kind: str, depth: int) -> Expr:
        """An expression of the type, nested at most so deep."""
        if depth <= 0 or self.random.random() < 0.25:
            columns = [name for name in names if self.types[name] == kind]
            return ref(self.random.choice(columns)) if columns and self.random.random() < 0.85 else self.literal(kind)
        if self.random.random() < 0.25:
            return self._conditional(names, kind, depth - 1)
        return self._makers[kind](names, depth - 1)

    def literal(self, kind: str) -> Expr:
        # NULL has no type of its own, which would be the column's.
        if self.random.random() < 0.1:
            return cast(exp.Null(), kind)
        choices: Mapping[str, Callable[[], Expr]] = {
            "boolean": lambda: exp.Boolean(this=self.random.random() < 0.5),
            "int": lambda: number(self.random.randint(-1, 3)),
            "bigint": lambda: cast(number(self.random.randint(-1, 3)), "bigint"),
            "string": lambda: text(self.random.choice(["", "a", "b", "1", "a%"])),
            "double": lambda: cast(text(self.random.choice(["0.5", "2.0", "-1.5"])), "double"),
            "date": lambda: cast(text(self.random.choice(["2024-02-29", "2024-03-01"])), "date"),
        }
        return choices[kind]()

    def _conditional(self, names: Sequence[str], kind: str, depth: int) -> Expr:
        one, other = self.make(names, kind, depth), self.make(names, kind, depth)
        form = self.random.choice(["case", "coalesce", "nullif", "open case"])
        if form == "case":
            return when((self.make(names, "boolean", depth), one), otherwise=other)
        if form == "open case":
            return exp.Case(ifs=[exp.If(this=self.make(names, "boolean", depth), true=one)])
        return call(form, one, other)

    def _boolean(self, names: Sequence[str], depth: int) -> Expr:
        kind = self.random.choice(TYPES)
        one, other = self.make(names, kind, depth), self.make(names, kind, depth)
        truth, other_truth = self.make(names, "boolean", depth), self.make(names, "boolean", depth)
        members = [self.literal(kind) for _ in range(self.random.randint(1, 3))]
        return self.random.choice(
            [
                self.random.choice(COMPARISONS)(this=one, expression=other),
                self.random.choice(COMPARISONS)(this=one, expression=other),
                exp.And(this=truth, expression=other_truth),
                exp.Or(this=truth, expression=other_truth),
                exp.Not(this=truth),
                is_null(one),
                exp.Not(this=is_null(one)),
                exp.Is(this=truth, expression=exp.Boolean(this=self.random.random() < 0.5)),
                exp.In(this=one, expressions=members),
                exp.Not(this=exp.In(this=one, expressions=members)),
                exp.Like(
                    this=self.make(names, "string", depth), expression=text(self.random.choice(["a%", "_", "%b"]))
                ),
            ]
        )

    def _int(self, names: Sequence[str], depth: int) -> Expr:
        one, other = self.make(names, "int", depth), self.make(names, "int", depth)
        divisor = number(self.random.choice([2, 3, -2]))
        return self.random.choice(
            [
                self.random.choice([exp.Add, exp.Sub, exp.Mul])(this=one, expression=number(self.random.randint(0, 3))),
                exp.Add(this=one, expression=other),
                exp.Neg(this=one),
                exp.Mod(this=one, expression=divisor),
                self.random.choice([exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor])(this=one, expression=other),
                call(self.random.choice(["greatest", "least", "try_add", "try_subtract"]), one, other),
                call("abs", one),
                call("length", self.make(names, "string", depth)),
                cast(self.make(names, "boolean", depth), "int"),
                cast(self.make(names, "string", depth), "int", forgiving=True),
                call("year", self.make(names, "date", depth)),
                call("datediff", self.make(names, "date", depth), self.make(names, "date", depth)),
                call("size", call("array", one, other)),
            ]
        )

    def _string(self, names: Sequence[str], depth: int) -> Expr:
        one, other = self.make(names, "string", depth), self.make(names, "string", depth)
        kind = self.random.choice(["int", "boolean", "date", "double"])
        return self.random.choice(
            [
                exp.DPipe(this=one, expression=other),
                call("concat", one, other),
                call(self.random.choice(["upper", "lower", "trim", "reverse"]), one),
                call("substring", one, number(self.random.randint(-2, 2)), number(self.random.randint(0, 2))),
                call("concat_ws", text("-"), one, other),
                call("replace", one, text("a"), text("x")),
                cast(self.make(names, kind, depth), "string"),
            ]
        )

    def _double(self, names: Sequence[str], depth: int) -> Expr:
        one, other = self.make(names, "double", depth), self.make(names, "double", depth)
        whole = self.make(names, "int", depth)
        return self.random.choice(
            [
                self.random.choice([exp.Add, exp.Sub, exp.Mul])(this=one, expression=other),
                call("try_divide", one, other),
                call("try_divide", whole, self.make(names, "int", depth)),
                exp.Div(this=whole, expression=number(2)),
                cast(whole, "double"),
                cast(self.make(names, "string", depth), "double", forgiving=True),
            ]
        )

    def _date(self, names: Sequence[str], depth: int) -> Expr:
        one, days = self.make(names, "date", depth), number(self.random.randint(-1, 40))
        interval = exp.Interval(
            this=text(str(self.random.randint(1, 3))), unit=exp.var(self.random.choice(["DAY", "MONTH"]))
        )
        return self.random.choice(
            [
                call("date_add", one, days),
                exp.Add(this=one, expression=interval),
                call("last_day", one),
                call("trunc", one, text("month")),
                cast(self.make(names, "string", depth), "date", forgiving=True),
            ]
        )

    def aggregate(self, names: Sequence[str], determined: bool) -> tuple[Expr, str]:
        """A call of an aggregate function, and its type."""
        kind = self.random.choice(TYPES)
        one, whole, truth = self.make(names, kind, 1), self.make(names, "int", 1), self.make(names, "boolean", 1)
        choices = [
            (call("count", exp.Star()), "bigint"),
            (call("count", one), "bigint"),
            (call("count", exp.Distinct(expressions=[one])), "bigint"),
            (call("sum", whole), "bigint"),
            (call("sum", exp.Distinct(expressions=[whole])), "bigint"),
            (call("avg", whole), "double"),
            (call("min", one), kind),
            (call("max", one), kind),
            (call("count_if", truth), "bigint"),
            (call(self.random.choice(["bool_or", "bool_and"]), truth), "boolean"),
            (call(self.random.choice(["bit_or", "bit_and"]), whole), "int"),
            (call(self.random.choice(["stddev_pop", "var_samp"]), whole), "double"),
        ]
        if not determined:
            choices += [(call(name, one), kind) for name in ("first", "last", "any_value")]
            choices += [(call(name, one, whole), kind) for name in ("max_by", "min_by")]
        return self.random.choice(choices)

    def order(self, names: Sequence[str], total: bool) -> tuple[exp.Ordered, ...]:
        """Keys to sort by; if `total` then rows that tie are equal."""
        chosen = self.random.sample(list(names), len(names) if total else self.random.randint(1, min(2, len(names))))
        return tuple(self._ordered(name) for name in chosen)

    def _ordered(self, name: str) -> exp.Ordered:
        return exp.Ordered(
            this=ref(name), desc=self.random.random() < 0.5, nulls_first=self.random.choice([True, False, None])
        )

    def window(self, names: Sequence[str], determined: bool) -> tuple[exp.Window, str]:
        """A window function, and its type."""
        form = self.random.choice([self._rank, self._position, self._framed_value, self._framed_aggregate])
        expr, kind, order, spec = form(names, determined)
        keys = self.random.sample(list(names), min(self.random.randint(0, 2), len(names)))
        ordered = exp.Order(expressions=list(order))
        window = exp.Window(this=expr, partition_by=list(map(ref, keys)), order=ordered, spec=spec, over="OVER")
        return window, kind

    def _rank(self, names: Sequence[str], determined: bool) -> Windowed:
        """The same for rows that tie."""
        name, kind = self.random.choice(
            [("rank", "int"), ("dense_rank", "int"), ("percent_rank", "double"), ("cume_dist", "double")]
        )
        return call(name), kind, self.order(names, total=False), None

    def _position(self, names: Sequence[str], determined: bool) -> Windowed:
        kind = self.random.choice(TYPES)
        shifted = call(
            self.random.choice(["lag", "lead"]), self.make(names, kind, 1), number(self.random.randint(0, 2))
        )
        expr, kind = self.random.choice(
            [(call("row_number"), "int"), (call("ntile", number(2)), "int"), (shifted, kind), (shifted, kind)]
        )
        return expr, kind, self.order(names, total=determined), None

    def _framed_value(self, names: Sequence[str], determined: bool) -> Windowed:
        kind = self.random.choice(TYPES)
        value, order = self.make(names, kind, 1), self.order(names, total=determined)
        choices = [call("first_value", value), call("last_value", value), call("nth_value", value, number(2))]
        return self.random.choice(choices), kind, order, self._frame(order, self.random.choice(["ROWS", "RANGE"]))

    def _framed_aggregate(self, names: Sequence[str], determined: bool) -> Windowed:
        """A RANGE has rows that tie in one frame, so that no total order is needed."""
        expr, kind = self.aggregate(names, determined)
        while any(isinstance(argument, exp.Distinct) for argument in expr.expressions):
            expr, kind = self.aggregate(names, determined)
        by = self.random.choice(["ROWS", "RANGE"])
        order = self.order(names, total=determined and by == "ROWS")
        return expr, kind, order, self._frame(order, by)

    def _frame(self, order: tuple[exp.Ordered, ...], by: str) -> exp.WindowSpec | None:
        if by == "RANGE" and self.random.random() < 0.3:
            return None
        bounds: list[tuple[str | Expr, str | None]] = [
            ("UNBOUNDED", "PRECEDING"),
            ("CURRENT ROW", None),
            ("UNBOUNDED", "FOLLOWING"),
        ]
        if by == "ROWS" or (len(order) == 1 and self.types[order[0].this.name] in WHOLE):
            near = number(self.random.randint(1, 2))
            bounds = [bounds[0], (near, "PRECEDING"), bounds[1], (near, "FOLLOWING"), bounds[2]]
        start = self.random.randrange(len(bounds) - 1)
        end = self.random.randrange(max(start, 1), len(bounds))
        (low, low_side), (high, high_side) = bounds[start], bounds[end]
        return exp.WindowSpec(kind=by, start=low, start_side=low_side, end=high, end_side=high_side)
