"""Several statistics from the same reports: one campaign, one budget, one guarantee."""
