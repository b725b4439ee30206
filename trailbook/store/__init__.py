"""The store: a metadata database and immutable artifact files, in one data directory."""
