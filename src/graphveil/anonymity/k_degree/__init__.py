"""k-degree anonymity: graphs in which at least k people have each degree that occurs."""
