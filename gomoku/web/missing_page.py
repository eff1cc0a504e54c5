"""The page for an address where nothing is, in both languages, without a script."""

from __future__ import annotations

from html import escape

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not here · Gomoku</title>
<link rel="icon" href="/static/icon.svg">
<link rel="stylesheet" href="/static/colours.css">
<link rel="stylesheet" href="/static/api.css">
</head>
<body>
<header><a href="/"><img src="/static/icon.svg" alt="" width="28" height="28"> Gomoku</a></header>
<main>
<h1>There is nothing at <code>{place}</code></h1>
<p><a href="/play">Play</a> · <a href="/puzzles">Puzzles</a> · <a href="/analysis">Analysis</a> ·
<a href="/api/">API for programs</a></p>
<div lang="zh">
<h2><code>{place}</code> 处没有内容</h2>
<p><a href="/play">对局</a> · <a href="/puzzles">残局</a> · <a href="/analysis">分析</a> ·
<a href="/api/">程序接口</a></p>
</div>
</main>
</body>
</html>
"""
LONGEST_SHOWN = 200


def missing_page(place: str) -> str:
    """Return the page for a path."""
    return PAGE.format(place=escape(place[:LONGEST_SHOWN]))
