"""Private measurements of graphs with their proofs, shared by central queries and synthesizers."""
