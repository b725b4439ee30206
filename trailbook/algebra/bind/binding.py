"""From text to plan."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp
from sqlglot.errors import SqlglotError

from trailbook.algebra.bind.problems import Opaqueness, problem
from trailbook.algebra.bind.queries import Describe, Environment, Queries
from trailbook.algebra.bind.relations import Relation, projected
from trailbook.algebra.bind.select import bind_select
from trailbook.algebra.dialect import READER
from trailbook.algebra.expressions import Expr, ref
from trailbook.algebra.plan import Named, Plan, Scan, Schema
from trailbook.algebra.query import read_query

Scope = Mapping[str, Schema | Plan]


def bind(text: str, scope: Scope, describe: Describe | None = None) -> Plan:
    """The plan of a query over the tables of the scope.

    A schema in the scope is a table that is read; a plan is put in place of its name. `describe` asks Spark for the
    columns of a query that can't be taken apart.
    """
    query = read_query(text)
    tables = {name: plan if isinstance(plan, Plan) else Scan(name, plan) for name, plan in scope.items()}
    queries = Queries(query.text, tables, bind_select, describe)
    try:
        statement = READER.parse(query.text)[0]
        statement = statement or exp.Select()
        return _result(queries.bind(statement, Environment()), statement)
    except (SqlglotError, RecursionError, Opaqueness):
        # Spark understands more than the parser here, and nests deeper; where it does not, it says so itself.
        return queries.unread(query.mentions | query.tables)


def _result(relation: Relation, statement: Expr) -> Plan:
    """The plan, with the columns that the query shows under the names that it gives them."""
    seen: set[str] = set()
    for field in relation.shown:
        if field.name.lower() in seen:
            message = f"Two columns are called {field.name}. Give one of them another name with AS."
            raise problem(message, _last_called(field.name, statement))
        seen.add(field.name.lower())
    plan = projected(relation.plan, [Named(field.name, ref(field.column)) for field in relation.shown])
    _ = plan.schema
    return plan


def _last_called(name: str, statement: Expr) -> Expr | None:
    """The last column of the SELECT list with this name, if it is written out there."""
    select = statement.find(exp.Select)
    items = select.expressions if select else []
    return next((item for item in reversed(items) if item.alias_or_name.lower() == name.lower()), None)
