"""From perturbed reports to a distribution: post-processing only."""
