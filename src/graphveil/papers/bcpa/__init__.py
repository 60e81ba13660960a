"""BCPA (Huang et al. 2019): its algorithms, its baselines and its figures."""
