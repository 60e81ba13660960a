"""The same statistics every period of one changing graph, from one budget."""
