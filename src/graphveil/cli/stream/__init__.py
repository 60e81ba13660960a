"""The commands of `graphveil stream`."""
