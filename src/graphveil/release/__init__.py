"""Sessions, releases and the registry: the only way from a private graph to a published number."""
