"""The queries of a session as methods, one for each name."""
