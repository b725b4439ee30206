"""What was wrong with a file is explained and acknowledged like any other doubt."""

from __future__ import annotations

import gzip

from tests.server.asking import caveat_sets
from tests.support.server import Notebook

FILE = b"id,amount\n1,10\n2,1O\n3,30\n4\n5,50\n6,60\n7,70\n8,80\n9,90\n10,11\n11,12\n12,13\n13,14\n"
LINES, AMOUNT = "lines of sales.csv", "amount read as int"


def test_doubts_about_a_file_are_explained_and_acknowledged(notebook: Notebook) -> None:
    file = notebook.upload("sales.csv", FILE)
    loaded = notebook.add("load", name="sales", file=file, file_name="sales.csv")
    total = notebook.add("sql", query="SELECT sum(amount) AS total, count(*) AS n FROM sales", name="totals")

    def doubts() -> list[dict[str, object]]:
        return [notebook.settled(cell)["outputs"][0]["artifact"]["doubt"] for cell in (loaded, total)]

    assert [doubt["values"] for doubt in doubts()] == [{"amount": 2, "id": 1}, {"n": 1, "total": 1}]
    found = caveat_sets(notebook, total, "totals", row=0, column="total")
    assert {place: one["count"] for place, one in found.items()} == {AMOUNT: 2, LINES: 2}
    ragged = {"message": 'line 5, byte 25: 1 value instead of 2: "4"', "row": "captured:sales.csv:4"}
    assert ragged in found[LINES]["examples"]
    (of_value,) = caveat_sets(notebook, loaded, "sales", row=1, column="amount").values()
    assert of_value["examples"] == [{"message": "'1O' is not an int", "row": "captured:sales.csv:2"}]

    for place in (LINES, AMOUNT):
        notebook.edit(action="acknowledge", handle=loaded, place=place, message=None, note="seen")
    assert [(doubt["values"], doubt["rows"], doubt["phantoms"]) for doubt in doubts()] == [({}, 0, 0)] * 2
    listed = caveat_sets(notebook, loaded, "sales")
    assert {place: bool(one["acknowledged"]) for place, one in listed.items()} == {LINES: True, AMOUNT: True}


def test_what_a_file_lacks_that_is_cut_off_is_explained_and_acknowledged(notebook: Notebook) -> None:
    packed = gzip.compress(b"id,amount\n" + b"".join(b"%d,%d\n" % (n, n * n) for n in range(5000)))[:-2000]
    file = notebook.upload("sales.csv.gz", packed)
    options = {"header": True}
    loaded = notebook.add("load", name="sales", file=file, file_name="sales.csv.gz", options=options)
    count = notebook.add("sql", query="SELECT count(*) AS n FROM sales", name="counted")
    notebook.settled(count)
    found = caveat_sets(notebook, count, "counted", row=0, column="n")
    # The last line is cut, too.
    assert {place: one["count"] for place, one in found.items()} == {"lines of sales.csv.gz": 2}
    assert "not all of " in str(found)
    notebook.edit(action="acknowledge", handle=loaded, place="lines of sales.csv.gz", message=None, note="seen")
    assert notebook.settled(count)["outputs"][0]["artifact"]["doubt"]["values"] == {}
