"""Puzzle suites."""
