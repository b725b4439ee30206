"""Ways in which files go wrong, and files to try them on. All is the same in each run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

Mutator = Callable[[Random, bytes], bytes]

BASES = {
    "plain": b"id,name,amount\n" + b"".join(b"%d,Name %d,%d.50\n" % (i, i, i * 3) for i in range(12)),
    "quoted": b'"id","name","note"\r\n' + b"".join(b'"%d","Doe, %d","say ""%d"""\r\n' % (i, i, i) for i in range(12)),
    "long values": b"id;text\n" + b"".join(b'%d;"first line\nsecond; line\n\nlast"\n' % i for i in range(8)),
    "tabs": b"a\tb\tc\td\n" + b"".join(b"%d\t\tx\t%d\n" % (i, -i) for i in range(12)),
    "letters": "stadt,größe\n".encode() + "Zürich,421878\nGenève,203856\nBâle,178120\n".encode() * 4,
    "escapes": b"id,said,n\n" + b"".join(b'%d,"a \\"big\\", dog",%d\n' % (i, i) for i in range(12)),
}


def _places(random: Random, data: bytes, count: int = 3) -> list[int]:
    return sorted(random.sample(range(len(data)), count), reverse=True)


def _lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def _at_places(of: Callable[[bytes, int], bytes]) -> Mutator:
    def mutator(random: Random, data: bytes) -> bytes:
        for place in _places(random, data):
            data = of(data, place)
        return data

    return mutator


def _on_lines(of: Callable[[bytes], bytes]) -> Mutator:
    def mutator(random: Random, data: bytes) -> bytes:
        lines = _lines(data)
        for number in random.sample(range(len(lines)), 3):
            lines[number] = of(lines[number])
        return b"".join(lines)

    return mutator


def _inserted(what: bytes) -> Mutator:
    return _at_places(lambda data, place: data[:place] + what + data[place:])


def _unquoted(random: Random, data: bytes) -> bytes:
    quotes = [match.start() for match in re.finditer(b'"', data)] or [0]
    place = random.choice(quotes)
    return data[:place] + data[place + 1 :]


def _cut_off(random: Random, data: bytes) -> bytes:
    return data[: random.randrange(len(data) // 2, len(data))]


def _mixed_line_ends(random: Random, data: bytes) -> bytes:
    return re.sub(rb"\r?\n", lambda _: random.choice([b"\n", b"\r", b"\r\n"]), data)


def _shuffled(random: Random, data: bytes) -> bytes:
    start = random.randrange(len(data) - 30)
    part = list(data[start : start + 30])
    random.shuffle(part)
    return data[:start] + bytes(part) + data[start + 30 :]


def _twice(random: Random, data: bytes) -> bytes:
    """Two files in one, each with its header and its byte-order mark."""
    return b"\xef\xbb\xbf" + data + b"\xef\xbb\xbf" + data


MUTATORS: dict[str, Mutator] = {
    "a value too many": _on_lines(lambda line: b"extra," + line),
    "a delimiter missing": _on_lines(lambda line: re.sub(rb"[,;\t]", b"", line, count=1)),
    "other delimiters": _on_lines(lambda line: re.sub(rb"[,;\t]", b"|", line)),
    "delimiters at the end": _on_lines(lambda line: line.rstrip(b"\r\n") + b",,;\t\n"),
    "stray quotes": _inserted(b'"'),
    "a quote missing": _unquoted,
    "quotes that open": _on_lines(lambda line: b'"' + line),
    "blanks before quotes": _on_lines(lambda line: re.sub(rb'([,;\t])"', rb'\1 "', line)),
    "stray line ends": _inserted(b"\n"),
    "mixed line ends": _mixed_line_ends,
    "blank lines": _on_lines(lambda line: b"\n  \n" + line),
    "comments": _on_lines(lambda line: b'# a note, "with" \'quotes\n' + line),
    "backslashes": _inserted(b"\\"),
    "NUL": _inserted(b"\0"),
    "bytes of no character": _inserted(b"\xff\xc3"),
    "Western bytes": _inserted(b"\xe9"),
    "cut off": _cut_off,
    "shuffled": _shuffled,
    "two files in one": _twice,
    "a long line": _on_lines(lambda line: line.rstrip(b"\r\n") + b"x" * 3000 + b"\n"),
    "blank lines at the end": lambda random, data: data + b"\r\n\n\n\r",
}


def corpus() -> Iterator[tuple[str, bytes]]:
    """Each mutator on each file, alone and with two more after it."""
    for base, data in BASES.items():
        for name, mutator in MUTATORS.items():
            random = Random(f"{base} {name}")
            changed = mutator(random, data)
            yield f"{base}: {name}", changed
            others = random.sample(sorted(MUTATORS), 2)
            for other in others:
                changed = MUTATORS[other](random, changed)
            yield f"{base}: {name}, {', '.join(others)}", changed
