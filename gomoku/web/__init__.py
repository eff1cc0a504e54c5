"""The web board: a stateless JSON API and one static page.

>>> from gomoku.web.bounds import ServerBounds
>>> ServerBounds(searches=1).max_seconds
10.0
"""
