"""Trailbook: a notebook for data curation that leaves a trail."""

__version__ = "0.1.0"
