"""S3 as whoever starts the server has set it up, and what it says if something fails."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyarrow.fs import S3FileSystem

IDLE_SECONDS = 30.0
"""How long a server may say nothing."""
_ERROR = re.compile(r"AWS Error (\w+) during \w+ operation: (.*?)( \(Request ID: .*)?$", re.DOTALL)
_NOTHING = "No response body."


def open_s3(*, anonymously: bool) -> S3FileSystem:
    """With the keys and the endpoint of the environment; `anonymously` without keys."""
    from pyarrow.fs import S3FileSystem

    return S3FileSystem(
        anonymous=anonymously,
        # As Amazon's own tools have it; whoever starts the server may keep data elsewhere than at Amazon.
        endpoint_override=os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL"),
        connect_timeout=IDLE_SECONDS,
        request_timeout=IDLE_SECONDS,
    )


def s3_said(error: OSError) -> str:
    """What the server said, without what led there."""
    found = _ERROR.search(str(error))
    if found is None:
        return str(error)
    return found[1].lower().replace("_", " ") if found[2] == _NOTHING else found[2].removesuffix(".")
