"""Friend suggestions that are computed on the device of the person who gets them."""
