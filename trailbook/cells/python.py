"""Python: code in a process of its own, which reads and writes datasets by name."""

from __future__ import annotations

import ast
from contextlib import ExitStack
from typing import ClassVar

from pydantic import Field

from trailbook.cells.context import RunContext
from trailbook.cells.kind import CellKind, register
from trailbook.errors import CellFailed
from trailbook.kernels.python import BinaryDisplay, PythonRequest, PythonRun
from trailbook.model.runs import DisplayMessage, Message


@register
class PythonCell(CellKind):
    kind: ClassVar[str] = "python"
    title: ClassVar[str] = "Python"

    code: str = Field("", description="Python code. Data frames it assigns to names become datasets.")

    def is_inert(self) -> bool:
        return not self.code.strip()

    def reads(self) -> frozenset[str] | None:
        return None

    def writes(self) -> frozenset[str]:
        """The names that are assigned or saved, or have a part assigned, whatever they will hold."""
        try:
            tree = ast.parse(self.code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return frozenset()
        return frozenset(name for node in ast.walk(tree) if (name := _written_name(node)))

    def run(self, context: RunContext) -> None:
        request = PythonRequest(
            code=self.code,
            datasets={name: context.files.path(id) for name, id in context.scope.artifacts.items()},
            unavailable={name: failed.reason for name, failed in context.scope.failed.items()},
            scratch=context.stage(),
            output_limit=context.settings.output_limit,
        )
        with ExitStack() as leases:
            run = PythonRun(
                request,
                on_message=lambda message: context.say(_stored(context, message)),
                on_progress=context.progress,
                spark_url=lambda: leases.enter_context(context.session_url()),
            )
            with context.stopped_by(run.cancel):
                outcome = run.run()
        context.reads.update({name: context.scope.identity(name) for name in outcome.reads})
        if outcome.error:
            raise CellFailed(**outcome.error.model_dump())
        for name, directory in outcome.writes.items():
            context.write_dataset(name, directory)


def _written_name(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            return name
        case ast.Subscript(value=part, ctx=ast.Store()) | ast.Attribute(value=part, ctx=ast.Store()):
            while isinstance(part, ast.Subscript | ast.Attribute):
                part = part.value
            return part.id if isinstance(part, ast.Name) else None
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="tb"), attr="save"), args=[ast.Constant(value=str(name)), *_]
        ):
            return name
    return None


def _stored(context: RunContext, message: Message | BinaryDisplay) -> Message:
    if not isinstance(message, BinaryDisplay):
        return message
    kept = {media_type: context.keep_file(path, media_type) for media_type, path in message.files.items()}
    return DisplayMessage(data=dict(message.text), artifacts=kept)
