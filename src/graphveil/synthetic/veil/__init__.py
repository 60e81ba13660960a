"""Our generator: few statistics measured well, then a graph fitted to them (`synthetic.veil.veil`)."""
