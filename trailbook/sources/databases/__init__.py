"""Tables and queries of databases, read as they are into Parquet."""
