"""Where the heavy operations on edges run: in this process, or on Spark."""
