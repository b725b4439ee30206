"""Relations: a plan, and the names under which a query sees its columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from trailbook.algebra.expressions import ref
from trailbook.algebra.plan import Named, Plan, Project


@dataclass(frozen=True)
class Field:
    """A column as a query sees it: by its own name, or with that of its table."""

    name: str
    column: str
    """Its name in the plan, which no other column there has."""
    table: str | None = None
    hidden: bool = False
    """Found only with the name of its table, as the columns that USING has merged."""

    def is_called(self, name: str, table: str | None = None) -> bool:
        if table is None:
            return self.name.lower() == name.lower() and not self.hidden
        return self.name.lower() == name.lower() and (self.table or "").lower() == table.lower()


@dataclass(frozen=True)
class Relation:
    plan: Plan
    fields: tuple[Field, ...]

    @property
    def shown(self) -> list[Field]:
        """What `*` stands for."""
        return [field for field in self.fields if not field.hidden]

    @property
    def tables(self) -> set[str]:
        return {field.table.lower() for field in self.fields if field.table}

    def find(self, name: str, table: str | None = None) -> list[Field]:
        """The fields that the name may mean; one column counts once."""
        found = {field.column: field for field in self.fields if field.is_called(name, table)}
        return list(found.values())

    def over(self, plan: Plan) -> Relation:
        """The same columns of another plan."""
        return replace(self, plan=plan)

    def aliased(self, table: str | None, names: Sequence[str] = ()) -> Relation:
        """The relation under another name, its columns perhaps, too."""
        shown = self.shown
        names = names or [field.name for field in shown]
        return Relation(self.plan, tuple(Field(name, f.column, table) for f, name in zip(shown, names, strict=True)))

    def apart_from(self, taken: Iterable[str]) -> Relation:
        """The same relation with columns whose names in the plan are not `taken`."""
        plan, renamed = apart(self.plan, taken)
        return Relation(plan, tuple(replace(f, column=renamed[f.column]) for f in self.fields))


def relation_of(plan: Plan, table: str | None = None) -> Relation:
    return Relation(plan, tuple(Field(name, name, table) for name in plan.names))


def apart(plan: Plan, taken: Iterable[str]) -> tuple[Plan, dict[str, str]]:
    """The plan with columns whose names are not `taken`, and what they are called then."""
    used = {name.lower() for name in taken}
    if not used & {name.lower() for name in plan.names}:
        return plan, {name: name for name in plan.names}
    mine = {name.lower() for name in plan.names}
    renamed: dict[str, str] = {}
    for name in plan.names:
        renamed[name] = fresh(name, used | mine) if name.lower() in used else name
        used.add(renamed[name].lower())
    return Project(plan, tuple(Named(new, ref(old)) for old, new in renamed.items())), renamed


def fresh(name: str, taken: Iterable[str]) -> str:
    """`name`, or `name_2`, `name_3`…: the first that is not taken."""
    used = {other.lower() for other in taken}
    number = 1
    candidate = name
    while candidate.lower() in used:
        number += 1
        candidate = f"{name}_{number}"
    return candidate


def projected(plan: Plan, columns: Sequence[Named]) -> Plan:
    """A Project, unless it would change nothing."""
    same = plan.names == tuple(c.name for c in columns) and all(c.expr == ref(c.name) for c in columns)
    return plan if same else Project(plan, tuple(columns))
