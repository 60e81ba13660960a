"""Graphs whose edges Spark keeps, and reports that it adds up. Needs the extra `spark` and Java 17."""
