"""Players: what a spec means, what the registry refuses, and what every player promises."""

from __future__ import annotations

import pytest

from gomoku_patterns.errors import LimitError, PlayerError
from search.players import (
    Option,
    Player,
    describe_players,
    parse_spec,
    player,
    player_names,
    register_player,
    tightened,
    unregister_player,
)
from search.result import Limit, SearchResult


class Corner(Player):
    """Plays the first empty cell, however often it is asked."""

    kind = "corner"
    summary = "First empty cell."
    options = (
        Option("times", int, 1, "how often", least=1, most=9),
        Option("share", float, 0.5, "a part", least=0),
        Option("bold", bool, False, "boldly"),
        Option("mood", str, "calm", "how it feels", choices=("calm", "wild")),
        Option("near", int, 2, "distance", least=1, none="off"),
        Option("table", object, "grade_dict", "a table"),
    )

    def search(self, board, limit=None, *, cancel=None, progress=None):
        return SearchResult(move=board.empties()[0], score=0)


@pytest.fixture
def corner():
    register_player("corner", Corner)
    yield
    unregister_player("corner")


def test_a_spec_is_a_name_and_options():
    assert parse_spec("minmax") == ("minmax", {})
    assert parse_spec(" minmax : depth = 5 , width=off ") == ("minmax", {"depth": "5", "width": "off"})


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("", "expected a player such as 'minmax'"),
        (None, "found None"),
        ("grandmaster", "expected a player, one of random"),
        ("corner:", "key=value"),
        ("corner:times", "found 'times'"),
        ("corner:times=1,times=2", "'times' twice"),
        ("corner:tiems=1", "one of times, share, bold, mood, near, table, found 'tiems'"),
        ("corner:times=0", "times of player 'corner' to be a whole number from 1 to 9, found '0'"),
        ("corner:times=1.5", "found '1.5'"),
        ("corner:share=nan", "a number from 0, found 'nan'"),
        ("corner:bold=perhaps", "yes or no, found 'perhaps'"),
        ("corner:mood=sad", "calm or wild, found 'sad'"),
        ("corner:near=close", "a whole number from 1 or off, found 'close'"),
        ("corner:times=off", "found 'off'"),
    ],
)
@pytest.mark.usefixtures("corner")
def test_a_bad_spec_is_refused_in_one_line_that_says_what_is_known(spec, complaint):
    with pytest.raises(PlayerError) as caught:
        player(spec)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("corner")
def test_the_canonical_name_is_in_declared_order_with_one_spelling():
    chosen = player("corner:near=off,bold=TRUE,share=0.50,times=03")
    assert chosen.name == "corner:times=3,share=0.5,bold=yes,near=off"
    assert player(chosen.name).settings == chosen.settings
    assert player("corner").name == "corner"


@pytest.mark.usefixtures("corner")
def test_options_may_be_python_values():
    class Mine:
        name = "mine"

    table = Mine()
    chosen = player("corner:times=3", times=4, near=None, table=table)
    assert chosen.settings["times"] == 4
    assert chosen.settings["table"] is table
    assert chosen.name == "corner:times=4,near=off,table=mine"
    with pytest.raises(PlayerError):
        player("corner", times=True)


@pytest.mark.usefixtures("corner")
def test_a_name_is_registered_once():
    assert "corner" in player_names()
    for taken in ("corner", "random", "", "a b", "a:b"):
        with pytest.raises(PlayerError):
            register_player(taken, Corner)


def test_a_plain_function_can_be_a_factory():
    register_player("plain", lambda times=2: Corner(times=times), options=Corner.options[:1], summary="Made.")
    try:
        chosen = player("plain:times=5")
        assert (chosen.name, chosen.settings["times"]) == ("plain:times=5", 5)
    finally:
        unregister_player("plain")


def test_a_factory_has_to_make_a_player():
    register_player("brick", object)
    try:
        with pytest.raises(PlayerError, match="to make a Player"):
            player("brick")
    finally:
        unregister_player("brick")


def test_installed_packages_bring_players(monkeypatch):
    from importlib.metadata import EntryPoint

    points = [
        EntryPoint("installed", f"{__name__}:Corner", "gomoku_patterns.players"),
        EntryPoint("broken", "no_such_module:X", "gomoku_patterns.players"),
    ]
    monkeypatch.setattr("search.players.entry_points", lambda group: points)
    monkeypatch.setattr(EntryPoint, "load", lambda self: Corner if self.name == "installed" else __import__("nope_"))
    assert {"installed", "broken"} <= set(player_names())
    assert player("installed:times=2").name == "installed:times=2"
    with pytest.raises(PlayerError, match="expected player 'broken' to load from 'no_such_module:X'"):
        player("broken")


def test_limits_and_settings_tighten_each_other():
    assert tightened(Limit(seconds=1), depth=5) == Limit(depth=5, seconds=1)
    assert tightened(Limit(depth=3), depth=5) == Limit(depth=3)
    assert tightened(None, depth=5) == Limit(depth=5)
    with pytest.raises(LimitError):
        tightened(None)


def test_every_player_says_what_it_is_and_rebuilds_from_its_name():
    for info in describe_players():
        assert info.summary.endswith(".")
        assert all(option.help for option in info.options)
        assert player(player(info.name).name).name == info.name
