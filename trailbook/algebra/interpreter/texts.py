"""Spark's functions of text in plain Python. None of them sees NULL."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from trailbook.algebra.interpreter.casts import to_text


@lru_cache(maxsize=1024)
def _like_pattern(pattern: str, escape: str, flags: int) -> re.Pattern[str]:
    pieces, characters = [], iter(pattern)
    for character in characters:
        if character == escape:
            pieces.append(re.escape(next(characters, "")))
        else:
            pieces.append({"%": ".*", "_": "."}.get(character) or re.escape(character))
    return re.compile("".join(pieces), re.DOTALL | flags)


def like(text: Any, pattern: str, escape: str = "\\") -> bool:
    return _like_pattern(pattern, escape, 0).fullmatch(to_text(text)) is not None


def ilike(text: Any, pattern: str, escape: str = "\\") -> bool:
    return _like_pattern(pattern, escape, re.IGNORECASE).fullmatch(to_text(text)) is not None


def rlike(text: str, pattern: str) -> bool:
    return re.search(pattern, text) is not None


def replaced_pattern(text: str, pattern: str, new: str) -> str:
    """With Java's `$1` for what a group matched."""
    return re.sub(pattern, re.sub(r"\$(\d)", r"\\\1", new), text)


def extracted(text: str, pattern: str, group: int = 1) -> str:
    found = re.search(pattern, text)
    return (found[group] or "") if found else ""


def substring(text: Any, position: int, length: int | None = None) -> str:
    """From 1; from the end if negative."""
    whole = to_text(text)
    start = position - 1 if position > 0 else len(whole) + position if position < 0 else 0
    end = len(whole) if length is None else start + length
    return whole[max(start, 0) : max(end, 0)]


def substring_index(text: str, separator: str, count: int) -> str:
    parts = text.split(separator) if separator else [""]
    return separator.join(parts[:count] if count >= 0 else parts[count:]) if count else ""


def split_part(text: str, separator: str, position: int) -> str:
    parts = text.split(separator) if separator else [text]
    index = position - 1 if position > 0 else len(parts) + position
    return parts[index] if 0 <= index < len(parts) else ""


def padded_left(text: str, length: int, pad: str = " ") -> str:
    return ((pad * length)[: max(length - len(text), 0)] + text)[: max(length, 0)]


def padded_right(text: str, length: int, pad: str = " ") -> str:
    return (text + (pad * length)[: max(length - len(text), 0)])[: max(length, 0)]


def translated(text: str, old: str, new: str) -> str:
    # Of a character given twice the first counts.
    return text.translate({ord(c): new[i] if i < len(new) else None for i, c in reversed(list(enumerate(old)))})


def located(part: str, text: str, start: int = 1) -> int:
    return text.find(part, start - 1) + 1 if start > 0 else 0


def lower(text: Any) -> str:
    return to_text(text).lower()


def upper(text: Any) -> str:
    return to_text(text).upper()


def length(text: Any) -> int:
    return len(to_text(text))


def levenshtein(left: str, right: str) -> int:
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


TEXTS: dict[str, Callable[..., Any]] = {
    "ascii": lambda text: ord(text[0]) if text else 0,
    "bit_length": lambda text: 8 * len(text.encode()),
    "btrim": lambda text, characters=" ": text.strip(characters),
    "char": lambda code: chr(code % 256),
    "char_length": length,
    "character_length": length,
    "chr": lambda code: chr(code % 256),
    "contains": lambda text, part: part in text,
    "crc32": lambda text: zlib.crc32(text.encode()),
    "endswith": str.endswith,
    "initcap": lambda text: " ".join(word.capitalize() for word in text.split(" ")),
    "ilike": ilike,
    "instr": lambda text, part: text.find(part) + 1,
    "lcase": lower,
    "left": lambda text, count: text[: max(count, 0)],
    "len": length,
    "length": length,
    "levenshtein": levenshtein,
    "like": like,
    "locate": located,
    "lower": lower,
    "lpad": padded_left,
    "ltrim": lambda *arguments: arguments[-1].lstrip(*arguments[:-1] or " "),
    "md5": lambda text: hashlib.md5(text.encode()).hexdigest(),
    "octet_length": lambda text: len(text.encode()),
    "position": located,
    "regexp": rlike,
    "regexp_extract": extracted,
    "regexp_like": rlike,
    "regexp_replace": replaced_pattern,
    "repeat": lambda text, count: text * count,
    "replace": lambda text, old, new="": text.replace(old, new) if old else text,
    "right": lambda text, count: text[-count:] if count > 0 else "",
    "rlike": rlike,
    "rpad": padded_right,
    "rtrim": lambda *arguments: arguments[-1].rstrip(*arguments[:-1] or " "),
    "sha1": lambda text: hashlib.sha1(text.encode()).hexdigest(),
    "sha2": lambda text, bits: hashlib.new(f"sha{bits or 256}", text.encode()).hexdigest(),
    "space": lambda count: " " * count,
    "split": lambda text, pattern: re.split(pattern, text),
    "split_part": split_part,
    "startswith": str.startswith,
    "substr": substring,
    "substring": substring,
    "substring_index": substring_index,
    "translate": translated,
    "trim": lambda text: text.strip(" "),
    "ucase": upper,
    "upper": upper,
}
