"""Notebooks as files: one file a format, each a pair of pure functions between text and a document."""
