"""Formats of files, one file each: plain functions that give Arrow, in a Spark task or for a preview."""
