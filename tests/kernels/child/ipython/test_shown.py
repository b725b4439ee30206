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
from trailbook.kernels.child.ipython.capture import Captured
{before}
ipython.install()
captured = Captured()
from IPython.display import HTML, DisplayHandle, clear_output, display, publish_display_data, update_display
import IPython
display("gone")
clear_output(wait=True)
handle = display(HTML("<b>x</b>"), display_id=True)
named = display(1, 2, display_id="named")
named.update(3)
update_display(4, display_id=handle.display_id)
handle.update(HTML("<b>y</b>"))
publish_display_data({{"text/html": "<i>"}}, transient={{"display_id": "raw"}})
DisplayHandle("raw").display(5)
captured.stop()
print(IPython.get_ipython(), named)
html, first, second, raw, more = captured.outputs
print((html._repr_mimebundle_() if {stub} else html._repr_html_()), first, second, raw._repr_mimebundle_(), more)
"""
WITHOUT = """
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, path=None, target=None: None if name == "IPython" else find(name, path, target)
"""


SHOWN = "1 3 {'text/html': '<i>'} 5"


def run(**parts: Any) -> str:
    script = "import builtins\nbuiltins.display = None\n" + SCRIPT.format(**parts)
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def test_what_ipython_displays_is_shown_by_the_cell() -> None:
    assert run(before="", stub=False) == f"None <DisplayHandle display_id=named>\n<b>y</b> {SHOWN}\n"


def test_it_does_not_have_to_be_installed() -> None:
    printed = run(before=WITHOUT, stub=True)
    assert printed == f"None <DisplayHandle display_id=named>\n{{'text/html': '<b>y</b>'}} {SHOWN}\n"


@pytest.mark.parametrize(
    ("name", "media_type"), [("a.png", "image/png"), ("a.JPG", "image/jpeg"), ("picture", "image/png")]
)
def test_pictures_are_read_from_files(tmp_path: Path, name: str, media_type: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"abc")
    assert stub.Image(filename=str(path))._repr_mimebundle_() == {media_type: "YWJj"}
    assert stub.Image(b"abc")._repr_mimebundle_() == {"image/png": "YWJj"}
