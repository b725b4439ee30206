"""What is in doubt is shown, explained through the cells it came by, acknowledged and doubted again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.server import Notebook, code_of

RAW = """import pandas as pd
raw = pd.DataFrame({"id": [1, 2, 3, 4], "region": ["n", "n", "s", "s"], "amount": ["10", "12O", "30", "5"]})
"""


class Story:
    """A text that is no number, on its way through a notebook."""

    def __init__(self, notebook: Notebook) -> None:
        self.notebook = notebook
        self.raw = notebook.add("python", code=RAW)
        query = "SELECT id, region, cast(amount AS int) AS amount FROM raw"
        self.typed = notebook.add("sql", query=query, name="typed")
        query = "SELECT region, sum(amount) AS s FROM typed GROUP BY region ORDER BY region"
        self.sums = notebook.add("sql", query=query, name="sums")
        self.big = notebook.add("sql", query="SELECT * FROM typed WHERE amount > 8", name="big")
        # What it prints tells one execution from another.
        self.code = notebook.add("python", code="import uuid\nprint(uuid.uuid4())\ncopy = sums.assign(n=1)")
        self.settle()

    def settle(self) -> None:
        for cell in (self.raw, self.typed, self.sums, self.big, self.code):
            found = self.notebook.settled(cell)
            assert found["state"] == "done", found["run"]["error"]

    def printed(self) -> str:
        messages = self.notebook.settled(self.code)["run"]["messages"]
        return "".join(message["text"] for message in messages if message["type"] == "text")

    def artifact(self, cell: str) -> Any:
        return self.notebook.settled(cell)["outputs"][0]["artifact"]

    def marks(self, cell: str) -> Any:
        return self.notebook.api.get(f"/artifacts/{self.artifact(cell)['id']}/rows")["marks"]

    def path(self) -> str:
        return f"/branches/{self.notebook.branch}/versions/{self.notebook.head()['ref']['number']}/caveats"

    def sayings(self, cell: str, name: str, **asked: Any) -> list[Any]:
        body = {"cell": cell, "name": name, **asked}
        with self.notebook.api.http.stream("POST", self.path(), json=body) as answer:
            assert answer.status_code == 200
            return [json.loads(line) for line in answer.iter_lines()]

    def sets(self, cell: str, name: str, **asked: Any) -> list[Any]:
        """The caveat sets that reach it."""
        first, *others, last = self.sayings(cell, name, **asked)
        assert (first["type"], last["type"]) == ("candidates", "end")
        return [saying["set"] for saying in others if saying["type"] == "set" and saying["set"]["count"]]


@pytest.fixture
def story(notebook: Notebook) -> Story:
    return Story(notebook)


def test_a_doubt_is_shown_and_explained_wherever_it_gets_to(story: Story) -> None:
    assert story.marks(story.typed) == [[], [3], [], []]
    assert story.marks(story.sums) == [[2], []]
    for cell, name, asked in (
        (story.typed, "typed", {"row": 1, "column": "amount"}),
        (story.sums, "sums", {"row": 0, "column": "s"}),
        (story.sums, "sums", {"column": "s"}),
        (story.sums, "sums", {}),
        (story.big, "big", {"missing": True}),
    ):
        (found,) = story.sets(cell, name, **asked)
        assert (found["cell"], found["message"], found["count"]) == (story.typed, "'12O' is not an int", 1)
        assert found["examples"] == [{"message": "'12O' is not an int", "row": "raw:1"}]
        assert found["acknowledged"] == []


def test_what_is_not_in_doubt_has_no_reasons(story: Story) -> None:
    assert story.sets(story.typed, "typed", row=0, column="amount") == []
    assert story.sets(story.sums, "sums", row=1) == []
    assert story.sets(story.raw, "raw") == []
    assert story.sets(story.typed, "typed", missing=True) == []


def test_rows_left_out_in_doubt_can_be_looked_at(story: Story) -> None:
    artifact = story.artifact(story.big)
    assert artifact["doubt"] == {"values": {}, "rows": 0, "phantoms": 1, "open": False, "coarse": False}
    page = story.notebook.api.get(f"/artifacts/{artifact['id']}/phantoms")
    assert (page["rows"], page["marks"], page["total"]) == ([[2, "n", None]], [[3]], 1)
    none = story.notebook.api.get(f"/artifacts/{story.artifact(story.raw)['id']}/phantoms")
    assert (none["rows"], none["total"]) == ([], 0)


def test_what_is_in_doubt_is_found_from_row_to_row(story: Story) -> None:
    def marked(cell: str, row: int, backwards: bool = False) -> tuple[int | None, list[int]]:
        path = f"/artifacts/{story.artifact(cell)['id']}/marked"
        found = story.notebook.api.get(path, row=row, backwards=backwards)
        return found["row"], found["marks"]

    assert marked(story.typed, -1) == (1, [3])
    assert marked(story.typed, 1) == (None, [])
    assert marked(story.typed, 3, backwards=True) == (1, [3])
    assert marked(story.typed, 1, backwards=True) == (None, [])
    assert marked(story.raw, -1) == (None, [])
    assert marked(story.big, -1) == (None, [])
    assert marked(story.code, 0) == (1, [0, 1, 2, 3])
    assert marked(story.code, 1) == (None, [])
    assert marked(story.code, 99, backwards=True) == (1, [0, 1, 2, 3])


def test_what_code_made_is_in_doubt_as_a_whole_and_says_why(story: Story) -> None:
    assert story.artifact(story.code)["doubt"]["coarse"]
    assert story.marks(story.code) == [[0, 1, 2, 3], [0, 1, 2, 3]]
    messages = {found["cell"]: found["message"] for found in story.sets(story.code, "copy", row=1, column="n")}
    assert messages == {story.code: "Python code can't be seen through", story.typed: "'12O' is not an int"}


def test_an_acknowledged_caveat_marks_nothing_stays_listed_and_can_be_taken_back(story: Story) -> None:
    (found,) = story.sets(story.sums, "sums", row=0, column="s")
    one = {"handle": found["cell"], "place": found["place"], "message": found["message"]}
    version = story.notebook.edit(action="acknowledge", **one, note="the letter O")
    assert version["description"] == "Acknowledge “'12O' is not an int” of cell 2"
    story.settle()
    for cell in (story.typed, story.sums, story.big, story.code):
        doubt = story.artifact(cell)["doubt"]
        assert doubt == {"values": {}, "rows": 0, "phantoms": 0, "open": False, "coarse": False}
    (listed,) = story.sets(story.sums, "sums", row=0, column="s")
    assert (listed["message"], listed["count"]) == (found["message"], 1)
    (said,) = listed["acknowledged"]
    assert (said["message"], said["note"], said["person"]["name"]) == (found["message"], "the letter O", "local")
    story.notebook.edit(action="take_back", **one)
    story.settle()
    assert story.marks(story.sums) == [[2], []]


def test_an_acknowledgement_outlives_changes_to_the_rest_of_the_cell(story: Story) -> None:
    (found,) = story.sets(story.typed, "typed")
    story.notebook.edit(action="acknowledge", handle=found["cell"], place=found["place"])
    query = "SELECT id, region, cast(amount AS int) AS amount, id * 2 AS twice FROM raw"
    story.notebook.update(story.typed, query=query, name="typed")
    assert story.artifact(story.typed)["doubt"]["values"] == {}
    story.notebook.update(story.raw, code=RAW.replace("12O", "x"))
    assert story.artifact(story.typed)["doubt"]["values"] == {}
    query = "SELECT id, region, cast(amount AS bigint) AS amount FROM raw"
    story.notebook.update(story.typed, query=query, name="typed")
    assert story.artifact(story.typed)["doubt"]["values"] == {"amount": 1}


def test_members_come_in_pages(notebook: Notebook) -> None:
    code = "import pandas as pd\nraw = pd.DataFrame({'t': [f'x{i % 7}' for i in range(120)]})"
    notebook.add("python", code=code)
    typed = notebook.add("sql", query="SELECT int(t) AS t FROM raw", name="typed")
    assert notebook.settled(typed)["outputs"][0]["artifact"]["doubt"]["values"] == {"t": 120}
    path = f"/branches/{notebook.branch}/versions/{notebook.head()['ref']['number']}/caveats"
    asked = {"cell": typed, "name": "typed"}
    with notebook.api.http.stream("POST", path, json=asked) as answer:
        known = [json.loads(line) for line in answer.iter_lines()][1]["set"]
    assert (known["count"], len(known["examples"])) == (120, 3)
    pages = [
        notebook.api.post(f"{path}/members", {**asked, "set": known["id"], "offset": offset, "limit": 50})["members"]
        for offset in (0, 50, 100)
    ]
    assert [len(page) for page in pages] == [50, 50, 20]
    members = [member for page in pages for member in page]
    assert {member["row"] for member in members} == {f"raw:{i}" for i in range(120)}
    assert [member["message"] for member in members] == sorted(f"'x{i % 7}' is not an int" for i in range(120))
    assert [member["row"] for member in members[:18]] == [f"raw:{i}" for i in range(0, 120, 7)]


def test_members_are_those_that_were_told_of_also_if_they_are_about_other_rows(notebook: Notebook) -> None:
    given = "SELECT * FROM VALUES (1), (2), (3), (4), (5) AS t(a)"
    doubted = f"SELECT a FROM ({given}) WHERE caveat_if(a, a > 1, 'unusual', a) NOT IN (SELECT a + 9 FROM ({given}))"
    rest = notebook.add("sql", query=doubted, name="rest")
    row = notebook.result(rest).index([1])
    path = f"/branches/{notebook.branch}/versions/{notebook.head()['ref']['number']}/caveats"
    asked = {"cell": rest, "name": "rest", "row": row}
    with notebook.api.http.stream("POST", path, json=asked) as answer:
        told = [saying["set"] for line in answer.iter_lines() if (saying := json.loads(line))["type"] == "set"]
    assert [known["count"] for known in told] == [0, 4]
    for offset, expected in ((0, 3), (3, 1), (6, 0)):
        page = notebook.api.post(f"{path}/members", {**asked, "set": told[1]["id"], "offset": offset, "limit": 3})
        assert len(page["members"]) == expected


def test_questions_that_make_no_sense_are_refused(story: Story) -> None:
    http = story.notebook.api.http
    for body, expected in (
        ({"cell": "nobody", "name": "typed"}, (404, "not_found")),
        ({"cell": story.typed, "name": "sums"}, (404, "not_found")),
        ({"cell": story.typed, "name": "typed", "column": "price"}, (422, "invalid")),
        ({"cell": story.typed, "name": "typed", "row": 4}, (422, "invalid")),
        ({"cell": story.typed, "name": "typed", "row": 1, "missing": True}, (422, "invalid")),
    ):
        assert code_of(http.post(story.path(), json=body)) == expected
    body = {"cell": story.typed, "name": "typed", "set": "0" * 64}
    assert code_of(http.post(f"{story.path()}/members", json=body)) == (404, "not_found")


def test_code_is_not_executed_again_for_what_is_acknowledged(story: Story) -> None:
    printed = story.printed()
    (found,) = story.sets(story.typed, "typed")
    story.notebook.edit(action="acknowledge", handle=found["cell"], place=found["place"])
    story.settle()
    assert story.artifact(story.code)["doubt"]["coarse"] is False
    assert story.printed() == printed
    story.notebook.edit(action="take_back", handle=found["cell"], place=found["place"])
    story.settle()
    assert story.artifact(story.code)["doubt"]["coarse"] is True
    own = {"handle": story.code, "place": "Python code can't be seen through"}
    story.notebook.edit(action="acknowledge", **own)
    story.settle()
    assert story.artifact(story.code)["doubt"]["coarse"] is False
    assert story.printed() == printed
    story.notebook.update(story.raw, code=RAW.replace("30", "31"))
    story.settle()
    assert story.printed() != printed


def test_a_doubt_is_found_behind_many_paths_that_part_and_meet_again(notebook: Notebook) -> None:
    notebook.add("python", code="import pandas as pd\nraw = pd.DataFrame({'id': [1, 2], 't': ['1', 'x']})")
    notebook.add("sql", query="SELECT id, int(t) AS x FROM raw", name="step0")
    for i in range(5):
        query = f"SELECT a.id, a.x + b.x AS x FROM step{i} a JOIN step{i} b ON a.id = b.id AND a.x <=> b.x"
        last = notebook.add("sql", query=query, name=f"step{i + 1}")
    assert notebook.settled(last)["state"] == "done"
    path = f"/branches/{notebook.branch}/versions/{notebook.head()['ref']['number']}/caveats"
    body = {"cell": last, "name": "step5", "missing": True}
    with notebook.api.http.stream("POST", path, json=body) as answer:
        _, known, end = [json.loads(line) for line in answer.iter_lines()]
    assert (known["set"]["message"], known["set"]["count"], end["type"]) == ("'x' is not an int", 1, "end")


def test_reasons_are_found_through_values_and_files(story: Story) -> None:
    notebook = story.notebook
    total = notebook.add("python", code="total = int(sums['s'].sum())\nopen('total.txt', 'w').write(str(total))")
    frame = notebook.add("python", code="out = pd.DataFrame({'total': [total]})")
    read = notebook.add("python", code="again = pd.DataFrame({'total': [int(open('total.txt').read())]})")
    for cell, name in ((frame, "out"), (read, "again")):
        assert notebook.settled(cell)["state"] == "done"
        places = {(found["cell"], found["place"]) for found in story.sets(cell, name)}
        assert {each for each, _ in places} == {story.typed, total, cell}
