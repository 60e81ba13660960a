"""The ledger: an append-only record of what was spent."""
