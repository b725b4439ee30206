"""Data frames as datasets, and back as they were."""
