"""The only place where randomness enters: noise sources, exact samplers, randomised response, selection."""
