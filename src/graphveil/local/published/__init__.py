"""Collection protocols as their papers publish them, for study and audits; their claims are checked, not trusted."""
