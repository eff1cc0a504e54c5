"""Who has won, and what may be played: freestyle, standard, renju and caro."""

from __future__ import annotations

from enum import StrEnum

from gomoku_patterns.errors import BoardError


class Rule(StrEnum):
    """The rule a game is played under; each has its Gomocup code as :attr:`code`.

    >>> Rule.parse("Renju"), Rule.parse(4), Rule.RENJU.code
    (<Rule.RENJU: 'renju'>, <Rule.RENJU: 'renju'>, 4)
    """

    FREESTYLE = "freestyle"
    STANDARD = "standard"
    RENJU = "renju"
    CARO = "caro"
    CARO_OVERLINE = "caro-overline"

    @property
    def code(self) -> int:
        return _CODES[self]

    @classmethod
    def parse(cls, text: object) -> Rule:
        """The rule meant by its name or by its Gomocup code."""
        if isinstance(text, Rule):
            return text
        if isinstance(text, str) and not text.strip().isdigit():
            try:
                return cls(text.strip().lower())
            except ValueError:
                pass
        elif isinstance(text, (int, str)) and not isinstance(text, bool):
            for rule, code in _CODES.items():
                if code == int(text):
                    return rule
        names = ", ".join(rule.value for rule in cls)
        raise BoardError(f"expected a rule, one of {names} or a Gomocup code, found {text!r}")


_CODES = {Rule.FREESTYLE: 0, Rule.STANDARD: 1, Rule.RENJU: 4, Rule.CARO_OVERLINE: 8, Rule.CARO: 9}
