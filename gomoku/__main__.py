"""``python -m gomoku`` is the ``gomoku`` command."""

from gomoku.cli import main

if __name__ == "__main__":
    main()
