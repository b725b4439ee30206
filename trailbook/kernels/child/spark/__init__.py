"""The cell's own Spark session."""
