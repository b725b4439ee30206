"""The WebSocket that streams what happens to a branch."""

from __future__ import annotations

import asyncio
import contextlib

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
INTERNAL_ERROR = 1011
TRY_AGAIN_LATER = 1013
MOST_WAITING = 1000
"""A client that reads slower than a cell prints is cut off; it reconnects and gets the whole state."""
SECONDS_TO_CLOSE = 5


class Outbox:
    """Events on their way to one client; `overflow` is done once it reads too slowly."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[Event] = asyncio.Queue(MOST_WAITING)
        self.overflow: asyncio.Future[None] = self._loop.create_future()

    def post(self, event: Event) -> None:
        """Called from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._put, event)

    async def next(self) -> Event:
        return await self._queue.get()

    def _put(self, event: Event) -> None:
        try:
            self._queue.put_nowait(event)
        except asyncio.QueueFull:
            if not self.overflow.done():
                self.overflow.set_result(None)


@router.websocket("/branches/{branch}/changes")
async def changes(socket: WebSocket, branch: BranchId) -> None:
    bench = workbench_of(socket)
    await socket.accept()
    try:
        await run_in_threadpool(guard_socket, socket)
        await run_in_threadpool(bench.branch, branch)
    except TrailbookError as error:
        await socket.close(POLICY_VIOLATION, error.code)
        return
    outbox = Outbox()
    try:
        with bench.hub.listening(branch, outbox.post):
            await _serve(socket, outbox, bench, branch)
    except TrailbookError as error:
        await socket.close(INTERNAL_ERROR, error.code)


async def _serve(socket: WebSocket, outbox: Outbox, bench: Workbench, branch: BranchId) -> None:
    """Until the client leaves, or reads too slowly."""
    sender = asyncio.create_task(_send(socket, outbox, bench, branch))
    reader = asyncio.create_task(_discard_messages(socket))
    try:
        done, _ = await asyncio.wait((sender, reader, outbox.overflow), return_when=asyncio.FIRST_COMPLETED)
        for ended in done:
            ended.result()
        if outbox.overflow in done:
            sender.cancel()
            # Closing, too, waits for the client to read; the connection is dropped when this ends.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(socket.close(TRY_AGAIN_LATER, "slow_reader"), SECONDS_TO_CLOSE)
    finally:
        sender.cancel()
        reader.cancel()
        await asyncio.gather(sender, reader, return_exceptions=True)


async def _send(socket: WebSocket, outbox: Outbox, bench: Workbench, branch: BranchId) -> None:
    notebook = await run_in_threadpool(bench.head, branch)
    with contextlib.suppress(WebSocketDisconnect):
        await socket.send_text(NotebookChanged(notebook=notebook).model_dump_json())
        await socket.send_text(EngineChanged(engine=bench.engine.status).model_dump_json())
        while True:
            await socket.send_text((await outbox.next()).model_dump_json())


async def _discard_messages(socket: WebSocket) -> None:
    """Clients have nothing to say here, but that they leave."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
