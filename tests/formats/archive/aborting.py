"""Run as a process of its own: comes to the end that some lies in Parquet bring about."""

from __future__ import annotations

import os

os.abort()
