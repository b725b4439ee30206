"""What of the parser's nodes is read here. What the text says beside that is left to Spark: nothing is dropped."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from trailbook.algebra.bind.collations import names_collation
from trailbook.algebra.bind.problems import Opaqueness, require_known
from trailbook.algebra.expressions import Expr

UNARY = (exp.BitwiseNot, exp.Exists, exp.From, exp.Having, exp.IgnoreNulls, exp.Neg, exp.Not, exp.Paren, exp.Qualify)
BINARY = (
    *(exp.Add, exp.And, exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor, exp.Dot, exp.EQ, exp.Escape, exp.Extract),
    *(exp.Filter, exp.GT, exp.GTE, exp.IntDiv, exp.IntervalSpan, exp.Is, exp.Kwarg, exp.LT, exp.LTE, exp.Mod, exp.Mul),
    *(exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ, exp.Or, exp.RegexpLike, exp.Sub, exp.WithinGroup),
)
LISTS = (
    *(exp.Cluster, exp.Cube, exp.Distinct, exp.Distribute, exp.GroupingSets, exp.Order, exp.Rollup, exp.Sort),
    exp.Tuple,
)
SET_OPERATIONS = (exp.Except, exp.Intersect, exp.Union)

PARTS: dict[type[Expr], str] = {
    **dict.fromkeys(UNARY, "this"),
    **dict.fromkeys(BINARY, "this expression"),
    **dict.fromkeys(LISTS, "expressions"),
    **dict.fromkeys(SET_OPERATIONS, "this expression distinct with_ order limit offset"),
    exp.Alias: "this alias",
    exp.Aliases: "this expressions",
    exp.All: "this",
    exp.Anonymous: "this expressions",
    exp.Any: "this",
    exp.Between: "this low high",
    exp.Boolean: "this",
    exp.Bracket: "this expressions",
    exp.CTE: "this alias",
    exp.Case: "this ifs default",
    exp.Cast: "this to",
    exp.Column: "this table db catalog",
    exp.ColumnDef: "this kind",
    exp.Concat: "expressions",
    exp.DPipe: "this expression safe",
    exp.DataType: "this expressions nested",
    exp.DataTypeParam: "this",
    exp.Div: "this expression safe",
    exp.Group: "expressions grouping_sets rollup cube all",
    exp.HexString: "this",
    exp.ILike: "this expression negate",
    exp.Identifier: "this quoted",
    exp.If: "this true false",
    exp.In: "this expressions query",
    exp.Interval: "this unit",
    exp.Join: "this side kind method on using pivots hint",
    exp.Lambda: "this expressions",
    exp.Lateral: "this alias view outer",
    exp.Like: "this expression negate",
    exp.Limit: "expression",
    exp.Literal: "this is_string",
    exp.Null: "",
    exp.Offset: "expression",
    exp.Ordered: "this desc nulls_first",
    exp.Pivot: "expressions fields unpivot include_nulls alias columns pivot_column_naming",
    exp.PivotAlias: "this alias",
    exp.RawString: "this",
    exp.RespectNulls: "this",
    exp.Select: (
        "cluster distinct distribute expressions from_ group having hint joins laterals limit offset order qualify "
        "sort where windows with_"
    ),
    exp.Star: "except_",
    exp.Subquery: "this alias sample pivots joins laterals with_ order limit offset",
    exp.Table: "this alias sample pivots joins laterals",
    exp.TableAlias: "this columns",
    exp.Trim: "this expression position",
    exp.TryCast: "this to safe",
    exp.Values: "expressions alias sample pivots joins laterals order limit offset",
    exp.Var: "this",
    exp.Where: "this",
    exp.Window: "this partition_by order spec alias over",
    exp.WindowSpec: "kind start start_side end end_side",
    exp.With: "expressions recursive",
}
"""Of each kind of node the parts that mean something here."""

TYPES = {
    *(exp.DType.ARRAY, exp.DType.BIGINT, exp.DType.BINARY, exp.DType.BOOLEAN, exp.DType.DATE, exp.DType.DECIMAL),
    *(exp.DType.DOUBLE, exp.DType.FLOAT, exp.DType.INT, exp.DType.INTERVAL, exp.DType.MAP, exp.DType.NULL),
    *(exp.DType.SMALLINT, exp.DType.STRUCT, exp.DType.TEXT, exp.DType.TIMESTAMP, exp.DType.TIMESTAMPLTZ),
    *(exp.DType.TIMESTAMPNTZ, exp.DType.TIMESTAMPTZ, exp.DType.TINYINT, exp.DType.VARIANT),
}
"""The types that are printed as what they are: others, such as TIME, as the parser's nearest."""

WHOLE = (exp.Hint, exp.TableSample)
"""Given to Spark as they are, or without a meaning."""

APART = (exp.Select, exp.SetOperation)
"""Queries inside are looked at when they are bound, so that only they are opaque."""


def require_read(query: Expr) -> None:
    """Refuse a query with a part that nobody here reads."""
    for node in _own_nodes(query):
        if type(node) not in PARTS or names_collation(node):
            raise Opaqueness
        if isinstance(node, exp.DataType) and isinstance(node.this, exp.DType) and node.this not in TYPES:
            raise Opaqueness
        require_known(node, PARTS[type(node)].split())


def _own_nodes(query: Expr) -> Iterator[Expr]:
    waiting = [query]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in node.iter_expressions() if not isinstance(child, (*APART, *WHOLE))]
