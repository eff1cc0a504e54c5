"""The commands of the ``gomoku`` program, a module each."""
