"""Anonymity of tables of people's attributes: k-anonymity, l-diversity, t-closeness."""
