"""Errors on the wire: a status, a stable code, a message for people and details for programs."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from trailbook.errors import Invalid, NotFound, TooLarge, TrailbookError
from trailbook.model.base import Value
from trailbook.model.misfits import misfits

log = logging.getLogger(__name__)


class ErrorBody(Value):
    """What every failed request answers."""

    code: str
    message: str
    details: dict[str, Any] = Field(default_factory=dict)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The error statuses of an operation, for its OpenAPI description; those any operation can give are included."""
    always = (400, 401, 403, 404, 405, 413, 422, 500, 503, 507)
    return {status: {"model": ErrorBody, "description": _MEANINGS[status]} for status in sorted({*always, *statuses})}


_MEANINGS = {
    400: "The request could not be read.",
    401: "Not signed in.",
    403: "Refused.",
    404: "There is no such thing.",
    405: "This can't be done here.",
    409: "It was possible a moment ago.",
    413: "Too large.",
    422: "The request makes no sense.",
    500: "A bug in Trailbook.",
    502: "Another machine did not give what was asked of it.",
    503: "The engine or the store can't be used now.",
    507: "No space left.",
}


_CODES = {error.status: error.code for error in (NotFound, TooLarge)}


def add_error_handlers(app: FastAPI) -> None:
    app.add_exception_handler(TrailbookError, _trailbook_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(UnicodeEncodeError, _unicode_error)
    app.add_exception_handler(ClientDisconnect, _client_gone)
    app.add_exception_handler(Exception, _bug)


def error_response(error: TrailbookError) -> JSONResponse:
    return _response(error.status, error.code, error.message, error.details)


def _response(
    status: int,
    code: str,
    message: str,
    details: dict[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    body = ErrorBody(code=code, message=message, details=details or {})
    return JSONResponse(body.model_dump(mode="json"), status_code=status, headers=headers)


def _trailbook_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, TrailbookError)
    return error_response(error)


def _validation_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    found = misfits(error.errors())
    # People need not know which part of a request their words travel in.
    text = "; ".join(str(replace(one, where=one.where.partition(".")[2])) for one in found)
    problems = [{"where": one.where, "problem": one.what} for one in found]
    return _response(Invalid.status, Invalid.code, _encodable(f"{text}."), {"problems": _encodable(problems)})


def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    code = _CODES.get(error.status_code, f"http_{error.status_code}")
    return _response(error.status_code, code, str(error.detail), headers=error.headers)


def _unicode_error(request: Request, error: Exception) -> JSONResponse:
    # JSON can spell half a surrogate pair, which no text can hold.
    return _response(Invalid.status, Invalid.code, "The text holds half of a surrogate pair, which is not Unicode.")


def _client_gone(request: Request, error: Exception) -> JSONResponse:
    return _response(400, "client_gone", "The request was broken off.")


def _bug(request: Request, error: Exception) -> JSONResponse:
    log.error("unexpected error in %s %s", request.method, request.url.path, exc_info=error)
    return _response(500, "internal", "Something went wrong in Trailbook itself. The server's log has the details.")


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {key: _encodable(item) for key, item in value.items()}
    return [_encodable(item) for item in value] if isinstance(value, list) else value
