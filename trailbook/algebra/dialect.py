"""How SQL is read: by Spark's grammar and precedences, every function kept under the name that the user wrote.

The parser that this builds on turns functions into its own and back again, which is not always the same function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.spark import Spark
from sqlglot.parsers.spark import SparkParser
from sqlglot.tokenizer_core import TokenType

from trailbook.algebra.expressions import call

SPAN = "span"
"""In the `meta` of a query: where its text begins and ends."""

SUFFIXED = "suffixed"
"""In the `meta` of a cast: whether it is a number such as 1L."""

COMMA = "comma"
"""In the `meta` of a join: whether it is the comma of `FROM a, b`, which binds less than JOIN."""

ALONE = "alone"
"""In the `meta` of GROUPING SETS: whether it follows the keys without a comma, and so is all there is."""

Operators = Mapping[TokenType, type[exp.Expr]]

COMPARISONS: Operators = {**SparkParser.EQUALITY, **SparkParser.COMPARISON}
BITWISE: tuple[Operators, ...] = (
    {TokenType.PIPE: exp.BitwiseOr},
    {TokenType.CARET: exp.BitwiseXor},
    {TokenType.AMP: exp.BitwiseAnd},
)
"""From the operator that binds least."""

SHIFTS = {
    (TokenType.LT, TokenType.LT): "shiftleft",
    (TokenType.GT, TokenType.GT, TokenType.GT): "shiftrightunsigned",
    (TokenType.GT, TokenType.GT): "shiftright",
}


class TrailbookParser(SparkParser):
    FUNCTIONS: ClassVar[dict[str, Callable[..., Any]]] = {}
    FUNCTION_PARSERS: ClassVar = {
        **{name: SparkParser.FUNCTION_PARSERS[name] for name in ("CAST", "TRY_CAST", "EXTRACT", "TRIM")},
        "OVERLAY": lambda self: self._parse_words("PLACING", "FROM", "FOR"),
        "POSITION": lambda self: self._parse_words("IN", named="locate"),
        "SUBSTR": lambda self: self._parse_words("FROM", "FOR"),
        "SUBSTRING": lambda self: self._parse_words("FROM", "FOR"),
    }
    NO_PAREN_FUNCTION_PARSERS: ClassVar = {name: SparkParser.NO_PAREN_FUNCTION_PARSERS[name] for name in ("CASE", "IF")}
    NO_PAREN_FUNCTIONS: ClassVar = {
        token: partial(call, token.name.lower()) for token in SparkParser.NO_PAREN_FUNCTIONS
    }
    RANGE_PARSERS: ClassVar = {
        token: parse for token, parse in SparkParser.RANGE_PARSERS.items() if token is not TokenType.FOR
    }
    ARRAY_CONSTRUCTORS: ClassVar = {}
    TERM: ClassVar = {**SparkParser.TERM, TokenType.DPIPE: exp.DPipe}

    STATEMENT_PARSERS: ClassVar = {
        **SparkParser.STATEMENT_PARSERS,
        TokenType.TABLE: lambda self: self._parse_set_operations(self._parse_whole_table()),
    }

    def _parse_grouping_sets(self) -> exp.GroupingSets | None:
        before = self._prev.token_type if self._prev else None
        found = super()._parse_grouping_sets()
        if found is not None:
            found.meta[ALONE] = before not in (TokenType.COMMA, TokenType.GROUP_BY, TokenType.L_PAREN)
        return found

    def _parse_select(self, *args: Any, **kwargs: Any) -> exp.Expr | None:
        start = self._curr.start if self._curr else 0
        if self._curr and self._curr.token_type is TokenType.TABLE and self._next.token_type in self.ID_VAR_TOKENS:
            self._advance()
            found: exp.Expr | None = self._parse_whole_table()
        else:
            found = super()._parse_select(*args, **kwargs)
        if isinstance(found, exp.Select) and not found.expressions:
            self.raise_error("SELECT of nothing")
        if isinstance(found, exp.Query) and (SPAN not in found.meta or found.args.get("with_")):
            found.meta[SPAN] = (start, self._prev.end + 1)
        return found

    def _parse_whole_table(self) -> exp.Expr:
        """TABLE t: all of it."""
        return exp.Select(expressions=[exp.Star()], from_=exp.From(this=self._parse_table_parts()))

    def _parse_join(self, *args: Any, **kwargs: Any) -> exp.Join | None:
        is_comma = bool(self._curr) and self._curr.token_type is TokenType.COMMA
        join: exp.Join | None = super()._parse_join(*args, **kwargs)
        if join and join.this.args.get("cross_apply") is not None:
            self.raise_error("APPLY")
        if join:
            join.meta[COMMA] = is_comma
        elif is_comma and self._prev.token_type is TokenType.COMMA:
            self.raise_error("Nothing after a comma")
        return join

    def _parse_limit(self, *args: Any, **kwargs: Any) -> exp.Expr | None:
        """LIMIT without an offset before its comma: the parser here would take that for OFFSET."""
        limit: exp.Expr | None = super()._parse_limit(*args, **kwargs)
        if limit and limit.args.get("offset"):
            self.raise_error("LIMIT of two numbers")
        return limit

    def _parse_csv(self, parse_method: Callable[[], Any], sep: TokenType = TokenType.COMMA) -> list[Any]:
        """There is something on both sides of every comma."""

        def parse() -> Any:
            found = parse_method()
            if found is None and any(token and token.token_type is sep for token in (self._prev, self._curr)):
                self.raise_error("Nothing beside a comma")
            return found

        return super()._parse_csv(parse, sep)

    def build_cast(self, strict: bool, **kwargs: Any) -> exp.Expr:
        suffix = self._prev.text.upper() in self.dialect.tokenizer_class.NUMERIC_LITERALS
        cast: exp.Expr = super().build_cast(strict, **kwargs)
        cast.meta[SUFFIXED] = suffix and isinstance(cast.this, exp.Literal)
        return cast

    def _parse_types(self, *args: Any, **kwargs: Any) -> exp.Expr | None:
        """TIMESTAMP WITHOUT TIME ZONE is a type of its own."""
        found: exp.Expr | None = super()._parse_types(*args, **kwargs)
        words = [token.text.upper() for token in self._tokens[max(self._index - 3, 0) : self._index]]
        if isinstance(found, exp.DataType) and words == ["WITHOUT", "TIME", "ZONE"]:
            found.set("this", exp.DType.TIMESTAMPNTZ)
        return found

    def _parse_pivot_aggregation(self) -> exp.Expr | None:
        return self._parse_alias(self._parse_disjunction())

    def _parse_equality(self, parse_is: bool = True) -> exp.Expr | None:
        """In Spark all comparisons bind equally, and the predicate after them less: `a = b IN (TRUE)`."""
        this = self._parse_operators(COMPARISONS, self._parse_bitwise)
        return self._parse_range(this, parse_is=True) if parse_is else this

    def _parse_bitwise(self) -> exp.Expr | None:
        return self._parse_bitwise_level(0)

    def _parse_bitwise_level(self, level: int) -> exp.Expr | None:
        if level == len(BITWISE):
            return self._parse_shift()
        return self._parse_operators(BITWISE[level], lambda: self._parse_bitwise_level(level + 1))

    def _parse_operators(self, operators: Operators, operand: Callable[[], exp.Expr | None]) -> exp.Expr | None:
        this = operand()
        while self._match_set(operators):
            this = self.expression(operators[self._prev.token_type](this=this, expression=operand()))
        return this

    def _parse_shift(self) -> exp.Expr | None:
        this = self._parse_term()
        while this and (name := self._match_shift()):
            amount = self._parse_term()
            this = call(name, this, *([amount] if amount else []))
        return this

    def _match_shift(self) -> str | None:
        for tokens, name in SHIFTS.items():
            ahead = self._tokens[self._index : self._index + len(tokens)]
            adjacent = all(a.end + 1 == b.start for a, b in pairwise(ahead))
            if adjacent and tuple(token.token_type for token in ahead) == tokens:
                self._advance(len(tokens))
                return name
        return None

    def _parse_words(self, *words: str, named: str | None = None) -> exp.Expr:
        """The arguments of a function, with commas or words between them: `substring(x FROM 2 FOR 3)`."""
        name = self._tokens[self._index - 2].text
        arguments: list[exp.Expr] = self._parse_csv(self._parse_bitwise)
        for word in words:
            if self._match_text_seq(word) and (argument := self._parse_bitwise()):
                arguments.append(argument)
                name = named or name
        return call(name, *arguments)


class Trailbook(Spark):
    class Tokenizer(Spark.Tokenizer):
        STRING_ESCAPES: ClassVar = ["\\", "'", '"']

    Parser = TrailbookParser


READER = Trailbook()
