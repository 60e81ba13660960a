"""How outputs of any kind become rows of numbers."""
