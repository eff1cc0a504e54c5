"""What a match looks like: tables for people, and the same as JSON. No figure without the games it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from arena.entrants import Entrant
from arena.statistics import Estimate, Sprt, Tally, elo, holm, normalised_elo, p_value, signed, superiority

if TYPE_CHECKING:
    from arena.standings import Standings

Json = dict[str, Any]

SIGNIFICANT = 0.05
"""The p-value, corrected for many comparisons, below which a difference is called one."""

_LEAST_NAME = 16
_GAP = 2


def duel_json(tally: Tally) -> Json:
    """Everything that is known of one player against another."""
    chance = superiority(tally)
    return {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "pairs": list(tally.pairs),
        "openings": len(tally.openings) or sum(tally.pairs),
        "score": None if tally.score is None else round(tally.score, 4),
        "elo": elo(tally).json(),
        "nelo": normalised_elo(tally).json(),
        "superiority": None if chance is None else round(chance, 4),
    }


def pairings_json(standings: Standings, names: Sequence[str]) -> list[Json]:
    """Every pairing as :func:`duel_json` has it, with p-values, by itself and corrected for the number of pairings."""
    tallies = [standings.tally(*meeting) for meeting in standings.plan.pairings]
    rows: list[Json] = [
        {"players": [names[first], names[second]], **duel_json(tally), "p": p_value(tally)}
        for (first, second), tally in zip(standings.plan.pairings, tallies, strict=True)
    ]
    return corrected(rows)


def corrected(rows: list[Json]) -> list[Json]:
    """Comparisons with p-values that hold for all of them together, and which differences are significant by them."""
    known = [row for row in rows if row["p"] is not None]
    for row, value in zip(known, holm([row["p"] for row in known]), strict=True):
        row["p_holm"] = value
    for row in rows:
        row.setdefault("p_holm", None)
        row["significant"] = row["p_holm"] is not None and row["p_holm"] < SIGNIFICANT
    return rows


def match_json(standings: Standings, sprt: Sprt | None = None) -> Json:
    """A match as JSON: players with their ratings, every pairing, how games ended, and the test if there is one."""
    names = standings.plan.names
    totals = [standings.total(index) for index in range(len(names))]
    return {
        "games": standings.games,
        "planned": standings.plan.games,
        "rule": standings.plan.openings[0].rule.value,
        "rows": standings.plan.openings[0].rows,
        "cols": standings.plan.openings[0].cols,
        "players": [
            {
                "player": name,
                "given": given,
                "games": total.games,
                "wins": total.wins,
                "draws": total.draws,
                "losses": total.losses,
                "rating": rating.json(),
                "time": used.json() if standings.plan.is_timed else None,
            }
            for name, given, total, rating, used in zip(
                names, standings.plan.players, totals, standings.ratings(), standings.times, strict=True
            )
        ],
        "pairings": pairings_json(standings, names),
        "reasons": dict(sorted(standings.reasons.items())),
        "sprt": standings.judge(sprt).json() if sprt else None,
    }


def show(view: Group) -> None:
    """Print tables; a terminal too narrow for their figures and the beginnings of names gets longer lines instead."""
    console = Console()
    tables = [part for part in view.renderables if isinstance(part, Table)]
    console.width = max([console.width, *map(_least_width, tables)])
    console.print(view)


def _least_width(table: Table) -> int:
    widths = []
    for column in table.columns:
        longest = max(cell_len(str(cell)) for cell in (column.header, *column.cells))
        widths.append(longest if column.no_wrap else min(longest, _LEAST_NAME))
    return sum(widths) + _GAP * (len(widths) - 1)


def match_view(standings: Standings, sprt: Sprt | None = None) -> Group:
    """A match as tables."""
    parts: list[RenderableType] = []
    if len(standings.plan.players) > 2:
        parts += [_ranking(standings), Text(), _crosstable(standings), Text()]
    else:
        parts += [_duel(standings)]
    if standings.plan.is_timed:
        parts.append(_times(standings))
    if sprt is not None:
        parts.append(Text(f"SPRT      {standings.judge(sprt)}"))
    parts.append(Text(ended(standings), style="dim"))
    return Group(*parts)


def _ranking(standings: Standings) -> Table:
    table = _table("#", "player", "Elo", "95 % interval", "games", "won", "drawn", "lost", "score")
    rated = sorted(
        enumerate(standings.ratings()), key=lambda item: (item[1].value is None, -(item[1].value or 0.0), item[0])
    )
    for place, (index, rating) in enumerate(rated, 1):
        total = standings.total(index)
        table.add_row(str(place), standings.plan.names[index], *rating_cells(rating), *_results(total))
    return table


def _crosstable(standings: Standings) -> Table:
    table = _table("player", "against", "Elo", "95 % interval", "games", "score", "")
    names = standings.plan.names
    for (first, second), found in zip(standings.plan.pairings, pairings_json(standings, names), strict=True):
        tally = standings.tally(first, second)
        score = "-" if tally.score is None else f"{tally.score:.1%}"
        verdict = "" if found["significant"] or not tally.games else "not significant"
        table.add_row(names[first], names[second], *rating_cells(elo(tally)), str(tally.games), score, verdict)
    return table


def _duel(standings: Standings) -> Table:
    """One player against another, one fact a line."""
    tally = standings.tally(0, 1)
    first, second = standings.plan.names[:2]
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("players", Text.assemble((first, "bold"), " against ", (second, "bold")))
    score = "" if tally.score is None else f" ({tally.score:.1%})"
    table.add_row("games", f"{tally.games}: {tally.wins} won, {tally.draws} drawn, {tally.losses} lost{score}")
    if not tally.games:
        return table
    shared = f", on {len(tally.openings)} openings" if tally.openings else ""
    table.add_row("pairs", f"{' '.join(map(str, tally.pairs))}  with 0, ½, 1, 1½, 2 points{shared}")
    table.add_row("Elo", str(elo(tally)).replace(" Elo", ""))
    table.add_row("nElo", str(normalised_elo(tally)).replace(" nElo", ""))
    if (chance := superiority(tally)) is not None:
        table.add_row("stronger", f"with a likelihood of {chance:.1%}")
    return table


def _times(standings: Standings) -> Table:
    """What the moves of each player took; marked where it was more than was granted."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(no_wrap=True)
    for name, used in zip(standings.plan.names, standings.times, strict=True):
        if used.moves:
            table.add_row("time", name, Text(str(used), "bold" if used.overruns else ""))
    return table


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        words = column in ("player", "against")
        table.add_column(column, justify="left" if words else "right", overflow="fold", no_wrap=not words)
    return table


def rating_cells(rating: Estimate) -> tuple[str, str]:
    """A rating and its interval as two cells of a table."""
    if rating.value is None:
        return "-", "-"
    return signed(rating.value), f"{signed(rating.low)} to {signed(rating.high)}"


def _results(tally: Tally) -> tuple[str, ...]:
    score = "-" if tally.score is None else f"{tally.score:.1%}"
    return str(tally.games), str(tally.wins), str(tally.draws), str(tally.losses), score


def ended(standings: Standings) -> str:
    """How the games ended, most frequent first, and of each fault the first example."""
    counted = sorted(standings.reasons.items(), key=lambda item: (-item[1], item[0]))
    ends = ", ".join(f"{reason} {count}" for reason, count in counted) or "none"
    lines = [f"{standings.games} of {standings.plan.games} games; ended by: {ends}"]
    for reason, _ in counted:
        if reason not in SOUND and (record := _first(standings, reason)):
            lines.append(f"{reason}, first in game {record['unit'] + 1}: {_blame(record)}")
    return "\n".join(lines)


SOUND = ("five", "full", "length", "proof", "resign", "agreed")
"""The ends of games in which nobody did anything wrong."""


def _first(standings: Standings, reason: str) -> Json | None:
    return next((record for _, record in sorted(standings.records.items()) if record["reason"] == reason), None)


def _blame(record: Json) -> str:
    colour, colon, what = record.get("detail", "").partition(": ")
    return (
        f"{Entrant.parse(record[colour]).name}: {what}"
        if colon and colour in ("black", "white")
        else record.get("detail", "")
    )
