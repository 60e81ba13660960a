"""The service of one party: leader, helper or dealer, each with its own database, keys and operator."""
