"""Values of the notebook: packed, kept and loaded so that cells share them as in one process."""
