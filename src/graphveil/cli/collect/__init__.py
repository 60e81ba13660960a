"""The commands of `graphveil collect`."""
