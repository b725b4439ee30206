"""Collations: by them texts are equal that are not the same, so which of them a group shows depends on its rows.

All else here takes equal values for the same, so what reads such texts is left to Spark as a whole.
"""

from __future__ import annotations

import re

from sqlglot import exp

from trailbook.algebra.bind.problems import Opaqueness
from trailbook.algebra.bind.relations import Relation
from trailbook.algebra.expressions import Expr

IN_TYPE = re.compile(r"\bcollate\s+\w", re.IGNORECASE)
"""In the text of a type: `string collate UTF8_LCASE`."""


def names_collation(node: Expr) -> bool:
    """Whether it makes a text collated: by a call, or by a type in a text, as that of `from_json` is."""
    if isinstance(node, exp.Anonymous):
        return node.name.lower() == "collate"
    return isinstance(node, exp.Literal) and node.is_string and IN_TYPE.search(node.name) is not None


def uncollated(relation: Relation) -> Relation:
    """The relation, unless it has a column with a collation."""
    if any(IN_TYPE.search(column.type) for column in relation.plan.schema):
        raise Opaqueness
    return relation
