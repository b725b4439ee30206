"""What a cell shows, and as what."""
