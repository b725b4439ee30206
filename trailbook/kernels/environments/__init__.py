"""Interpreters with the packages that notebooks name."""
