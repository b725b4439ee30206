"""What a run does to the outside is seen: by Python, by native readers, by threads and by other processes."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.kernels.conftest import Attempt, Bench
from trailbook.engine import Engine
from trailbook.kernels.observed import CHANGED, Observed
from trailbook.store.outside import FOLDER, file_digest


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Files of the user's, in many formats."""
    folder = tmp_path / "data"
    folder.mkdir()
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    for number in range(4):
        frame.to_csv(folder / f"{number}.csv", index=False)
        frame.to_parquet(folder / f"{number}.parquet")
        np.save(folder / f"{number}.npy", np.arange(10))
    frame.to_feather(folder / "t.feather")
    (folder / "t.txt").write_text("text")
    return folder


def observe(bench: Bench, code: str, data: Path | None = None, *, native: bool = True) -> Observed:
    """Run the code, in which DATA stands for the folder of files."""
    attempt = attempted(bench, code, data, native=native)
    assert attempt.outcome
    assert attempt.outcome.error is None, attempt.outcome.error
    return attempt.outcome.observed


def attempted(bench: Bench, code: str, data: Path | None = None, *, native: bool = True) -> Attempt:
    return bench.run(code.replace("DATA", str(data)), watch_natively=native)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


READERS = {
    "open": ("t.txt", "open('DATA/t.txt').read()"),
    "a relative path": ("t.txt", "import os; os.chdir('DATA'); open('t.txt').read()"),
    "a path relative to a descriptor": (
        "t.txt",
        "import os; d = os.open('DATA', os.O_PATH); os.read(os.open('t.txt', os.O_RDONLY, dir_fd=d), 9)",
    ),
    "pandas": (
        "0.csv 1.csv 0.parquet t.feather",
        "import pandas as pd; pd.read_csv('DATA/0.csv'); pd.read_csv('DATA/1.csv', engine='pyarrow')\n"
        "pd.read_parquet('DATA/0.parquet'); pd.read_feather('DATA/t.feather')",
    ),
    "pyarrow": (
        "0.csv 0.parquet 1.parquet t.feather",
        "import pyarrow as pa, pyarrow.csv, pyarrow.dataset, pyarrow.parquet as pq\n"
        "pa.csv.read_csv('DATA/0.csv'); pq.read_table('DATA/0.parquet')\n"
        "pa.dataset.dataset('DATA/1.parquet').to_table(); pa.memory_map('DATA/t.feather').read()",
    ),
    "polars": (
        "0.csv 1.csv 0.parquet 1.parquet",
        "import polars as pl; pl.read_csv('DATA/0.csv'); pl.scan_csv('DATA/1.csv').collect()\n"
        "pl.read_parquet('DATA/0.parquet'); pl.scan_parquet('DATA/1.parquet').collect()",
    ),
    "duckdb": (
        "0.parquet 0.csv",
        "import duckdb; duckdb.sql(\"select * from 'DATA/0.parquet'\").fetchall()\n"
        "duckdb.read_csv('DATA/0.csv').fetchall()",
    ),
    "numpy": ("0.npy 1.npy", "import numpy as np; np.load('DATA/0.npy'); np.memmap('DATA/1.npy', mode='r').sum()"),
    "a thread": (
        "t.txt",
        "import threading; t = threading.Thread(target=lambda: open('DATA/t.txt').read()); t.start(); t.join()",
    ),
    "a subprocess": ("t.txt", "import subprocess; subprocess.run(['cat', 'DATA/t.txt'], check=True)"),
    "another process": (
        "t.txt",
        "import multiprocessing as m\ndef f(): open('DATA/t.txt').read()\n"
        "p = m.get_context('fork').Process(target=f); p.start(); p.join()",
    ),
}
"""The files that are read, and code that reads them, each in a way of its own."""


@pytest.mark.parametrize("reader", READERS)
def test_whoever_reads_a_file_is_seen(bench: Bench, data: Path, reader: str) -> None:
    names, code = READERS[reader]
    observed = observe(bench, code, data)
    read = {path: found for path, found in observed.files_read.items() if found != FOLDER}
    assert read == {str(data / name): digest(data / name) for name in names.split()}
    assert observed.files_written == ()
    assert observed.complete


def test_a_database_is_read_if_it_is_only_asked(bench: Bench, data: Path) -> None:
    make = "import sqlite3; c = sqlite3.connect('DATA/t.db'); c.execute('create table t (a)'); c.commit(); c.close()"
    assert observe(bench, make, data).files_written == (str(data / "t.db"),)
    ask = observe(bench, "import sqlite3; sqlite3.connect('DATA/t.db').execute('select * from t').fetchall()", data)
    assert ask.files_read == {str(data / "t.db"): digest(data / "t.db")}
    assert ask.files_written == ()


def test_a_directory_that_is_listed_is_read_and_a_new_name_in_it_changes_its_digest(bench: Bench, data: Path) -> None:
    observed = observe(bench, "import os; os.listdir('DATA')", data)
    before = file_digest(str(data))
    assert observed.files_read == {str(data): before}
    (data / "new").touch()
    assert file_digest(str(data)) != before


def test_a_dataset_of_many_files_is_its_directory_and_each_file(bench: Bench, data: Path) -> None:
    pd.DataFrame({"k": [1, 2], "v": [3, 4]}).to_parquet(data / "parts", partition_cols=["k"])
    observed = observe(bench, "import pyarrow.dataset as ds; ds.dataset('DATA/parts').to_table()", data)
    files = {str(path) for path in (data / "parts").rglob("*")}
    assert observed.files_read.keys() == {str(data / "parts"), *files}


@pytest.mark.parametrize("native", [True, False])
def test_a_file_that_is_not_there_is_looked_for(bench: Bench, data: Path, native: bool) -> None:
    observed = observe(bench, "try: open('DATA/absent')\nexcept OSError: pass", data, native=native)
    assert observed.files_read == {str(data / "absent"): None}


@pytest.mark.parametrize("native", [True, False])
def test_a_file_that_changes_while_it_is_read_equals_no_digest(bench: Bench, data: Path, native: bool) -> None:
    code = "text = open('DATA/t.txt').read()\nopen('DATA/t.txt', 'a').write('more')"
    observed = observe(bench, code, data, native=native)
    assert observed.files_read == {str(data / "t.txt"): CHANGED}
    assert observed.files_written == (str(data / "t.txt"),)


@pytest.mark.parametrize("native", [True, False])
def test_what_a_run_wrote_itself_it_did_not_read(bench: Bench, data: Path, native: bool) -> None:
    code = "open('DATA/new', 'w').write('x'); open('DATA/new').read(); open('DATA/t.txt', 'w+').read()"
    observed = observe(bench, code, data, native=native)
    assert observed.files_read == {}
    assert observed.files_written == (str(data / "new"), str(data / "t.txt"))


WRITERS = {
    "to_csv": ("new", "import pandas as pd; pd.DataFrame({'a': [1]}).to_csv('DATA/new')"),
    "to_parquet": ("new", "import pandas as pd; pd.DataFrame({'a': [1]}).to_parquet('DATA/new')"),
    "polars": ("new", "import polars as pl; pl.DataFrame({'a': [1]}).write_parquet('DATA/new')"),
    "duckdb": ("new", "import duckdb; duckdb.sql(\"copy (select 1) to 'DATA/new'\")"),
    "remove": ("t.txt", "import os; os.remove('DATA/t.txt')"),
    "truncate": ("t.txt", "import os; os.truncate('DATA/t.txt', 1)"),
    "replace": ("t.txt", "import os; open('other', 'w').close(); os.replace('other', 'DATA/t.txt')"),
    "symlink": ("new", "import os; os.symlink('DATA/t.txt', 'DATA/new')"),
    "a shell": ("new", "import os; os.system('echo x > DATA/new')"),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_whoever_writes_a_file_is_seen(bench: Bench, data: Path, writer: str) -> None:
    name, code = WRITERS[writer]
    observed = observe(bench, code, data)
    assert observed.files_written == (str(data / name),)
    # Some look first whether the file, and its folder, are there.
    assert set(observed.files_read.values()) <= {CHANGED, FOLDER}


def test_a_file_that_is_gone_again_was_not_written(bench: Bench, data: Path) -> None:
    code = "import os; open('DATA/new', 'w').close(); os.remove('DATA/new'); open('DATA/t.txt', 'r+').read()"
    assert observe(bench, code, data).files_written == ()


@pytest.mark.parametrize("native", [True, False])
def test_files_of_the_work_directory_are_told_apart(bench: Bench, native: bool) -> None:
    code = "open('a', 'w').close(); open('a').read()\ntry: open('b')\nexcept OSError: open('tmp', 'w').close()\n"
    code += "import os, tempfile; os.remove('tmp'); os.mkdir('d'); open('d/c', 'w').close(); tempfile.mkstemp();"
    observed = observe(bench, code, native=native)
    assert (observed.work_read, observed.work_written, observed.work_deleted) == (("b", "d"), ("a", "d/c"), ())
    assert (observed.files_read, observed.files_written) == ({}, ())


@pytest.mark.parametrize("native", [True, False])
def test_a_module_of_the_users_own_is_read_whether_compiled_or_not(bench: Bench, data: Path, native: bool) -> None:
    (data / "package").mkdir()
    modules = [data / "package" / "__init__.py", data / "package" / "own.py"]
    for module in modules:
        module.write_text("X = 1")
    code = "import sys; sys.path.insert(0, 'DATA'); sys.dont_write_bytecode = False; import package.own"
    for _ in range(2):
        observed = observe(bench, code, data, native=native)
        found = {path: read for path, read in observed.files_read.items() if read}
        assert found == {str(module): digest(module) for module in modules}
        assert str(data / "package.py") in observed.files_read
        assert observed.files_written == ()
    assert (data / "package" / "__pycache__").is_dir()


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize(
    "code",
    [
        "1 + 1",
        "import sqlite3, xml.dom.minidom, multiprocessing, ssl",
        "import matplotlib.pyplot as plt; plt.plot([1, 2]); plt.show()",
        "import pandas as pd; pd.Timestamp('2020-01-01', tz='Europe/Berlin')",
        "import numpy as np, random; np.random.default_rng(1).random(); random.seed(2); random.random()",
        "import numpy as np; np.random.seed(3); np.random.rand()",
        "import time; time.perf_counter(); time.monotonic(); time.sleep(0); time.gmtime(0)",
        "import tempfile, logging; tempfile.mkdtemp(); logging.warning('x')",
        "import datetime, zoneinfo; datetime.datetime(2020, 1, 1, tzinfo=zoneinfo.ZoneInfo('Asia/Tokyo')).date()",
    ],
)
def test_software_machine_and_names_are_not_what_a_run_depends_on(bench: Bench, code: str, native: bool) -> None:
    assert observe(bench, code, native=native) == Observed()


def test_engines_start_without_being_seen(bench: Bench) -> None:
    code = (
        "import polars as pl, duckdb; pl.DataFrame({'a': [1]}).group_by('a').len(); duckdb.sql('select 1').fetchall()"
    )
    assert observe(bench, code) == Observed()


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize(
    "code",
    [
        "import numpy as np; np.random.default_rng().random()",
        "import numpy as np; np.random.RandomState()",
        "import secrets; secrets.token_hex()",
        "import uuid; uuid.uuid4()",
        "import random; random.random()",
        "import random; random.random(); random.seed(1)",
        "import numpy as np; np.random.rand()",
        "import random; random.Random().random()",
        "import random; random.seed()",
        "import os; os.urandom(4)",
        "open('/dev/urandom', 'rb').read(4)",
        "import duckdb; duckdb.sql('select random()').fetchall()",
        "def draw():\n    import secrets\n    return secrets.randbits(8)\ndraw()",
    ],
)
def test_random_numbers_that_cannot_be_drawn_again_are_seen(bench: Bench, code: str, native: bool) -> None:
    observed = observe(bench, code, native=native)
    assert observed.randomness
    assert not observed.clock


CLOCKWORK = """
import datetime
def tell(): return datetime.datetime.now()
def indirect(): return tell()
class Clock:
    def tell(self): return datetime.datetime.now()
"""
ABOVE = """
import functools
from datetime import datetime
from time import time
def tell(): return datetime.now()
class Base:
    @property
    def told(self): return datetime.now()
class Clock(Base):
    def tell(self): return datetime.now()
class Plain: pass
def closing_over(function): return lambda: function()
cached, part, closed = functools.lru_cache(tell), functools.partial(tell), closing_over(tell)
listed, by_name, clock, inherited, unused = [tell], {"tell": tell}, Clock(), Clock(), Plain()
"""


@pytest.mark.parametrize(
    "code",
    [
        "import time; time.time()",
        "from time import time_ns; time_ns()",
        "import time; time.strftime('%Y')",
        "import time; time.localtime()",
        "from datetime import datetime; datetime.now()",
        "from datetime import date\ndef f(): return date.today()\nf()",
        "import pandas as pd; pd.Timestamp('now')",
        "import pandas as pd; pd.Timestamp.utcnow()",
        "import duckdb; duckdb.sql('select now()').fetchall()",
        *(
            f"import sys; sys.path.insert(0, 'DATA'); {used}"
            for used in (
                "import clockwork; clockwork.tell()",
                "from clockwork import indirect; indirect()",
                "from clockwork import Clock; Clock().tell()",
            )
        ),
    ],
)
def test_the_time_of_day_is_seen(bench: Bench, data: Path, code: str) -> None:
    (data / "clockwork.py").write_text(CLOCKWORK)
    observed = observe(bench, code, data)
    assert observed.clock
    assert not observed.randomness


@pytest.mark.parametrize(
    ("code", "reads_clock"),
    [
        ("tell();", True),
        ("time();", True),
        ("cached();", True),
        ("part();", True),
        ("closed();", True),
        ("listed[0]();", True),
        ("by_name['tell']();", True),
        ("clock.tell();", True),
        ("inherited.told;", True),
        ("1;", False),
        ("unused;", False),
    ],
)
def test_the_clock_is_seen_in_functions_of_cells_above(bench: Bench, code: str, reads_clock: bool) -> None:
    *_, last = bench.cells(ABOVE, code)
    assert last.outcome
    assert last.outcome.error is None
    assert last.outcome.observed.clock is reads_clock


def test_functions_of_the_clock_stay_what_they_are(bench: Bench) -> None:
    run = bench.run(
        "import pickle, time\nprint(pickle.loads(pickle.dumps(time.time)) is time.time, time.time.__name__)"
    )
    assert run.text() == "True time\n"


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("native", [True, False])
def test_a_connection_is_seen(bench: Bench, server: HTTPServer, native: bool) -> None:
    code = f"import urllib.request; urllib.request.urlopen('http://127.0.0.1:{server.server_port}').status"
    assert observe(bench, code, native=native).network == (f"127.0.0.1:{server.server_port}",)


def test_a_datagram_is_seen(bench: Bench) -> None:
    code = "import socket; socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b'x', ('::1', 9))"
    assert observe(bench, code).network == ("[::1]:9",)


@pytest.mark.parametrize(
    ("code", "read"),
    [
        ("os.environ['HOME']", ("HOME",)),
        ("os.getenv('NOT_SET')", ("NOT_SET",)),
        ("'HOME' in os.environ", ("HOME",)),
        ("os.environ['MINE'] = '1'; os.environ['MINE']", ()),
        ("import pandas, tempfile; tempfile.gettempdir()", ()),
    ],
)
def test_variables_of_the_environment_that_the_code_reads_are_told(
    bench: Bench, code: str, read: tuple[str, ...]
) -> None:
    assert observe(bench, f"import os\n{code}").variables_read == read


def test_talk_within_the_machine_is_no_network(bench: Bench) -> None:
    code = "import socket; s = socket.socket(socket.AF_UNIX); s.bind('s'); s.listen(); socket.socket(1).connect('s')"
    assert observe(bench, code).network == ()


@pytest.mark.parametrize("native", [True, False])
def test_programs_that_are_started_are_told(bench: Bench, native: bool) -> None:
    observed = observe(bench, "import subprocess; subprocess.run(['true'], check=True)", native=native)
    assert [Path(program).name for program in observed.subprocesses] == ["true"]


@pytest.mark.parametrize(("reader", "complete"), [("open", True), ("pandas", False), ("a subprocess", False)])
def test_without_the_kernels_help_a_run_that_may_read_unseen_is_not_complete(
    bench: Bench, data: Path, reader: str, complete: bool
) -> None:
    assert observe(bench, READERS[reader][1], data, native=False).complete is complete


@pytest.mark.parametrize("native", [True, False])
def test_what_a_run_did_before_it_failed_is_known(bench: Bench, data: Path, native: bool) -> None:
    for end in ("1 / 0", "import os; os._exit(3)", "import ctypes; ctypes.string_at(0)"):
        outcome = attempted(bench, f"open('DATA/t.txt').read()\n{end}", data, native=native).outcome
        assert outcome
        assert outcome.error
        assert outcome.observed.files_read == {str(data / "t.txt"): digest(data / "t.txt")}


def test_code_that_can_not_be_compiled_fails_once(bench: Bench) -> None:
    traceback = bench.run("return 1").error.traceback
    assert traceback
    assert traceback.count("SyntaxError") == 1


def test_code_that_awaits_is_watched_as_well(bench: Bench, data: Path) -> None:
    observed = observe(bench, "import asyncio\nawait asyncio.sleep(0)\nopen('DATA/t.txt').read()", data)
    assert observed.files_read == {str(data / "t.txt"): digest(data / "t.txt")}


def test_a_process_left_behind_does_not_keep_the_run_from_ending(bench: Bench, data: Path) -> None:
    code = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork(): os._exit(0)\n"
        "    os.close(1); os.close(2)\n"
        "    deadline = time.monotonic() + 20\n"
        "    while time.monotonic() < deadline and not os.path.exists('DATA/stop'): time.sleep(0.01)\n"
        "    os._exit(0)\n"
        "os.wait();"
    )
    observe(bench, code, data)
    (data / "stop").touch()


def test_notes_that_the_code_forged_are_left_out(bench: Bench) -> None:
    forged = {"Opened": [5, "x"], "Changed": [], "Connected": [[], {}], "Executed": [None], "Unknown": []}
    notes = [json.dumps({"kind": kind, "fields": fields, "signs": [1]}) for kind, fields in forged.items()]
    lines = ["{", "[]", "3", *notes]
    code = f"open('../notes.jsonl', 'a').write({chr(10).join(['', *lines, ''])!r});"
    assert observe(bench, code) == Observed()


def test_talk_with_spark_is_trailbooks_own(bench: Bench, engine: Engine) -> None:
    attempt = bench.run("spark.range(3).count()", spark_url=engine.url)
    assert attempt.outcome
    assert attempt.outcome.observed == Observed()
