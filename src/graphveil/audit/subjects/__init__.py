"""What can be audited by name."""
