"""Whole projects as one file: a zip archive of records, as lines of JSON, and of the artifacts byte for byte.

`export.py` writes one from a snapshot of the store. `reading.py` opens one that anybody may have made, `checking.py`
and `contents.py` believe nothing of it, and `importing.py` makes a project of it: all of it or nothing.
"""
