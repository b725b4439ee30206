"""A disk without space left refuses clearly, and corrupts nothing.

A limit on the size of files stands for it: it fails the same writes, and any user can set one.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.server import Api, Notebook, code_of, running_server
from trailbook.settings import MIB

MOST = 8 * MIB
# One file, of what can't be compressed to less.
QUERY = "SELECT uuid() AS a, uuid() AS b FROM range(1600000)"
CODE = "import os\nimport pandas as pd\nbig = pd.DataFrame({'a': [os.urandom(16 << 20)]})"


def limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST, resource.RLIM_INFINITY))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("full")


@pytest.fixture(scope="module")
def full(data: Path) -> Iterator[Notebook]:
    with running_server(data, prepare=limit_files) as server:
        api = Api(server.url)
        yield api.project()
        api.close()


@pytest.fixture(autouse=True)
def store_is_whole_afterwards(data: Path, full: Notebook) -> Iterator[None]:
    yield
    command = [sys.executable, "-m", "trailbook.cli.main", "doctor", "--deep", "--data", str(data)]
    report = subprocess.run(command, capture_output=True, text=True, check=False)
    assert report.returncode == 0, report.stdout


def test_an_upload_is_refused(full: Notebook, data: Path) -> None:
    path = f"/projects/{full.project}/files"
    answer = full.api.http.post(path, params={"name": "large"}, content=b"x" * (MOST + 1))
    assert code_of(answer) == (507, "store_full")
    assert full.api.get(path) == []
    assert list((data / "staging").iterdir()) == []


def test_an_edit_is_refused_and_a_smaller_one_works(full: Notebook) -> None:
    before = full.head()
    edit = {"action": "insert", "kind": "markdown", "parameters": {"text": "x" * (MOST + 1)}}
    path = f"/branches/{full.branch}/versions/{before['ref']['number']}/edits"
    answer = full.api.http.post(path, json={"edit": edit, "at_head": True})
    assert code_of(answer) == (507, "store_full")
    assert full.head() == before
    full.add("markdown", text="small enough")


@pytest.mark.parametrize(
    ("kind", "text", "code", "message"),
    [
        ("sql", {"query": QUERY, "name": "big"}, "store_full", "file too large"),
        ("python", {"code": CODE}, "python_exception", "File too large"),
    ],
)
def test_a_run_fails_at_its_cell_and_the_next_one_works(
    full: Notebook, kind: str, text: dict[str, str], code: str, message: str
) -> None:
    cell = full.settled(full.add(kind, **text))
    assert cell["state"] == "error"
    assert cell["run"]["error"]["code"] == code
    assert message in cell["run"]["error"]["message"]
    assert cell["outputs"] == []
    assert full.result(full.add("sql", query="SELECT 1 AS x")) == [[1]]
