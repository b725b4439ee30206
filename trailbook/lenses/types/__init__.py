"""What columns of text hold: found by a vote of their values, and read so that every guess is a caveat."""
