"""Isolated runtimes for the cells that hold code."""
