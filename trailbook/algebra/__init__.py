"""Queries taken apart: plans of relational operators, from SQL and back to it."""
