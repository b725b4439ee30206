"""Text tables with separators: what they mean, and reading them without losing a byte. Knows nothing of Spark."""
