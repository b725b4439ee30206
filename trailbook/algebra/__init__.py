"""Queries taken apart: what a text of SQL is, and what it reads."""
