"""Places that datasets are written to."""
