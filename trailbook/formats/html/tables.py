"""The first rows of a dataset as a table. What is in doubt has a colour and a sign."""

from __future__ import annotations

from html import escape

from trailbook.formats.document import DatasetPreview
from trailbook.model.artifacts import Doubt

SIGN = '<sup class="sign" title="in doubt">?</sup>'


def dataset_html(preview: DatasetPreview) -> str:
    heads = "".join(f"<th>{escape(column.name)}<small>{escape(column.type)}</small></th>" for column in preview.columns)
    rows = "\n".join(map(_row, range(len(preview.rows)), preview.rows, preview.marks))
    return f"""\
<figure class="dataset">
<figcaption><b>{escape(preview.name)}</b> {_summary(preview)}</figcaption>
<div class="scroll"><table>
<thead><tr><th></th>{heads}</tr></thead>
<tbody>
{rows}
</tbody>
</table></div>
</figure>"""


def _row(number: int, values: tuple[str | None, ...], marks: tuple[int, ...]) -> str:
    cells = "".join(_value(value, column in marks) for column, value in enumerate(values, 1))
    head = f'<th class="doubt">{number}{SIGN}</th>' if 0 in marks else f"<th>{number}</th>"
    return f"<tr>{head}{cells}</tr>"


def _value(value: str | None, is_marked: bool) -> str:
    text = '<i class="null">NULL</i>' if value is None else escape(value)
    return f'<td class="doubt">{text}{SIGN}</td>' if is_marked else f"<td>{text}</td>"


def _summary(preview: DatasetPreview) -> str:
    shown = len(preview.rows)
    rows = f"{preview.total:,} row{'' if preview.total == 1 else 's'}"
    first = f", the first {shown}" if shown < preview.total else ""
    doubt = doubt_text(preview.doubt)
    return f"{rows}{first}" + (f' <span class="doubt">{SIGN} {doubt}</span>' if doubt else "")


def doubt_text(doubt: Doubt) -> str:
    """What is in doubt of a dataset, counted; nothing if nothing is."""
    if doubt.coarse:
        return "all of it is in doubt"
    values = sum(doubt.values.values())
    parts = [
        f"{values:,} value{'' if values == 1 else 's'} in doubt" if values else "",
        f"{doubt.rows:,} row{'' if doubt.rows == 1 else 's'} in doubt" if doubt.rows else "",
        f"{doubt.phantoms:,} row{'' if doubt.phantoms == 1 else 's'} left out in doubt" if doubt.phantoms else "",
        "other rows may be missing" if doubt.open else "",
    ]
    return ", ".join(filter(None, parts))
