"""Denials: which wins a search has tried in vain, and so how much its "no" says.

DISPROVEN is never about all wins unless a denial says so. A caller words it by ``attacks`` and ``plies``:

=================== ============================ ==================================================================
attacks             plies                        a caller may say
=================== ============================ ==================================================================
``Attacks.FOURS``   any                          no win by continuous fours
``Attacks.THREES``  any                          no win by fours and live threes
``Attacks.THREATS`` any                          no attacking move wins (a quiet move still may)
``Attacks.EVERY``   n                            no move wins within n plies (one may win later)
``Attacks.EVERY``   None                         no move wins
=================== ============================ ==================================================================

With ``plies`` each of the first three is about wins within so many plies as well. "It does not win", "the win is gone"
and "nothing wins" need :attr:`Denial.is_complete`; "no quicker win" needs ``Attacks.EVERY``.

>>> denial = Denial(Attacks.THREATS, plies=9)
>>> print(denial)
no win by moves that extend a line and threaten continuous fours within 9 plies
>>> denial.is_complete, Denial(Attacks.EVERY).is_complete
(False, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Attacks(StrEnum):
    """The moves that a search lets the attacker play, from the fewest to all."""

    FOURS = "fours"
    """Continuous fours."""
    THREES = "threes"
    """Fours, and live threes that threaten to win by continuous fours."""
    THREATS = "threats"
    """Fours, and every move that extends a line or stops one and threatens to win by continuous fours."""
    EVERY = "every"
    """Every legal move, quiet ones included."""


_TEXTS = {
    Attacks.FOURS: "no VCF",
    Attacks.THREES: "no VCT: no win by fours and live threes",
    Attacks.THREATS: "no win by moves that extend a line and threaten continuous fours",
    Attacks.EVERY: "no win by any move",
}


@dataclass(frozen=True)
class Denial:
    """The wins that were shown not to exist; see the module for how a caller words each kind.

    ``plies`` limits the denial to wins within so many plies; None stands for wins of any length. ``without`` names the
    first moves that were left out: about those the denial says nothing.
    """

    attacks: Attacks
    plies: int | None = None
    without: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether no move wins at all, however long it takes."""
        return self.attacks is Attacks.EVERY and self.plies is None and not self.without

    def __str__(self) -> str:
        """The denial in words, none of which says more than was shown."""
        within = "" if self.plies is None else f" within {self.plies} plies"
        without = f" without {', '.join(self.without)} as the first move" if self.without else ""
        return _TEXTS[self.attacks] + within + without
