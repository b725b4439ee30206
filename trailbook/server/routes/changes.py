"""The WebSocket that streams what happens to a branch."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, WebSocket
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocketDisconnect

from trailbook.errors import TrailbookError
from trailbook.model.base import BranchId
from trailbook.server.access import guard_socket, workbench_of
from trailbook.workflow.events import EngineChanged, Event, NotebookChanged
from trailbook.workflow.workbench import Workbench

router = APIRouter()

POLICY_VIOLATION = 1008
# A client that reads slower than a cell prints is cut off; it reconnects and gets the whole state.
MOST_WAITING = 10_000
TRY_AGAIN_LATER = 1013


@router.websocket("/branches/{branch}/changes")
async def changes(socket: WebSocket, branch: BranchId) -> None:
    bench = workbench_of(socket)
    try:
        await run_in_threadpool(guard_socket, socket)
        await run_in_threadpool(bench.branch, branch)
    except TrailbookError as error:
        await socket.accept()
        await socket.close(POLICY_VIOLATION, error.code)
        return
    await socket.accept()
    queue: asyncio.Queue[Event] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    with bench.hub.listening(branch, lambda event: _enqueue(loop, queue, event)):
        sender = asyncio.create_task(_send(socket, queue, bench, branch))
        try:
            while True:
                await socket.receive_text()
        except WebSocketDisconnect:
            pass
        finally:
            sender.cancel()


def _enqueue(loop: asyncio.AbstractEventLoop, queue: asyncio.Queue[Event], event: Event) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(queue.put_nowait, event)


async def _send(socket: WebSocket, queue: asyncio.Queue[Event], bench: Workbench, branch: BranchId) -> None:
    notebook = await run_in_threadpool(bench.head, branch)
    await socket.send_text(NotebookChanged(notebook=notebook).model_dump_json())
    await socket.send_text(EngineChanged(engine=bench.engine.status).model_dump_json())
    while queue.qsize() < MOST_WAITING:
        await socket.send_text((await queue.get()).model_dump_json())
    await socket.close(TRY_AGAIN_LATER, "slow_reader")
