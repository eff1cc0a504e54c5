"""A ladder's result as tables: one for each thing that was measured, and one of everything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena.sheets import NOTHING, Entry, Sheet, best_marked
from arena.statistics import signed, wilson
from arena.time_used import OVERRUN
from gomoku_patterns.quantities import short_number

Json = Mapping[str, Any]

LIMITS = {"nodes": "at equal nodes", "seconds": "at equal time"}
SPEEDS = {"scores": "scores/s", "batch": "batch scores/s", "plays": "plays/s"}
_TOPS = {"top1": "top 1", "top5": "top 5", "top10": "top 10"}
_BEST = "Bold: the best, where its 95 % interval lies above all others."


def sheets(result: Json) -> list[Sheet]:
    """All tables of what was measured."""
    found = [overview_sheet(result), *(games_sheet(result, by) for by in result["games"])]
    found += [pairings_sheet(result, by) for by in result["games"]]
    if any(row["ordering"] for row in result["evaluators"]):
        found.append(ordering_sheet(result))
        found += [bands_sheet(result)] if len(result["suite"]["bands"]) > 1 else []
    found += [levels_sheet(result)] if _tried(result) else []
    found += [speed_sheet(result)] if any(row["speed"] for row in result["evaluators"]) else []
    return found


def _tried(result: Json) -> bool:
    return any(level["tried"] for row in result["evaluators"] for level in row["levels"])


def granted(result: Json, by: str) -> str:
    """What a move may take, in words."""
    limit = result["games"][by]["limit"]
    return f"{limit:,} nodes a move" if by == "nodes" else f"{1000 * limit:g} ms a move"


# ------------------------------------------------------------------ entries


def _share(figure: Json | None, pattern: str = "{:.1%}") -> Entry:
    if figure is None:
        return NOTHING
    low, high = figure["low"], figure["high"]
    return Entry(pattern.format(figure["value"]), figure["value"], low, high, _range(low, high, pattern))


def _range(low: float, high: float, pattern: str) -> str:
    return f"{pattern.format(low).removesuffix('%')}–{pattern.format(high)}"


def rating_entry(rating: Json, lead: float = 0.0) -> Entry:
    """Elo with its interval; what is not known is infinite, a value to the side of the lead."""
    if not rating["games"]:
        return NOTHING
    value, low, high = rating["value"], rating["low"], rating["high"]
    text = signed(value) if value is not None else "-∞" if lead < 0 else "+∞"
    ends = f"{'-∞' if low is None else signed(low)} to {'+∞' if high is None else signed(high)}"
    return Entry(text, value, _number(low, -1), _number(high, 1), ends)


def _marked_rating(games: Json) -> Entry:
    found = rating_entry(games["rating"])
    return replace(found, text=f"{found.text} {OVERRAN}") if overruns(games) else found


def _number(value: float | None, side: int) -> float:
    return side * float("inf") if value is None else value


def _speed(row: Json, key: str) -> Entry:
    figure = (row["speed"] or {}).get(key)
    if figure is None:
        return NOTHING
    ends = f"{short_number(figure['low'])}–{short_number(figure['high'])}"
    return Entry(short_number(figure["median"]), figure["median"], figure["low"], figure["high"], ends)


def _won(row: Json, place: int, budget: int) -> Entry:
    level = row["levels"][place]
    if not level["tried"]:
        return NOTHING
    won = level["won"][str(budget)]
    low, high = wilson(won, level["tried"])
    return Entry(f"{won / level['tried']:.0%}", won / level["tried"], low, high, _range(low, high, "{:.0%}"))


def _results(counts: Sequence[int]) -> str:
    return "-".join(map(str, counts))


# ------------------------------------------------------------------ the tables


def overview_sheet(result: Json) -> Sheet:
    """One row for each evaluator with what matters most."""
    columns = ["evaluator", *(f"Elo {LIMITS[by]}" for by in result["games"]), "top 1", "MRR"]
    searches = result["settings"]["searches"]
    most = max(result["settings"]["budgets"])
    columns += [f"levels, {search}" for search in searches]
    columns += ["scores/s"] if any(row["speed"] for row in result["evaluators"]) else []
    rows = []
    for row in result["evaluators"]:
        entries = [Entry(row["evaluator"])]
        entries += [_marked_rating(row["games"][by]) for by in result["games"]]
        ordering = row["ordering"] or {}
        entries += [_share(ordering.get("top1")), _share(ordering.get("mrr"), "{:.3f}")]
        entries += [_won(row, place, most) for place in range(len(searches))]
        entries += [_speed(row, "scores")] if "scores/s" in columns else []
        rows.append(entries)
    marked = best_marked(rows, range(1, len(columns)))
    late = next((said for by in result["games"] if (said := _overruns(result, by))), "")
    notes = (
        f"Elo is relative to the mean. {late}Levels: the share won within {most:,} nodes a move. Below each figure its "
        f"95 % interval, for speeds the quartiles. {_BEST}"
    )
    return Sheet("overview", "All evaluators", tuple(columns), marked, notes)


def games_sheet(result: Json, by: str) -> Sheet:
    """What each evaluator made of its games."""
    games = result["games"][by]
    columns = ["evaluator", "Elo", "games", "won-drawn-lost", "points", "as black", "as white", "stones a game"]
    is_timed = any(row["games"][by]["time"] for row in rated(result, by))
    columns += ["ms a move"] if is_timed else []
    rows: list[tuple[Entry, ...]] = []
    for row in rated(result, by):
        found = row["games"][by]
        length = found["length"]
        if not found["games"]:
            rows.append((Entry(row["evaluator"]), *[NOTHING] * (len(columns) - 1)))
            continue
        rows.append(
            (
                Entry(row["evaluator"]),
                rating_entry(found["rating"]),
                Entry(str(found["games"]), found["games"]),
                Entry(_results((found["wins"], found["draws"], found["losses"]))),
                Entry(f"{found['score']:.1%}", found["score"]),
                Entry(_results(found["as_black"])),
                Entry(_results(found["as_white"])),
                Entry(f"{length['median']:g}", length["median"], note=f"{length['low']:.0f}–{length['high']:.0f}"),
                *([_time(found["time"])] if is_timed else []),
            )
        )
    notes = (
        f"{_search(result)} at {granted(result, by)}; {games['games']} games, of which black won {games['black']}, "
        f"white {games['white']} and {games['draws']} were drawn. Elo is relative to the mean, with 95 % intervals "
        f"over the {games['openings']} openings that all pairings share; stones a game: median and quartiles. "
        + (f"Ms a move: the mean and the longest. {_overruns(result, by)}" if is_timed else "")
        + _BEST
    )
    name = "games" if by == "nodes" else "games_time"
    return Sheet(name, f"Games {LIMITS[by]}", tuple(columns), best_marked(rows, (1,)), notes)


OVERRAN = "†"
"""The mark of a player that took more time than it was granted."""


def _time(used: Json) -> Entry:
    if used["mean"] is None:
        return NOTHING
    mark = f" {OVERRAN}" if used["overruns"] else ""
    return Entry(f"{1000 * used['mean']:.3g}{mark}", 1000 * used["mean"], note=f"at most {1000 * used['most']:.3g}")


def overruns(games: Json) -> bool:
    """Return whether an evaluator's moves took longer than they were granted."""
    return bool(games["time"] and games["time"]["overruns"])


def _overruns(result: Json, by: str) -> str:
    """Return what a reader has to know of those; nothing where nobody overran."""
    if not any(overruns(row["games"][by]) for row in rated(result, by)):
        return ""
    return f"{OVERRAN} On average more than {OVERRUN:.0%} over the time granted: not at equal time. "


def _search(result: Json) -> str:
    return str(result["settings"]["game_search"])


def rated(result: Json, by: str) -> list[Json]:
    """The evaluators with the games of one round robin, best first."""
    rows = [row for row in result["evaluators"] if by in row["games"]]
    known = [row for row in rows if row["games"][by]["rating"]["value"] is not None]
    ranked = sorted(known, key=lambda row: -row["games"][by]["rating"]["value"])
    return [*ranked, *(row for row in rows if row not in known)]


def pairings_sheet(result: Json, by: str) -> Sheet:
    """Every two evaluators, with what is left of the difference after correction for many comparisons."""
    columns = ("first", "second", "games", "won-drawn-lost", "points", "Elo", "p", "p, corrected", "verdict")
    rows = []
    for pairing in result["games"][by]["pairings"]:
        if not pairing["games"]:
            continue
        rows.append(
            (
                *map(Entry, pairing["players"]),
                Entry(str(pairing["games"]), pairing["games"]),
                Entry(_results((pairing["wins"], pairing["draws"], pairing["losses"]))),
                Entry(f"{pairing['score']:.1%}", pairing["score"]),
                rating_entry(pairing["elo"], pairing["score"] - 0.5),
                Entry(p_text(pairing["p"]), pairing["p"]),
                Entry(p_text(pairing["p_holm"]), pairing["p_holm"]),
                Entry(_verdict(pairing)),
            )
        )
    notes = (
        f"{_search(result)} at {granted(result, by)}. Elo with its 95 % interval and p for each pairing by itself, as "
        "gomoku match gives them; p, corrected, holds for all pairings together (Holm), and the verdict rests on it."
    )
    name = "pairings" if by == "nodes" else "pairings_time"
    return Sheet(name, f"Pairings {LIMITS[by]}", columns, tuple(rows), notes, words=2)


def _verdict(pairing: Json) -> str:
    if not pairing["significant"]:
        return "open"
    return str(pairing["players"][0 if pairing["score"] > 0.5 else 1])


def p_text(value: float) -> str:
    """A p-value to two figures."""
    return "< 0.0001" if value < 1e-4 else f"{value:.2g}" if value < 0.1 else f"{value:.2f}"


def ordering_sheet(result: Json) -> Sheet:
    """How each evaluator orders moves."""
    columns = ("evaluator", "positions", *_TOPS.values(), "MRR")
    rows = []
    for row in result["evaluators"]:
        found = row["ordering"]
        if not found:
            rows.append((Entry(row["evaluator"]), *[NOTHING] * 5))
            continue
        shares = [_share(found[key]) for key in _TOPS]
        positions = Entry(f"{found['levels']:,}", found["levels"])
        rows.append((Entry(row["evaluator"]), positions, *shares, _share(found["mrr"], "{:.3f}")))
    notes = (
        f"{result['suite']['title']}. How often a move that is proven to win is among an evaluator's first 1, 5 and "
        "10, with Wilson's 95 % intervals; MRR is the mean of one over its rank. Moves of equal gain share their "
        f"places: what counts is the expectation over their orders. {_open_orderings(result)} {_BEST}"
    )
    return Sheet("ordering", "Ordering of moves", columns, best_marked(rows, range(2, 6)), notes)


def _open_orderings(result: Json) -> str:
    found = result["ordering"]
    if not found:
        return ""
    unsure = [" and ".join(one["evaluators"]) for one in found if not one["significant"]]
    told = f"not told apart: {', '.join(unsure)}" if unsure else "all pairs are told apart"
    return f"Sign test on the same positions, corrected for {len(found)} pairs (Holm): {told}."


def bands_sheet(result: Json) -> Sheet:
    """The first choice in each band of difficulty."""
    bands = [str(band) for band in result["suite"]["bands"]]
    rows = []
    for row in result["evaluators"]:
        parts = (row["ordering"] or {}).get("bands", {})
        rows.append(
            (Entry(row["evaluator"]), *(_share((parts.get(band) or {}).get("top1"), "{:.0%}") for band in bands))
        )
    counts = [max((row["ordering"]["bands"].get(band, {}).get("levels", 0) for row in result["evaluators"]
                   if row["ordering"]), default=0) for band in bands]  # fmt: skip
    notes = (
        "The share of positions whose first choice is proven to win, with Wilson's 95 % intervals; positions in "
        f"bands {', '.join(bands)}: {', '.join(map(str, counts))}. {_BEST}"
    )
    columns = ("evaluator", *(f"band {band}" for band in bands))
    return Sheet("bands", "First choices by difficulty", columns, best_marked(rows, range(1, len(columns))), notes)


def _parts(row: Json) -> Json:
    """What is known of the bands."""
    found: Json = (row["ordering"] or {}).get("bands", {})
    return found


def levels_sheet(result: Json) -> Sheet:
    """The levels that each search won with each evaluator."""
    searches, budgets = result["settings"]["searches"], result["settings"]["budgets"]
    columns = ("evaluator", "search", *(f"{budget:,} nodes" for budget in budgets))
    rows: list[Sequence[Entry]] = []
    for place, search in enumerate(searches):
        part = [
            (Entry(row["evaluator"]), Entry(search), *(_won(row, place, budget) for budget in budgets))
            for row in result["evaluators"]
            if row["levels"][place]["tried"]
        ]
        rows += best_marked(part, range(2, len(columns)))
    lost = sum(len(level.get("lost", ())) for row in result["evaluators"] for level in row["levels"])
    notes = (
        f"The share of {result['suite']['levels']:,} levels of {result['suite']['title']} won against the most "
        "stubborn defence within so many nodes a move, with Wilson's 95 % intervals. Bold: the best with its search, "
        "where its interval lies above all others."
        + (f" Attempts that are not counted because every worker died: {lost}." if lost else "")
    )
    return Sheet("levels", "Levels won", columns, tuple(map(tuple, rows)), notes, words=2)


def speed_sheet(result: Json) -> Sheet:
    """Operations a second."""
    rows = [
        (Entry(row["evaluator"]), Entry(kind(row)), *(_speed(row, key) for key in SPEEDS))
        for row in result["evaluators"]
    ]
    side = result["settings"]["size"]
    measured = next((row["speed"] for row in result["evaluators"] if row["speed"]), {"boards": 0, "stones": 0})
    notes = (
        f"Operations in a second of processor time, from Python on one thread, over {measured['boards']} positions of "
        f"{measured['stones']} stones on {side}x{side}: the median of many rounds, with the quartiles. Bold: the "
        "fastest, where its quartiles lie above all others."
    )
    columns = ("evaluator", "kind", *SPEEDS.values())
    return Sheet("speed", "Speed", columns, best_marked(rows, range(2, 5)), notes, words=2)


def kind(row: Json) -> str:
    """What an evaluator is made of."""
    count = row["patterns"]
    return str(row["kind"]) + (f" of {count} {'pattern' if count == 1 else 'patterns'}" if count else "")
