"""GS-LDP (Fu et al. 2024): its algorithms, its baselines and its figures."""
