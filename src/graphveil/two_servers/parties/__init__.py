"""Two servers and a dealer as parties: what they agree on, in which order they speak, and what they say."""
