"""What libraries keep to themselves between cells, and what they are told of being in a notebook."""
