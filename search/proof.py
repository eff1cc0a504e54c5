"""Proofs: forced wins written down so that a stranger can check them.

A proof is a tree. At an :class:`Attack` the attacker plays its move. At a :class:`Defence` the defender has
every legal reply: some have an attack of their own in ``replies``; against all others the attacker plays the
``threat``, a line of fives and of fours with one answer each. Whether that is true, :func:`search.verify` says; this
module reads, writes and shows.

>>> stones = {"black": ["b3", "c3", "d3"], "white": ["b1", "c1", "d1"], "to_move": "black"}
>>> proof = Proof.from_json({
...     "version": 1, "attacker": "black", "position": {"rows": 5, "cols": 5, **stones},
...     "tree": {"move": "a3", "then": {"threat": ["e3"], "replies": {"e3": {"move": "e1"}}}},
... })
>>> proof.answer(), proof.answer("a1"), proof.length
(Cell(row=2, col=0), Cell(row=2, col=4), 3)
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gomoku_patterns import rules
from gomoku_patterns.board import Board, CellLike
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.errors import GomokuError, IllegalMoveError, NotationError, ProofError, shown
from gomoku_patterns.files import read_file, write_file
from gomoku_patterns.quantities import amount, plies

if TYPE_CHECKING:
    from search.verifier import _Verifier


@dataclass(slots=True, eq=False)
class Attack:
    """The attacker's move, and the defence against it unless it makes five."""

    move: Cell
    then: Defence | None = None


@dataclass(slots=True, eq=False)
class Defence:
    """What the attacker does about each reply: an attack of its own, or else the threat, or else the first of the
    ``defaults`` that wins. A default is an attack that answers many replies: it is verified with each of them on the
    board, and a reply that it names may then be taken already."""

    threat: tuple[Cell, ...]
    replies: dict[Cell, Attack]
    defaults: tuple[Attack, ...] = ()


ELSEWHERE: Final = Cell(-1, -1)
"""The move of an attack that stands for a position proven in another part; see :mod:`search.parts`."""

BINARY_SUFFIX = ".gmkproof"


def is_binary_name(path: str | Path) -> bool:
    return Path(path).suffix == BINARY_SUFFIX


PROOF_BYTES = 256 * 2**20
"""How large a file of a proof may be unless the user allows more."""


def read_proof_file(path: str | Path, max_bytes: int = PROOF_BYTES) -> bytes:
    """The bytes of a file, in memory: one that is cut off or changed meanwhile does no harm."""
    try:
        return read_file(path, max_bytes)
    except OSError as error:
        raise ProofError(f"{path}: cannot be read: {str(error.strerror).lower()}") from None
    except GomokuError as error:
        raise ProofError(f"{path}: {error}") from None
    except ValueError as error:  # a NUL byte in the name
        raise ProofError(f"{shown(str(path))}: cannot be read: {error}") from None


class Step(NamedTuple):
    """One attack of the tree: the plies that lead to it, the attacker's move of it, and what comes then."""

    path: tuple[Cell, ...]
    attack: Attack


class Proof:
    """A claimed win for the side to move in a position. Attacks that recur are one object and are written once.

    ``passing`` says whether the defender may pass: then each pass has to be answered too, and the proof holds in either
    game. Under renju, where the rules allow it, that is always so.
    """

    def __init__(self, position: Board, tree: Attack, *, passing: bool | None = None) -> None:
        self._position = position.copy(moves=False)
        self.attacker: Colour = position.turn
        self.tree = tree
        self.passing: bool = passing or position.rule is rules.Rule.RENJU

    @property
    def position(self) -> Board:
        """The position that is claimed to be won, as a board of one's own."""
        return self._position.copy()

    # ------------------------------------------------------------------ reading and writing

    @classmethod
    def from_json(cls, value: object) -> Proof:
        """The proof in a JSON value; :class:`ProofError` says what is wrong with one that is none."""
        from search.proof_json import read_proof

        return read_proof(value)

    @classmethod
    def parse(cls, text: str) -> Proof:
        """The proof in a JSON text."""
        from gomoku_patterns.notation.json_position import parse_json

        try:
            return cls.from_json(parse_json(text))
        except NotationError as error:
            raise ProofError(f"this is not a proof: {error}") from None

    @classmethod
    def load(cls, path: str | Path) -> Proof:
        """The proof in a file, in either form."""
        from search.proof_binary import is_binary

        data = read_proof_file(path)
        try:
            return cls.from_bytes(data) if is_binary(data) else cls.parse(data.decode())
        except UnicodeDecodeError:
            raise ProofError(f"{path}: it is neither UTF-8 text nor the binary form of a proof") from None
        except ProofError as error:
            raise ProofError(f"{path}: {error}") from None

    @classmethod
    def from_bytes(cls, data: bytes) -> Proof:
        """The proof in binary form, as ``docs/reference/proof-format.md`` specifies it."""
        from search.proof_binary import read_binary

        return read_binary(data)

    def to_bytes(self) -> bytes:
        """The proof in binary form; the same proof always gives the same bytes."""
        from search.proof_binary import write_binary

        file = io.BytesIO()
        write_binary(self, file)
        return file.getvalue()

    def to_json(self) -> dict[str, Any]:
        """The JSON value: equal attacks written once, everything in one fixed order."""
        from search.proof_json import write_proof

        return write_proof(self)

    def save(self, path: str | Path) -> None:
        """Write a file: in binary form if its name ends in ``.gmkproof``, otherwise as JSON on one line."""
        write_file(path, self.to_bytes() if is_binary_name(path) else self._text() + "\n")

    def _text(self) -> str:
        import json

        return json.dumps(self.to_json(), separators=(",", ":"))

    def __reduce__(self) -> tuple[Callable[[str], Proof], tuple[str]]:
        """Pickled and copied as its text: what is known of a tree hangs on the identity of its attacks."""
        return Proof.parse, (self._text(),)

    # ------------------------------------------------------------------ measuring

    @cached_property
    def _lengths(self) -> dict[int, int]:
        """For each attack the plies from its move to the last five of its longest line."""
        lengths: dict[int, int] = {}
        for attack in leaves_first(self.tree):
            lengths[id(attack)] = 1 + _longest_reply(attack.then, lengths)
        return lengths

    @property
    def length(self) -> int:
        """The plies of the longest line, the five that ends it included; where there are defaults, at most so many."""
        return self._lengths[id(self.tree)]

    @property
    def attacks(self) -> int:
        """How many different attacks the tree has."""
        return len(self._lengths)

    def steps(self) -> Iterator[Step]:
        """The attacks of the tree but those below a default, a shared one once, with the plies that lead to the place
        where it is met first."""
        met, todo = {id(self.tree)}, [Step((), self.tree)]
        while todo:
            step = todo.pop()
            yield step
            replies = step.attack.then.replies if step.attack.then else {}
            for reply, attack in reversed(replies.items()):
                if id(attack) not in met:
                    met.add(id(attack))
                    todo.append(Step((*step.path, step.attack.move, reply), attack))

    # ------------------------------------------------------------------ following

    def answer(self, *replies: CellLike) -> Cell:
        """What the attacker plays after these replies of the defender: "what if I play here?"."""
        return self._follow(replies).line[-1]

    def line(self, *replies: CellLike) -> tuple[Cell, ...]:
        """The plies of both sides from the position on, to the answer to the last of these replies."""
        return tuple(self._follow(replies).line)

    def lengths(self, *replies: CellLike) -> dict[Cell, int]:
        """For each legal reply after these the plies the game then lasts, the reply included; the best defence last."""
        player = self._follow(replies)
        lasting = {reply: player.lasting(reply, self._lengths) for reply in rules.legal_moves(player.board)}
        return dict(sorted(lasting.items(), key=lambda item: item[1]))

    def answers(self, *replies: CellLike) -> dict[Cell, Cell]:
        """What the attacker plays after these replies and one more, for each that is legal."""
        player = self._follow(replies)
        return {reply: player.answer(reply) for reply in rules.legal_moves(player.board)}

    def unanswered(self, *replies: CellLike) -> set[Cell]:
        """The legal replies after these to which the proof has no answer; none if it holds."""
        player = self._follow(replies)
        return {reply for reply in rules.legal_moves(player.board) if not player.has_answer(reply)}

    def listed(self, *replies: CellLike) -> tuple[Cell, ...]:
        """The replies after these that have an attack of their own."""
        attack = self._follow(replies).attack
        return tuple(attack.then.replies) if attack and attack.then else ()

    def main_line(self) -> tuple[Cell, ...]:
        """The game in which the defender holds out longest, until somebody has won or he has no legal reply."""
        return self._main_line

    @cached_property
    def _main_line(self) -> tuple[Cell, ...]:
        player = _Player(self)
        while not player.is_won() and (reply := player.stubborn_reply(self._lengths)):
            player.go_on(reply)
        return tuple(player.line)

    def _follow(self, replies: tuple[CellLike, ...]) -> _Player:
        player = _Player(self)
        for reply in replies:
            player.reply(reply)
        return player

    # ------------------------------------------------------------------ drawing

    def _after_main_line(self) -> Board:
        board = self.position
        for cell in self.main_line():
            board.push(cell)
        return board

    def __str__(self) -> str:
        """The board with the main line numbered."""
        from gomoku_patterns.draw import board_text

        return board_text(self._after_main_line(), numbers=self.main_line(), last=False, unicode=False)

    def svg(self) -> str:
        """A picture of the board with the main line numbered."""
        from gomoku_patterns.draw import board_svg

        line = self.main_line()
        title = f"{self.attacker} wins in {plies(len(line))}: {' '.join(map(self._position.name, line))}"
        return board_svg(self._after_main_line(), numbers=line, title=title)

    _repr_svg_ = svg

    def __repr__(self) -> str:
        return f"<Proof: {self.attacker} wins in {plies(self.length)}, {amount(self.attacks, 'attack')}>"


# ---------------------------------------------------------------------- the tree


def children(attack: Attack) -> list[Attack]:
    """The attacks right below one."""
    return [*attack.then.replies.values(), *attack.then.defaults] if attack.then else []


def leaves_first(*trees: Attack) -> list[Attack]:
    """Every attack of the trees once, after all attacks below it; :class:`ProofError` if one leads back to itself."""
    done: dict[int, Attack] = {}
    open_: set[int] = set()
    todo = list(reversed(trees))
    while todo:
        attack = todo[-1]
        waiting = [] if id(attack) in done else [child for child in children(attack) if id(child) not in done]
        if not waiting:
            done[id(attack)] = todo.pop()
            open_.discard(id(attack))
            continue
        open_.add(id(attack))
        if any(id(child) in open_ for child in waiting):
            raise ProofError("a node leads back to itself")
        todo += waiting
    return list(done.values())


def _longest_reply(defence: Defence | None, lengths: Mapping[int, int]) -> int:
    if defence is None:
        return 0
    below = [1 + lengths[id(attack)] for attack in (*defence.replies.values(), *defence.defaults)]
    return max([2 * len(defence.threat), *below])


# ---------------------------------------------------------------------- playing from a proof


class _Player:
    """The attacker that plays what the proof says; the defender's replies are given to it."""

    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        self.board = proof.position
        self.attacker = proof.attacker
        self.attack: Attack | None = proof.tree
        self.threat: list[Cell] = []
        self.line: list[Cell] = []
        self._play(proof.tree.move)

    @cached_property
    def _judge(self) -> _Verifier:
        """Says which default answers a reply; one for the whole game, so that its limit of work is one too."""
        from search.verifier import judge_of

        return judge_of(self.proof)

    def _play(self, cell: Cell) -> None:
        if cell == ELSEWHERE:
            raise ProofError("the proof goes on in another part")
        try:
            self.board.push(cell)
        except IllegalMoveError as error:
            raise ProofError(f"the proof plays {self.board.name(cell)!r}: {error}") from None
        self.line.append(cell)

    def is_won(self) -> bool:
        return rules.makes_five(self.board, self.line[-1], self.attacker)

    def reply(self, reply: CellLike) -> None:
        """Let the defender play, and the attacker answer."""
        cell = self.board.cell(reply)
        if self.is_won():
            raise IllegalMoveError(f"the five is made, so there is no reply {self.board.name(cell)!r} to it")
        if cell not in rules.legal_moves(self.board):
            raise IllegalMoveError(f"{self.board.name(cell)!r} is not a legal reply")
        self.go_on(cell)

    def go_on(self, cell: Cell) -> None:
        """The same for a reply that is known to be legal."""
        if rules.makes_five(self.board, cell, self.attacker.opponent):
            raise ProofError(f"the proof allows {self.attacker.opponent} five with {self.board.name(cell)!r}")
        self.board.push(cell)
        self.line.append(cell)
        self._choose(cell)
        self._play(self._next_move(cell))

    def answer(self, reply: Cell) -> Cell:
        """What the attacker would play after this reply, which is taken back."""
        attack, threat = self.attack, list(self.threat)
        self.board.push(reply)
        try:
            self._choose(reply)
            return self._next_move(reply)
        finally:
            self.board.pop()
            self.attack, self.threat = attack, threat

    def has_answer(self, reply: Cell) -> bool:
        """Whether the proof has an answer to this reply that can be played."""
        if rules.makes_five(self.board, reply, self.attacker.opponent):
            return False
        try:
            answer = self.answer(reply)
        except ProofError:
            return False
        self.board.push(reply)
        try:
            self.board.push(answer)
            self.board.pop()
        except IllegalMoveError:
            return False
        finally:
            self.board.pop()
        return True

    def _choose(self, reply: Cell) -> None:
        """Step into the reply's own attack, or into the threat, or into the default that wins."""
        then = self.attack.then if self.attack else None
        if then is not None:
            self.attack = then.replies.get(reply)
            self.threat = list(then.threat)
            if self.attack is None and then.defaults:
                self.attack = self._judge.default_for(self.board, then)

    def _next_move(self, reply: Cell) -> Cell:
        if self.attack:
            return self.attack.move
        fives = rules.winning_cells(self.board, self.attacker)
        if self.threat:
            planned = self.threat.pop(0)
            if planned in fives or not fives:
                return planned
        if not fives:
            raise ProofError(f"the proof has no answer to {self.board.name(reply)!r}")
        return fives[0]

    def lasting(self, reply: Cell, lengths: Mapping[int, int]) -> int:
        """The plies the game lasts from this reply on."""
        listed = self.attack.then.replies if self.attack and self.attack.then else {}
        return 1 + lengths[id(listed[reply])] if reply in listed else self._unlisted_lasting([reply], lengths)

    def _unlisted_lasting(self, replies: Sequence[Cell], lengths: Mapping[int, int]) -> int:
        """The same for any one of these replies, none of which has an attack of its own."""
        then = self.attack.then if self.attack else None
        if then is not None and then.defaults:
            return max(2 * len(then.threat), *(1 + lengths[id(attack)] for attack in then.defaults))
        if then is None and replies != rules.winning_cells(self.board, self.attacker):
            return 2
        return 2 * max(1, len(then.threat if then else self.threat))

    def stubborn_reply(self, lengths: Mapping[int, int]) -> Cell | None:
        """The legal reply that holds out longest; of equals one that stops a five, then the nearest.

        The replies that are neither listed nor stop a five last equally long: only the nearest of them is looked at.
        """
        fives = rules.winning_cells(self.board, self.attacker)
        listed = self.attack.then.replies if self.attack and self.attack.then else {}
        legal = rules.legal_moves(self.board)
        special = listed.keys() | fives
        others = [cell for cell in legal if cell not in special]
        row, col = self.line[-1]

        def distance(reply: Cell) -> int:
            return max(abs(reply.row - row), abs(reply.col - col))

        def worth(reply: Cell) -> tuple[int, bool, int]:
            return self.lasting(reply, lengths), reply in fives, -distance(reply)

        candidates = [cell for cell in legal if cell in special]
        lasting = max((self.lasting(cell, lengths) for cell in candidates), default=0)
        if others and self.lasting(others[0], lengths) >= lasting:
            candidates.append(min(others, key=distance))
        return max(sorted(candidates), key=worth, default=None)
