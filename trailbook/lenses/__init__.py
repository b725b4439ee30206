"""Cleaning operators that guess, and say so with caveats."""
