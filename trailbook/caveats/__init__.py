"""Caveats: what is in doubt, tracked through every plan. The rules are stated in docs/caveats.md."""
