"""How close a published graph is to the original. For the curator's eyes: nothing here is private."""
