"""One module per file format, and the steps they share; `graph.read` and `graph.write` are the front doors."""
