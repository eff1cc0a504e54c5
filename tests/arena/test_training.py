"""Training: gradients are those of the loss, the same data gives the same weights, whole numbers say the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.training import (
    TRAIN,
    VALIDATION,
    Positions,
    Trainer,
    TrainingOptions,
    clustered_error,
    factor_numbers,
    half_interval,
    new_learner,
    read_data,
)
from gomoku_patterns import ArenaError, Board, parse_table
from gomoku_patterns.codes import code_rows, row_count, window_code
from gomoku_patterns.evaluator import as_evaluator
from tests.learned import COLS, ROWS, total_loss, write_games


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    write_games(folder)
    return folder


def test_gradients_of_the_head_are_those_of_the_loss(folder):
    trainer = Trainer(read_data([folder]), TrainingOptions(threads=1, policy_weight=0.5))
    numbers, learner = trainer.data.numbers(TRAIN)[:40], trainer.model.learner
    total_loss(trainer, numbers, learn=True)
    before = learner.head.copy()
    learner.update(trainer.model.workers, 1e-9, 1)
    gradient = learner.head_first / 0.1
    assert np.abs(learner.head - before).max() < 1e-8
    for place in (0, 5, 33, 700, 1056, 1070, 1090, 1119, 1120, 1151, 1152):
        losses = []
        for step in (0.02, -0.02):
            learner.head[:] = before
            learner.head[place] += step
            losses.append(total_loss(trainer, numbers))
        assert gradient[place] == pytest.approx((losses[0] - losses[1]) / 0.04, rel=0.05, abs=0.02)


def test_gradients_of_the_rows_are_those_of_the_loss(folder):
    trainer = Trainer(read_data([folder]), TrainingOptions(threads=2, policy_weight=0.5))
    numbers, learner = trainer.data.numbers(TRAIN)[:40], trainer.model.learner
    with ThreadPoolExecutor(2) as pool:
        trainer.pass_over(pool, numbers, learn=True)
    learner.update(trainer.model.workers, 1e-9, 1)
    gradient = learner.firsts[0] / 0.1
    for place in np.argsort(-np.abs(gradient).reshape(-1))[:400:40]:
        row, number = divmod(int(place), 32)
        losses = []
        for step in (0.001, -0.001):  # a larger step meets sums that change their sign
            learner.table[row, number] += step
            losses.append(total_loss(trainer, numbers))
            learner.table[row, number] -= step
        assert gradient[row, number] == pytest.approx((losses[0] - losses[1]) / 0.002, rel=0.03, abs=0.01)


def test_it_learns_what_there_is_to_learn(folder):
    trainer = Trainer(read_data([folder]), TrainingOptions(threads=2, epochs=12, batch=32, rate=0.01, policy_weight=0))
    first = trainer.losses(VALIDATION)
    trainer.run()
    assert trainer.losses(VALIDATION).value < first.value - first.value_error
    assert trainer.history[-1]["train"] < 0.6


def test_the_same_data_and_seed_give_the_same_weights_even_after_a_break(folder, tmp_path):
    data, options = read_data([folder]), TrainingOptions(threads=2, epochs=3, batch=64, patience=9)
    whole = Trainer(data, options)
    whole.run()
    told = []

    def stop(line):
        told.append(line)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Trainer(data, options).run(stop, tmp_path / "log.npz")
    resumed = Trainer(data, options)
    resumed.load(tmp_path / "log.npz")
    resumed.run()
    assert resumed.epoch == 3
    assert resumed.weights() == whole.weights()
    assert (
        Trainer(data, TrainingOptions(threads=2, epochs=3, batch=64, patience=9, seed=2)).weights() != whole.weights()
    )


def test_a_log_of_other_data_or_options_is_refused(folder, tmp_path):
    data = read_data([folder])
    Trainer(data, TrainingOptions(threads=1)).save(tmp_path / "log.npz")
    with pytest.raises(ArenaError, match="other data or options"):
        Trainer(data, TrainingOptions(threads=1, rate=0.5)).load(tmp_path / "log.npz")


def test_whole_numbers_say_what_the_trained_ones_say(folder):
    trainer = Trainer(read_data([folder]), TrainingOptions(threads=1, epochs=3, batch=64))
    trainer.run()
    assert trainer.best is not None
    trainer.model.learner.table[:], trainer.model.learner.head[:] = trainer.best[1]
    numbers = np.arange(50)
    with ThreadPoolExecutor(1) as pool:
        chances = trainer.pass_over(pool, numbers, learn=False)[:, 2]
    text = 'name = "learned"\nscan = "code"\nweights = "learned.npz"\nscale = 1000\n'
    evaluator = as_evaluator(parse_table(text, weights=trainer.weights()))
    cells = trainer.data.arrays["cells"][:50]
    stones = np.stack([cells >> 2 * at & 3 for at in range(4)], 2).reshape(50, -1)[:, : ROWS * COLS]
    for number in numbers:
        turn = int(trainer.data.arrays["turn"][number])
        board = Board.from_array(stones[number].reshape(ROWS, COLS).astype(np.int8), turn=turn)
        score = board.turn.sign * evaluator.score(board)
        assert 1 / (1 + np.exp(-score / 1000)) == pytest.approx(chances[number], abs=0.02)


@given(st.data())
def test_the_rest_of_a_game_is_what_it_is_one_position_after_the_other(data):
    count = data.draw(st.integers(1, 12))
    columns = {
        "game": st.integers(0, 2), "ply": st.integers(0, 9), "turn": st.integers(1, 2),
        "result": st.sampled_from([-1, 0, 1, 2]), "score": st.sampled_from([-32768, -200, 0, 90, 32000]),
    }  # fmt: skip
    arrays = {
        name: np.array(data.draw(st.lists(each, min_size=count, max_size=count))) for name, each in columns.items()
    }
    options = TrainingOptions(decay=data.draw(st.sampled_from([1.0, 0.9, 0.5, 0.0])), sureness=0.9)
    chances = np.array(data.draw(st.lists(st.floats(0, 1), min_size=count, max_size=count)))
    positions = Positions(ROWS, COLS, {name: array.astype(np.int64) for name, array in arrays.items()}, "")
    found = positions.outcomes(chances, options)
    order = sorted(range(count), key=lambda at: (arrays["game"][at], arrays["ply"][at], at))
    expected = {}
    for here, after in reversed(list(zip(order, [*order[1:], None], strict=True))):
        expected[here] = {1: 0.9, 0: 0.5, -1: 1 - 0.9, 2: 0.5}[int(arrays["result"][here])]
        if after is None or arrays["game"][here] != arrays["game"][after] or arrays["result"][here] == 2:
            continue
        if arrays["score"][after] == -32768:
            continue
        kept = options.decay ** int(arrays["ply"][after] - arrays["ply"][here])
        chance = (1 - kept) * chances[after] + kept * expected[after]
        expected[here] = chance if arrays["turn"][here] == arrays["turn"][after] else 1 - chance
    assert [expected[at] for at in range(count)] == pytest.approx(list(found))


def test_games_of_several_data_sets_are_not_confused(folder, tmp_path):
    write_games(tmp_path, seed=2)
    one, both = read_data([folder]), read_data([folder, tmp_path, folder])
    assert len(np.unique(both.arrays["game"])) == 3 * len(np.unique(one.arrays["game"]))
    options = TrainingOptions()
    assert (both.targets(options)[: len(one)] == one.targets(options)).all()


def test_inner_windows_share_their_factors():
    rows, numbers = code_rows(), factor_numbers()
    one, other = (int(rows[window_code(text, "oo...")]) for text in ("x...o", "x...x"))
    far = int(rows[window_code("xo...", "oo...")])
    assert one != other
    assert [each[one] == each[other] for each in numbers] == [False, True, True, True]
    assert [each[one] == each[far] for each in numbers] == [False, False, False, False]
    assert all(len(each) == row_count() for each in numbers)
    assert (new_learner(1).table[0] == 0).all()


def test_an_interval_counts_groups_and_not_their_members():
    values = np.repeat(np.array([0.0, 1.0, 0.0, 1.0], dtype=np.float32), 25)
    alone, together = clustered_error(values, np.arange(100)), clustered_error(values, np.arange(100) // 25)
    assert together == pytest.approx(5 * alone)
    assert half_interval(values, np.arange(100) // 25) == pytest.approx(3.182 * (4 / 3) ** 0.5 * together, rel=0.01)


def test_a_single_opening_has_no_interval():
    assert half_interval(np.array([0.1, 0.9], dtype=np.float32), np.zeros(2)) is None


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / "meta.json").unlink(), "is no data set"),
        (lambda folder: (folder / "part-0000").rename(folder / "other"), "has no shards"),
        (lambda folder: (folder / "part-0000" / "turn.npy").write_bytes(b"x"), "cannot be read"),
        (lambda folder: np.save(folder / "part-0000" / "turn.npy", np.zeros(400, np.uint8)), "beyond 1 to 2"),
        (lambda folder: np.save(folder / "part-0000" / "score.npy", np.zeros(400)), "score.npy: is float64"),
    ],
)
def test_data_that_cannot_be(tmp_path, spoil, message):
    write_games(tmp_path / "games")
    spoil(tmp_path / "games")
    with pytest.raises(ArenaError, match=message):
        read_data([tmp_path / "games"])
