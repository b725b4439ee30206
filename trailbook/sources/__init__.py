"""Readers of data from outside, one file a format. All give a Spark DataFrame and say what they had to decide."""
