"""The steps by which tables come about, in order."""
