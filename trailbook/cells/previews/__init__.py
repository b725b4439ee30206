"""A look at a file before it is loaded: how it would be read, its first rows, and what would be in doubt of them."""
