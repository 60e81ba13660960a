"""Attributes of people, and what edges say of them: groups, their sizes, and how they mix."""
