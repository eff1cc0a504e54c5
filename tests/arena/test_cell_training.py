"""Training of cell tables: gradients are those of the loss, rare combinations share, whole numbers say the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from arena.cell_training import fact_parts, shared_parts
from arena.data import UNKNOWN_MOVE
from arena.training import TRAIN, VALIDATION, Trainer, TrainingOptions, learned_table, read_data, unscored
from benchmarks import learn_tables
from gomoku.cli import cli
from gomoku_patterns import ArenaError, Board, load_table, parse_table
from gomoku_patterns.cell_tables import combination_list
from gomoku_patterns.native import NativeEvaluator
from tests.cells import WRITTEN
from tests.learned import COLS, ROWS, total_loss, write_games

SHAPES = unscored(parse_table(WRITTEN))


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    write_games(folder)
    return folder


def test_gradients_are_those_of_the_loss(folder):
    trainer = Trainer(read_data([folder]), TrainingOptions(threads=1, policy_weight=0.5), SHAPES)
    model, numbers = trainer.model, trainer.data.numbers(TRAIN)[:30]
    model.weights_now += np.random.default_rng(1).normal(0, 0.1, len(model.weights_now)).astype(np.float32)
    total_loss(trainer, numbers, learn=True)
    gradient = model.workers[0].gradients.copy()
    for place in np.argsort(-np.abs(gradient))[:200:8]:
        losses = []
        for step in (0.01, -0.01):
            model.weights_now[place] += step
            losses.append(total_loss(trainer, numbers))
            model.weights_now[place] -= step
        assert gradient[place] == pytest.approx((losses[0] - losses[1]) / 0.02, rel=0.02, abs=0.01)


def test_a_combination_is_the_sum_of_itself_its_lines_and_their_pairs():
    parts, size = shared_parts(5)
    every = combination_list(5)
    assert len(parts) == len(every)
    assert parts[0].tolist() == [0] * 11
    both = [set(parts[every.index(one)].tolist()) for one in ((0, 0, 1, 2), (0, 1, 2, 3))]
    # Both have a line of 1, a line of 2 and the pair of them.
    assert len((both[0] & both[1]) - {0}) == 3
    assert parts.max() < size
    sets, _ = fact_parts(2)
    assert [len(set(one.tolist()) - {0}) for one in sets[:4]] == [1, 2, 2, 3]


def test_it_learns_and_whole_numbers_say_what_was_learned(folder):
    trainer = Trainer(read_data([folder]), TrainingOptions(threads=2, epochs=6, batch=64, rate=0.002), SHAPES)
    first = trainer.losses(VALIDATION)
    trainer.run()
    assert trainer.losses(VALIDATION).value < first.value
    trainer.model.weights_now = trainer.best[1][0]
    numbers = np.arange(50)
    with ThreadPoolExecutor(1) as pool:
        chances = trainer.pass_over(pool, numbers, learn=False)[:, 2]
    table = parse_table(learned_table("new", "new.npz", 400, "", SHAPES), weights=trainer.weights(scale=400))
    evaluator = NativeEvaluator(table)
    cells = trainer.data.arrays["cells"][:50]
    stones = np.stack([cells >> 2 * at & 3 for at in range(4)], 2).reshape(50, -1)[:, : ROWS * COLS]
    for number in numbers:
        turn = int(trainer.data.arrays["turn"][number])
        board = Board.from_array(stones[number].reshape(ROWS, COLS).astype(np.int8), turn=turn)
        score = board.turn.sign * evaluator.score(board)
        assert 1 / (1 + np.exp(-score / 400)) == pytest.approx(chances[number], abs=0.02)


def test_the_same_data_and_seed_give_the_same_weights_even_after_a_break(folder, tmp_path):
    data, options = read_data([folder]), TrainingOptions(threads=2, epochs=3, batch=64, patience=9)
    whole = Trainer(data, options, SHAPES)
    whole.run()

    def stop(line):
        if line["epoch"] == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Trainer(data, options, SHAPES).run(stop, tmp_path / "log.npz")
    resumed = Trainer(data, options, SHAPES)
    resumed.load(tmp_path / "log.npz")
    resumed.run()
    assert resumed.weights() == whole.weights()
    with pytest.raises(ArenaError, match="other data or options"):
        Trainer(data, options).load(tmp_path / "log.npz")


def test_data_without_best_moves_leave_the_prior_as_it_was(folder):
    data, options = read_data([folder]), TrainingOptions(threads=1, epochs=1, batch=64)
    before = Trainer(data, options, SHAPES)
    before.run()
    given = before.weights()
    unknown = replace(data, arrays={**data.arrays, "best": np.full_like(data.arrays["best"], UNKNOWN_MOVE)})
    found = []
    for positions in (data, unknown):
        trainer = Trainer(positions, replace(options, rate=0.01), SHAPES, given)
        trainer.run()
        found.append(trainer.weights())
    learned, kept = found
    assert (learned.prior_own != given.prior_own).any() and "prior" not in learned.provenance
    assert (kept.prior_own == given.prior_own).all() and (kept.prior_other == given.prior_other).all()
    assert kept.provenance["prior"] == given.digest and (kept.moving != given.moving).any()


def test_only_a_cell_table_gives_its_shapes():
    with pytest.raises(ArenaError, match="'level' is a point table"):
        unscored(load_table("level"))


def test_everything_from_nothing_in_seconds(tmp_path, capsys):
    learn_tables.main([str(tmp_path), "--small", "--jobs", "1"])
    told = capsys.readouterr().out
    assert told.count("$ gomoku match") == 4
    assert told.count("2 of 2 games") == 4
    assert told.count("the prior is that of judge-3") == 1
    for name in ("judge-1", "judge-2", "judge-3", "cell", "code"):
        table = load_table(tmp_path / f"{name}.toml")
        assert table.scan == ("code" if name == "code" else "cell")
        assert {"data", "options", "positions", "history", "version"} <= set(table.weights.provenance)


def test_a_line_code_has_no_shapes_to_learn(folder, tmp_path):
    arguments = ["train", str(folder), "--table", "cell", "--out", str(tmp_path / "a.toml")]
    with pytest.raises(Exception, match="say --kind cell"):
        cli.main(arguments, standalone_mode=False)
