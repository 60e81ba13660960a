"""Attacks on published graphs and tables: what somebody who knows a little can find out, against plain guessing."""
