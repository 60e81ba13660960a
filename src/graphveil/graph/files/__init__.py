"""One module for each file format, and the steps they share. Start at `read` and `write`."""
