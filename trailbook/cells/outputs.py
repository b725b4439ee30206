"""What Python cells make, on its way into the store."""

from __future__ import annotations

import ast
import os
import shutil
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path

from trailbook.caveats.given import checked
from trailbook.cells.context import RunContext
from trailbook.cells.given import is_acknowledged
from trailbook.errors import CellFailed
from trailbook.kernels import names as kernel
from trailbook.kernels.names import Made, MadeDataset, MadeRenamed, MadeUnavailable, MadeValue
from trailbook.kernels.syntax import parsed
from trailbook.model.artifacts import About, ArtifactKind
from trailbook.model.base import ArtifactId
from trailbook.store.masks import mark_coarsely
from trailbook.store.remarks import Remarks, read_remarks, write_remarks

UNAVAILABLE = b"can't be kept: "
"""What the content of a value begins with that could not be kept."""


def store(context: RunContext, made: Mapping[str, Made], in_doubt: Collection[str]) -> None:
    """Keep what names hold; those `in_doubt` as a whole."""
    groups: dict[Path | bytes, dict[str, About]] = {}
    for name, one in made.items():
        match one:
            case MadeDataset(path=directory, remarks=remarks):
                _mark(context, name, directory, remarks, is_coarse=name in in_doubt)
                context.write_dataset(name, directory)
            case MadeValue(source=source, about=about):
                groups.setdefault(source, {})[name] = About(type=about.type, text=about.text)
            case MadeUnavailable(reason=reason, about=about):
                told = About(type=about.type, text=about.text, reason=reason)
                groups[UNAVAILABLE + f"{name}: {reason}".encode()] = {name: told}
    for source, names in groups.items():
        context.write_value(names, source, doubtful=any(name in in_doubt for name in names))


def _mark(context: RunContext, name: str, directory: Path, remarks: Remarks, *, is_coarse: bool) -> None:
    """Put down beside a staged dataset what is in doubt of it."""
    write_remarks(directory, remarks)
    if is_coarse:
        mark_coarsely(directory)
    if remarks.caveats:
        from trailbook.store.marking import mark_anew
        from trailbook.store.parquet import shape

        columns, rows = shape(directory)
        # Once more: what a process says of its data may be anything.
        known = checked(name, remarks.caveats, columns, rows)
        marking = [caveat for caveat in known if not is_acknowledged(name, caveat, context.acknowledged)]
        mark_anew(directory, columns, rows, marking)


def moved(context: RunContext, made: Made) -> Made:
    """If it is a dataset of the cells above under another name, that one with its doubts."""
    if not isinstance(made, MadeRenamed):
        return made
    id = context.reads.get(made.of)
    if id is None or context.known(ArtifactId(id)).kind is not ArtifactKind.DATASET:
        raise CellFailed(f"{made.of} can't be renamed: it is no dataset that this cell read.")
    directory = context.stage() / "dataset"
    shutil.copytree(context.files.path(ArtifactId(id)), directory, copy_function=os.link)
    return MadeDataset(directory, Remarks(renamed=made.of, looked=made.looked))


def made_again(context: RunContext, artifacts: Mapping[str, ArtifactId], *, with_remarks: bool) -> dict[str, Made]:
    """What names hold, as if it had just been made, without its doubts, or with what was said when it was made."""
    again: dict[str, Made] = {}
    values = {id: context.known(id) for id in artifacts.values()}
    sources = {id: context.content_of(id) for id, one in values.items() if one.kind is ArtifactKind.VALUE}
    for name, id in artifacts.items():
        if id not in sources:
            again[name] = _dataset_again(context, id) if with_remarks else MadeDataset(context.copy_of_data(id))
            continue
        about = values[id].about[name]
        told = kernel.About(about.type, about.text, values[id].size)
        again[name] = MadeUnavailable(about.reason, told) if about.reason else MadeValue(sources[id], told)
    return again


def _dataset_again(context: RunContext, id: ArtifactId) -> MadeDataset | MadeRenamed:
    remarks = read_remarks(context.files.path(id))
    if remarks.renamed is not None:
        return MadeRenamed(remarks.renamed, remarks.looked)
    return MadeDataset(context.copy_of_data(id), remarks)


def is_setting(name: str) -> bool:
    """Whether a name stands for options of a library, which code sets, whatever the data is."""
    return name in ("@path", "@future", "@warnings", "@logging", "@pandas", "@matplotlib", "@numpy")


def never_data(code: str) -> frozenset[str]:
    """The names that hold the same whatever the data is: modules, and functions of nothing but their code.

    >>> sorted(never_data("import math\ndef area(r): return math.pi * r * r\nx = 1"))
    ['area', 'math']
    """
    try:
        tree = parsed(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    # A name that is bound, or whose object is changed, anywhere else may hold data after all.
    times = Counter(name for node in ast.walk(tree) for name in _bound(node))
    return frozenset(
        name for statement in tree.body if _is_constant(statement) for name in _bound(statement) if times[name] == 1
    )


def _is_constant(statement: ast.stmt) -> bool:
    match statement:
        case ast.Import() | ast.ImportFrom():
            return True
        case ast.FunctionDef(decorator_list=[], returns=None, args=ast.arguments(defaults=[], kw_defaults=[]) as given):
            return not any(isinstance(node, ast.arg) and node.annotation for node in ast.walk(given))
    return False


def _bound(node: ast.AST) -> list[str]:
    """The names that the node itself binds, or whose objects it changes, as far as its text shows."""
    match node:
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            return [(alias.asname or alias.name).partition(".")[0] for alias in aliases]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.Global(names=names):
            return list(names)
    return []
