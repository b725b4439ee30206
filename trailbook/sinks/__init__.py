"""Writers of datasets for the world outside, one file a format. All say what they had to decide."""
