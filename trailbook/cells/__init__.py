"""The kinds of cells, one file a kind."""
