"""What cells showed, between documents, which hold it all, and the store, where long outputs are files."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable

from trailbook.errors import Invalid
from trailbook.formats.ipynb.outputs import is_binary, is_json
from trailbook.model.artifacts import Artifact, ArtifactKind, ArtifactState
from trailbook.model.base import ArtifactId, Json, now
from trailbook.model.runs import DisplayMessage, Message
from trailbook.store.files import ArtifactFiles

INLINE_BYTES = 65_536


def keep_long_outputs(
    files: ArtifactFiles, messages: Iterable[Message]
) -> tuple[tuple[Message, ...], tuple[Artifact, ...]]:
    """The messages with what is long, binary or has scripts as files, and those files."""
    kept: list[Message] = []
    made: list[Artifact] = []
    for message in messages:
        if not isinstance(message, DisplayMessage):
            kept.append(message)
            continue
        contents = {media_type: _bytes(media_type, value) for media_type, value in message.data.items()}
        long = {name: content for name, content in contents.items() if _needs_file(name, content)}
        stored = {name: _keep(files, name, content) for name, content in long.items()}
        made += stored.values()
        short = {name: value for name, value in message.data.items() if name not in long}
        kept.append(DisplayMessage(data=short, artifacts={name: artifact.id for name, artifact in stored.items()}))
    return tuple(kept), tuple(made)


def with_file_contents(files: ArtifactFiles, messages: Iterable[Message]) -> tuple[Message, ...]:
    """The opposite. A file that is no longer there is left out."""
    return tuple(_whole(files, each) if isinstance(each, DisplayMessage) else each for each in messages)


def _whole(files: ArtifactFiles, message: DisplayMessage) -> DisplayMessage:
    found = {name: _content(files, name, id) for name, id in message.artifacts.items() if files.has(id)}
    return DisplayMessage(data={**message.data, **found})


def _content(files: ArtifactFiles, media_type: str, id: ArtifactId) -> Json:
    content = files.path(id).read_bytes()
    if is_binary(media_type):
        return base64.b64encode(content).decode("ascii")
    text = content.decode("utf-8", "replace")
    return json.loads(text) if is_json(media_type) else text


def _bytes(media_type: str, value: Json) -> bytes:
    if not isinstance(value, str):
        return json.dumps(value).encode()
    if not is_binary(media_type):
        return value.encode("utf-8", "replace")
    try:
        return base64.b64decode(value)
    except binascii.Error as error:
        raise Invalid(f"An output of type {media_type} is not base64: {error}.") from error


def _needs_file(media_type: str, content: bytes) -> bool:
    """Scripts run only in pages of their own, cut off from the app."""
    has_scripts = media_type == "text/html" and b"<script" in content.lower()
    return is_binary(media_type) or len(content) > INLINE_BYTES or has_scripts


def _keep(files: ArtifactFiles, media_type: str, content: bytes) -> Artifact:
    staged = files.stage()
    try:
        path = staged / "output"
        path.write_bytes(content)
        adopted = files.adopt_file(path)
    finally:
        files.discard(staged)
    return Artifact(
        id=adopted.id,
        kind=ArtifactKind.FILE,
        state=ArtifactState.PRESENT,
        size=adopted.size,
        media_type=media_type,
        created=now(),
    )
