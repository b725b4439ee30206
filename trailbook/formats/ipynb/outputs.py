"""What cells showed: outputs in Jupyter, messages here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from trailbook.errors import Invalid
from trailbook.formats.ipynb.texts import Raw, joined, member, split
from trailbook.model.base import Json
from trailbook.model.runs import CellError, DisplayMessage, Message, NoteMessage, TextMessage

OLD_TYPES = {
    "html": "text/html",
    "javascript": "application/javascript",
    "jpeg": "image/jpeg",
    "json": "application/json",
    "latex": "text/latex",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
    "text": "text/plain",
}
"""What format 3 calls media types."""
NOTE = {"trailbook": "note"}
"""Tells what Trailbook itself said of a run from what the cell showed."""
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def read_outputs(outputs: Iterable[Raw]) -> tuple[tuple[Message, ...], CellError | None]:
    messages: list[Message] = []
    error = None
    for output in outputs:
        match output.get("output_type"):
            case "stream":
                messages.append(TextMessage(stream=_stream(output), text=joined(output.get("text", ""))))
            case "display_data" | "execute_result" | "pyout":
                messages.append(_display(output))
            case "error" | "pyerr":
                error = _error(output)
            case other:
                raise Invalid(f"There is no kind of output {other!r} in Jupyter.")
    return tuple(messages), error


def _stream(output: Raw) -> Literal["stdout", "stderr"]:
    return "stderr" if "stderr" in (output.get("name"), output.get("stream")) else "stdout"


def _display(output: Raw) -> Message:
    if "data" in output:
        bundle = member(output, "data", dict)
    else:
        bundle = {media_type: output[name] for name, media_type in OLD_TYPES.items() if name in output}
    data = {media_type: _read_data(media_type, value) for media_type, value in bundle.items()}
    if member(output, "metadata", dict).get("trailbook") == NOTE["trailbook"]:
        return NoteMessage(text=str(data.get("text/plain", "")))
    return DisplayMessage(data=data)


def _read_data(media_type: str, value: Any) -> Json:
    """Text, base64 without line ends, or JSON."""
    if is_json(media_type) and not isinstance(value, str):
        return value
    text = joined(value)
    return "".join(text.split()) if is_binary(media_type) else text


def _error(output: Raw) -> CellError:
    name, message = str(output.get("ename", "Error")), str(output.get("evalue", ""))
    traceback = "\n".join(str(line) for line in member(output, "traceback", list))
    return CellError(
        code="python_exception",
        message=f"{name}: {message}" if message else name,
        traceback=_COLOURS.sub("", traceback) or None,
    )


def write_outputs(messages: Sequence[Message], error: CellError | None) -> Iterator[Raw]:
    for message in messages:
        match message:
            case TextMessage():
                yield {"output_type": "stream", "name": message.stream, "text": split(message.text)}
            case NoteMessage():
                yield {"output_type": "display_data", "data": {"text/plain": split(message.text)}, "metadata": NOTE}
            case DisplayMessage():
                data = {_valid(name): _written_data(name, value) for name, value in message.data.items()}
                yield {"output_type": "display_data", "data": data, "metadata": {}}
    if error:
        name, colon, text = error.message.partition(": ")
        is_named = bool(colon) and name.isidentifier()
        yield {
            "output_type": "error",
            "ename": name if is_named else error.code,
            "evalue": text if is_named else error.message,
            "traceback": (error.traceback or error.message).rstrip("\n").split("\n"),
        }


def _valid(media_type: str) -> str:
    """As notebooks must call it for its data to be JSON; Altair writes `application/vnd.vegalite.v6.json`."""
    base = media_type.removesuffix(".json")
    return media_type if base == media_type else f"{base}+json"


def _written_data(media_type: str, value: Json) -> Json:
    if is_json(media_type) or not isinstance(value, str):
        return value
    return value if is_binary(media_type) else split(value)


def is_json(media_type: str) -> bool:
    return media_type == "application/json" or media_type.endswith(("+json", ".json"))


def is_binary(media_type: str) -> bool:
    """Whether its data is base64 in a notebook."""
    main, _, kind = media_type.partition("/")
    return (main in ("image", "audio", "video", "font") and kind != "svg+xml") or kind in ("pdf", "octet-stream")
