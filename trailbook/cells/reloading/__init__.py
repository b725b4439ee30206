"""A source that is loaded anew: what changed since the last time, with the rows known again."""
