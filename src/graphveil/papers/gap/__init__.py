"""GAP and LPGNet: the steps of two published methods of learning on graphs that read edges."""
