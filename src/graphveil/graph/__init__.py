"""Graphs: the type, files in and out, exact statistics, projections, generators."""
