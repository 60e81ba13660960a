"""`python -m graphveil` is the `graphveil` command."""

from graphveil.cli import main

if __name__ == "__main__":
    main()
