"""What notebooks import from IPython works in cells, installed or not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from trailbook.kernels.child.ipython import stub

SCRIPT = """
import builtins, sys
from trailbook.kernels.child.ipython import shown as ipython
shown = []
builtins.display = lambda *values, raw=False: shown.extend(values)
{before}
ipython.install()
from IPython.display import HTML, Markdown, clear_output, display
import IPython
clear_output(wait=True)
handle = display(HTML("<b>x</b>"), Markdown("# y"), display_id=True)
handle.update(3)
IPython.display.display({{"text/html": "<i>"}}, raw=True)
print(IPython.get_ipython())
html, markdown, number, raw = shown
print((html._repr_mimebundle_() if {stub} else html._repr_html_()), number, raw)
"""
WITHOUT = """
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, path=None, target=None: None if name == "IPython" else find(name, path, target)
"""


def run(**parts: Any) -> str:
    answer = subprocess.run([sys.executable, "-c", SCRIPT.format(**parts)], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def test_what_ipython_displays_is_shown_by_the_cell() -> None:
    assert run(before="", stub=False) == "None\n<b>x</b> 3 {'text/html': '<i>'}\n"


def test_it_does_not_have_to_be_installed() -> None:
    printed = run(before=WITHOUT, stub=True)
    assert printed == "None\n{'text/html': '<b>x</b>'} 3 {'text/html': '<i>'}\n"


@pytest.mark.parametrize(
    ("name", "media_type"), [("a.png", "image/png"), ("a.JPG", "image/jpeg"), ("picture", "image/png")]
)
def test_pictures_are_read_from_files(tmp_path: Path, name: str, media_type: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"abc")
    assert stub.Image(filename=str(path))._repr_mimebundle_() == {media_type: "YWJj"}
    assert stub.Image(b"abc")._repr_mimebundle_() == {"image/png": "YWJj"}
