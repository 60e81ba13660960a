"""Graph publication as papers describe it, for study and audits; their claims are checked, not trusted."""
