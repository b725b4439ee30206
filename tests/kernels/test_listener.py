"""What is read of another process's memory is told only if it could be read."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from trailbook.kernels.listener import path_at


def test_a_path_is_absolute_wherever_the_process_is() -> None:
    for text, path in ((b"/a//b/../c", "/a/c"), (b"d", str(Path.cwd() / "d"))):
        buffer = ctypes.create_string_buffer(text)
        assert path_at(os.getpid(), None, ctypes.addressof(buffer)) == path


def test_a_path_that_can_not_be_read_is_not_taken_for_the_directory_of_the_process() -> None:
    assert path_at(os.getpid(), None, 0) is None
