"""Executing cells on other machines: work goes out through Celery, the talk about each run through Redis."""
