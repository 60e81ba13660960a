"""Random graphs: by model, by degrees, by joint degrees."""
