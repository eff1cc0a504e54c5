"""The web board: a stateless JSON API and one static page.

>>> from gomoku.web.settings import Settings
>>> Settings(searches=1).max_seconds
10.0
"""
