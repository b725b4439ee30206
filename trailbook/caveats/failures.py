"""Functions that may make nothing of their arguments: what is computed, when that has failed, and what is said then."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlglot import exp

from trailbook.algebra.expressions import Expr, both, call, either, is_false, is_null, negated, text, when
from trailbook.algebra.forgiving import forgiven
from trailbook.caveats.clock import READERS, another_moment, by_the_clock

SILENT = frozenset({"unhex", "json_array_length", "json_object_keys"})
"""They give NULL for a text that they can't read."""

FROM_TEXT = frozenset({"from_json", "from_csv", "from_xml"})
"""They give NULL for what in a text does not fit their schema."""

OF_ALL = ("make_", "element_at", "add", "subtract", "multiply", "divide", "mod")
"""How the names begin, `try_` aside, of functions that fail on their arguments together, and not on the first."""

CORRUPT = "_corrupt_record"
"""A field of a schema in which Spark puts a text that does not fit."""


@dataclass(frozen=True)
class Attempt:
    """A call that gives NULL, in all or in part, where it fails."""

    value: Expr
    failed: Expr
    message: Expr

    def or_by_the_clock(self, read: Expr, target: str) -> Attempt:
        """The same, failed as well where the text that is `read` is another moment each day."""
        clock = by_the_clock(read, target)
        if is_false(clock):
            return self
        said = when((self.failed, self.message), otherwise=another_moment(read))
        return Attempt(self.value, either(self.failed, clock), said)


def attempt(node: exp.Anonymous) -> Attempt | None:
    """The call in a form that raises no error; None if it never fails, or always with an error."""
    name = node.name.lower()
    if name in FROM_TEXT and len(node.expressions) > 1:
        return _from_text(node, node.expressions[1])
    value = node if name.startswith("try_") or name in (*SILENT, "get_json_object") else forgiven(node)
    if value is None:
        return None
    failed = both(is_null(value), _is_given(node))
    if name == "get_json_object":
        # Otherwise there is nothing at the path, which is an answer.
        failed = both(failed, is_null(call("try_parse_json", node.expressions[0])))
    found = Attempt(value, failed, _message(node))
    if name in READERS and len(node.expressions) == 1:
        return found.or_by_the_clock(node.expressions[0], READERS[name])
    return found


def as_text(value: Expr) -> Expr:
    return exp.Cast(this=value, to=exp.DataType.build("string"))


def _is_given(node: exp.Anonymous) -> Expr:
    arguments = [argument for argument in node.expressions if not isinstance(argument, exp.Literal)]
    return both(*(negated(is_null(argument)) for argument in arguments))


def _from_text(node: exp.Anonymous, schema: Expr) -> Attempt:
    if not isinstance(schema, exp.Literal):
        unchecked = f"{node.name.lower()} leaves out what does not fit its schema, which is not written out"
        return Attempt(node, _is_given(node), text(unchecked))
    return Attempt(node, both(_is_given(node), _does_not_fit(node, schema.name.strip())), _message(node))


def _does_not_fit(node: exp.Anonymous, schema: str) -> Expr:
    if re.match(r"(array|map)\s*<", schema, re.IGNORECASE):
        return is_null(node)
    checked = schema
    if CORRUPT not in schema.lower():
        is_type = re.match(r"struct\s*<", schema, re.IGNORECASE) and schema.endswith(">")
        checked = f"{schema[:-1]}, {CORRUPT}: STRING>" if is_type else f"{schema}, {CORRUPT} STRING"
    parsed = call(node.name, node.expressions[0], text(checked), *node.expressions[2:])
    return negated(is_null(exp.Dot(this=parsed, expression=exp.Identifier(this=CORRUPT, quoted=True))))


def _message(node: exp.Anonymous) -> Expr:
    name = node.name.lower()
    if name.removeprefix("try_").startswith(OF_ALL):
        shown = call("concat_ws", text(", "), *map(as_text, node.expressions))
        return call("concat", text(f"{name} can't make a value of "), shown)
    shown = call("concat", *map(as_text, node.expressions[:1]))
    return call("concat", text(f"{name} can't read '"), shown, text("'"))
