"""A good archive, opened up to be changed."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from io import BytesIO
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

Record = dict[str, Any]


class Tampered:
    """The entries of an archive by name. What is changed in the records is counted in the manifest."""

    def __init__(self, archive: bytes) -> None:
        with ZipFile(BytesIO(archive)) as zip:
            self.entries = {name: zip.read(name) for name in zip.namelist()}
        self.extra: list[tuple[ZipInfo, bytes]] = []
        self.method = ZIP_STORED
        self.large = ""
        """The entry that is written as large ones are."""

    def records(self, kind: str) -> list[Record]:
        return [json.loads(line) for line in self.entries[f"records/{kind}.jsonl"].splitlines()]

    def put(self, kind: str, records: list[Record]) -> None:
        lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        self.entries[f"records/{kind}.jsonl"] = "".join(lines).encode("utf-8", "surrogatepass")
        self.manifest(lambda manifest: manifest["records"].update({kind: len(records)}))

    def change(self, kind: str, change: Callable[[Record], object], index: int = 0) -> None:
        """Change one record of a kind."""
        records = self.records(kind)
        change(records[index])
        self.put(kind, records)

    def manifest(self, change: Callable[[Record], object]) -> None:
        manifest = json.loads(self.entries["manifest.json"])
        change(manifest)
        self.entries["manifest.json"] = json.dumps(manifest).encode()

    def add(self, name: str, content: bytes = b"x", mode: int = stat.S_IFREG | 0o644) -> None:
        """One more entry, whatever it is called."""
        info = ZipInfo("x" * len(name))
        info.filename = info.orig_filename = name
        info.external_attr = mode << 16
        self.extra.append((info, content))

    @property
    def file(self) -> str:
        """The entry of an artifact that is one file."""
        return next(name for name in self.entries if name.startswith("artifacts/") and name.count("/") == 1)

    @property
    def part(self) -> str:
        """The entry of a part of a dataset."""
        return next(name for name in self.entries if name.endswith("/part-00000.parquet"))

    def packed(self) -> bytes:
        out = BytesIO()
        with ZipFile(out, "w", self.method) as zip:
            for name, content in self.entries.items():
                with zip.open(name, "w", force_zip64=name == self.large) as entry:
                    entry.write(content)
            for info, content in self.extra:
                zip.writestr(info, content)
        return out.getvalue()
