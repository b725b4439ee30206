"""What the columns of a plan mean, in the words of the query: the tables and expressions that they are made of.

Names in a plan are Trailbook's own and change with other parts of a query. What a column means does not, and is another
thing as soon as its source is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from sqlglot import exp

from trailbook.algebra.expressions import Expr, rewrite
from trailbook.algebra.plan import (
    Aggregate,
    Existence,
    Filter,
    Generate,
    Join,
    Named,
    Opaque,
    Plan,
    Project,
    Range,
    Scan,
    SetOperation,
    Union,
    Values,
    Window,
)
from trailbook.algebra.print_expression import sql_of
from trailbook.algebra.spark_select import column_of
from trailbook.algebra.traversal import bottom_up
from trailbook.caveats.calls import place_of, without_caveats

LONGEST = 300
"""Beyond so many characters, what a column means is told by its name and a digest."""

Words = Mapping[str, Expr]
"""By the name of a column: an expression over tables that it is equal to, as far as that can be told shortly."""


def told(expr: Expr, words: Words) -> str:
    """An expression of a plan in the words of the query, over columns that mean these."""
    return sql_of(_told(expr, words))


def tables_below(plan: Plan) -> list[str]:
    """The tables that the plan reads, as the query calls them."""
    return list(dict.fromkeys(scan.called or scan.table for scan in bottom_up(plan) if isinstance(scan, Scan)))


def asked_below(plan: Plan, *more: str) -> str:
    """What rows of the plan had to pass, and more, in the words of the query; wherever in the plan that is asked."""
    found = (node.condition for node in bottom_up(plan) if isinstance(node, Filter | Join | Existence))
    asked = sorted({*(place_of(condition) for condition in found if condition is not None), *more})
    return _shortened(" AND ".join(asked))


def words_of(operator: Plan, inputs: Sequence[Words]) -> Words:
    """What the columns of an operator mean, over inputs whose columns mean these."""
    below = {name: word for words in inputs for name, word in words.items()}
    match operator:
        case Scan():
            return {name: column_of(operator.called or operator.table, name) for name in operator.names}
        case Project():
            return _named(operator.columns, below)
        case Aggregate():
            return {**_named(operator.keys, below), **_aggregated(operator, below)}
        case Window():
            return {**below, **_named(operator.functions, below)}
        case Existence():
            own = [told(operator.condition, below)] if operator.condition else []
            found = asked_below(operator.right, *own) or ", ".join(tables_below(operator.right))
            return {**below, operator.name: _short(operator.name, exp.Var(this=f"EXISTS ({found})"))}
        case Generate():
            return {**below, **_generated(operator, below)}
        case Union() | SetOperation():
            return _stacked(operator, inputs)
        case Values() | Range() | Opaque():
            return {name: _short(name, exp.Var(this=_source(operator, at))) for at, name in enumerate(operator.names)}
        case _:
            return below


def _named(columns: Sequence[Named], words: Words) -> Words:
    return {column.name: _short(column.name, _told(without_caveats(column.expr), words)) for column in columns}


def _aggregated(operator: Aggregate, words: Words) -> Words:
    """Aggregates of other rows, or of other groups of them, are other values."""
    asked, keys = asked_below(operator.input), [told(key.expr, words) for key in operator.keys]
    suffix = f" FILTER (WHERE {asked})" if asked else ""
    suffix += f" BY {', '.join(keys)}" if keys else ""
    plain = _named(operator.aggregates, words)
    if not suffix:
        return plain
    return {
        name: word if isinstance(word, exp.Column) else _short(name, exp.Var(this=f"{sql_of(word)}{suffix}"))
        for name, word in plain.items()
    }


def _generated(operator: Generate, words: Words) -> Words:
    made = told(operator.generator, words)
    several = len(operator.columns) > 1
    texts = [f"{made}[{position}]" if several else made for position in range(len(operator.columns))]
    return {name: _short(name, exp.Var(this=text)) for name, text in zip(operator.columns, texts, strict=True)}


def _stacked(operator: Union | SetOperation, inputs: Sequence[Words]) -> Words:
    found: dict[str, Expr] = {}
    between = f" {operator.kind.upper()} " if isinstance(operator, SetOperation) else " or "
    for position, name in enumerate(operator.names):
        parts = [words[part.names[position]] for part, words in zip(operator.inputs, inputs, strict=True)]
        texts = list(dict.fromkeys(map(sql_of, parts)))
        found[name] = parts[0] if len(texts) == 1 else _short(name, exp.Var(this=f"({between.join(texts)})"))
    return found


def _source(operator: Values | Range | Opaque, position: int) -> str:
    match operator:
        case Values():
            return f"VALUES ({', '.join(sql_of(row[position]) for row in operator.rows)})"
        case Range():
            return f"range({operator.start}, {operator.end}, {operator.step})"
        case Opaque():
            return f"({operator.text}).{operator.names[position]}"


def _told(expr: Expr, words: Words) -> Expr:
    def written(node: Expr) -> Expr:
        if isinstance(node, exp.Anonymous) and node.name == "only":
            value: Expr = node.expressions[0]
            return value
        return words.get(node.name, node) if isinstance(node, exp.Column) else node

    return rewrite(expr, written)


def _short(name: str, word: Expr) -> Expr:
    if isinstance(word, exp.Column):
        return word
    text = sql_of(word)
    short = _shortened(text, name)
    return word if short == text else exp.Var(this=short)


def _shortened(text: str, name: str = "") -> str:
    return text if len(text) <= LONGEST else f"{name}~{sha256(text.encode()).hexdigest()[:8]}"
