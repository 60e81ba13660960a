"""The auditor: search, learn, test, bound."""
