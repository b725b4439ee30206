"""The columns of a raw table besides those of the file, which are called `c0`, `c1` and so on."""

from __future__ import annotations

LINE = "__line"
"""The number of the line, or of the record; NULL where any number of records is lost."""
PROBLEM = "__problem"
"""What is wrong with the record, in words; NULL for most."""
LEFT_OUT = "__left_out"
"""Whether it was taken for no row."""
