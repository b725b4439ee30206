"""Files on S3 are fetched like those of the web. The S3 is moto's, in an environment of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import uv
from pyarrow.fs import S3FileSystem

from tests.sources.web import CSV
from trailbook.errors import NotFetched, TooLarge
from trailbook.sources.remote import Fetch, Fetched, Terms
from trailbook.sources.s3 import s3_said

MOTO = "moto[s3,server]==5.2.5"
SERVE = """
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
input()
"""


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    environment = tmp_path_factory.mktemp("moto") / "environment"
    python = environment / "bin" / "python"
    subprocess.run([uv.find_uv_bin(), "venv", "-q", "--python", sys.executable, environment], check=True)
    subprocess.run([uv.find_uv_bin(), "pip", "install", "-q", "--python", python, MOTO], check=True)
    command = [str(python), "-c", SERVE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        process.stdin.close()
        process.kill()


@pytest.fixture
def bucket(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A bucket with one file, at the endpoint that the environment names."""
    settings = {"ACCESS_KEY_ID": "key", "SECRET_ACCESS_KEY": "secret", "REGION": "us-east-1", "ENDPOINT_URL": endpoint}
    for name, value in settings.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    store = S3FileSystem(endpoint_override=endpoint, allow_bucket_creation=True)
    store.create_dir("data")
    with store.open_output_stream("data/2020/rates of May.csv") as file:
        file.write(CSV)
    return "s3://data"


def fetch(url: str, target: Path, most_bytes: int = 1000) -> Fetched:
    return Fetch(url, Terms(most_bytes), lambda done, total: None).to_file(target)


def test_a_file_on_s3_is_fetched_with_where_it_came_from(bucket: str, tmp_path: Path) -> None:
    fetched = fetch(f"{bucket}/2020/rates%20of%20May.csv", tmp_path / "fetched")
    assert fetched.path.read_bytes() == CSV
    assert fetched.size == len(CSV)
    assert fetched.name.endswith(".csv")
    assert fetched.etag


def test_what_is_not_there_or_too_large_is_refused(bucket: str, tmp_path: Path) -> None:
    for url in (f"{bucket}/2020/none.csv", f"{bucket}/2020", "s3://nobodys/a.csv"):
        with pytest.raises(NotFetched, match=f"There is no file {url}, or it may not be read"):
            fetch(url, tmp_path / "fetched")
    with pytest.raises(TooLarge, match="more than 10 bytes"):
        fetch(f"{bucket}/2020/rates%20of%20May.csv", tmp_path / "fetched", most_bytes=10)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("When …: AWS Error ACCESS_DENIED during HeadObject operation: No response body.", "access denied"),
        ("When …: AWS Error NO_SUCH_BUCKET during X operation: It is not there. (Request ID: 1)", "It is not there"),
        ("[Errno 9] Bad file", "[Errno 9] Bad file"),
    ],
)
def test_only_what_the_server_says_is_told(error: str, said: str) -> None:
    assert s3_said(OSError(error)) == said
