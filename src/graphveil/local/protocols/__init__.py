"""One collection protocol a page."""
