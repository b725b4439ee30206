"""Versions of notebooks, and running what they say."""
