"""The words of Trailbook as frozen values: what is stored, sent over the wire and passed between layers."""
