"""How datasets are written as Parquet."""

from __future__ import annotations

ROW_GROUP_ROWS = 65_536
"""Small row groups make pages quick: a reader decodes whole groups."""

PARQUET_WRITE_OPTIONS = {
    "compression": "zstd",
    "parquet.block.row.count.limit": str(ROW_GROUP_ROWS),
}
