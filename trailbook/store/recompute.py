"""Which datasets can be made again from what stays in the store."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from sqlalchemy import Connection, select

from trailbook.model.artifacts import Artifact, ArtifactKind
from trailbook.model.base import ArtifactId
from trailbook.model.notebook import Spec
from trailbook.model.runs import CASELESS_READ, OUTSIDE_READS, CellState, Run
from trailbook.store import runs, tables

# Spark has hundreds of functions, and more with each version: what is not known to be the same every time is in doubt.
# Sums and averages are not here: the last digits of floating-point ones depend on the order of addition.
_STABLE_FUNCTIONS = """
    count count_if min max bool_and bool_or every some rank dense_rank
    abs ceil ceiling floor round bround sqrt cbrt pow power exp ln log log2 log10 sign signum mod pmod div
    greatest least coalesce nullif ifnull nvl nvl2 nanvl zeroifnull nullifzero if iff isnull isnotnull isnan
    concat concat_ws upper ucase lower lcase initcap trim ltrim rtrim btrim lpad rpad length char_length
    character_length substring substr left right replace translate split split_part instr locate position
    reverse repeat space ascii chr contains startswith endswith regexp_replace regexp_extract regexp_extract_all
    regexp_like regexp rlike levenshtein soundex format_number
    cast try_cast int integer bigint smallint tinyint double float boolean string date to_date try_to_date make_date
    year quarter month weekofyear day dayofmonth dayofweek dayofyear weekday hour minute second extract date_part
    date_add date_sub dateadd datediff date_diff add_months months_between last_day trunc
    hash xxhash64 md5 sha sha1 sha2 crc32 hex unhex base64 unbase64
    array struct named_struct size cardinality element_at explode explode_outer posexplode array_contains
    sort_array array_sort get_json_object from_json to_json range
"""

_WORDS_BEFORE_PARENTHESES = """
    select distinct all from join on using where and or not in exists as over by when then else case having values
    union except intersect with lateral between like ilike sets rollup cube decimal numeric dec varchar char
"""

_HARMLESS = frozenset(f"{_STABLE_FUNCTIONS} {_WORDS_BEFORE_PARENTHESES}".split())

_CALL = re.compile(r"(\w+)`?\s*\(")
_COMMENT = re.compile(r"/\*.*?\*/|--[^\n]*", re.DOTALL)

# A word of these anywhere in a query, even in a comment, is enough: a doubt keeps the files.
# Times of day are read as those of the current day; ROWS counts rows that the order may leave undecided.
_UNSTABLE = re.compile(
    r"\b(now|today|yesterday|tomorrow|current_\w+|localtime\w*|timestamp\w*|user|session_user|limit|offset|fetch"
    r"|tablesample|rows|map|reduce|transform)\b",
    re.IGNORECASE,
)


def repeatable(spec: Spec) -> bool:
    """Whether a run of this spec gives the same rows, in whatever order, each time it reads the same artifacts.

    A Python cell may look at clocks, the network or chance, so it never counts as repeatable.
    """
    if spec.kind == "load":
        return bool(spec.parameters.get("file"))
    if spec.kind == "sql":
        return not any(isinstance(value, str) and _is_doubtful(value) for value in spec.parameters.values())
    return False


def _is_doubtful(query: str) -> bool:
    # Also without comments, since one may stand between a function and its parenthesis; but what looks like a
    # comment may be inside a text, so not only without.
    calls = {name.lower() for text in (query, _COMMENT.sub("", query)) for name in _CALL.findall(text)}
    return bool(_UNSTABLE.search(query) or calls - _HARMLESS)


class Recomputable:
    """Answers for each artifact whether it could be made again, given the artifacts whose files stay."""

    def __init__(self, tx: Connection, artifacts: Iterable[Artifact], stays: frozenset[ArtifactId]) -> None:
        self._makers: defaultdict[ArtifactId, list[Run]] = defaultdict(list)
        for row in tx.execute(select(*runs.COLUMNS).where(tables.runs.c.state == CellState.DONE.value)):
            run = Run(**row._mapping)
            for id in run.writes.values():
                self._makers[id].append(run)
        self._specs = {
            row.hash: Spec(kind=row.kind, parameters=row.parameters) for row in tx.execute(select(tables.specs))
        }
        self._stays = stays
        self._known: dict[ArtifactId, bool] = {}
        self._artifacts = {artifact.id: artifact for artifact in artifacts}
        # Oldest first: what a run read is then known before what it made, however long the chain is.
        for artifact in sorted(self._artifacts.values(), key=lambda artifact: artifact.created):
            self._known[artifact.id] = self._decide(artifact)

    def __contains__(self, id: ArtifactId) -> bool:
        return self._known.get(id, False)

    def _decide(self, artifact: Artifact) -> bool:
        """Whoever made it shows it: all of them must be able to make it again."""
        makers = self._makers[artifact.id]
        return artifact.kind is ArtifactKind.DATASET and bool(makers) and all(map(self._is_repeatable, makers))

    def _is_repeatable(self, run: Run) -> bool:
        spec = self._specs[run.spec]
        file = spec.parameters.get("file")
        reads = [*run.reads.items(), *([("file", file)] if file else [])]
        return repeatable(spec) and all(self._readable(name, id) for name, id in reads)

    def _readable(self, name: str, id: str | None) -> bool:
        # What is outside the store may have changed since.
        if name.startswith(OUTSIDE_READS):
            return False
        if name.startswith(CASELESS_READ):
            return True
        return id is None or id in self._stays or self._known.get(ArtifactId(id), False)
