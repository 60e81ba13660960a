"""Campaigns whose answers two servers add up, so that neither of them sees a friend list."""
