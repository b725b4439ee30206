"""The formats, a file each."""
