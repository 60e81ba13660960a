"""Central model: one algorithm a page."""
