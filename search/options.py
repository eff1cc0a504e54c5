"""Options: what a search or a player can be told, declared once.

A frozen dataclass names the options with their types, defaults, bounds and help; the keyword arguments, the checks, the
spec and the help of the commands all follow from it.

>>> @dataclass(frozen=True)
... class EdgeOptions(Options):
...     row: int = option(0, "which row", least=0, most=21)
...     table: Any = option("grade_dict", "the evaluator")
>>> EdgeOptions(row="3")
EdgeOptions(row=3, table='grade_dict')
>>> EdgeOptions(row=40)
Traceback (most recent call last):
...
gomoku_patterns.errors.PlayerError: row must be a whole number from 0 to 21, not 40
>>> EdgeOptions(row=3).spec("edge", {"row"})
'edge:row=3'
"""

from __future__ import annotations

import inspect
import math
import operator
import types
import typing
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self, TypeVar

from gomoku_patterns.errors import PlayerError, shown, unknown

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Option:
    """One option of a player: its name, type, default and help.

    ``kind`` is ``int``, ``float``, ``bool``, ``str`` or ``object``; the last is text in a spec and anything at all
    from Python, such as an evaluator of one's own. ``none`` is the word that stands for None where that is allowed.
    """

    name: str
    kind: type
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    none: str | None = None

    @property
    def expected(self) -> str:
        """What a value has to be, in words."""
        words = " or ".join(self.choices) or _KIND_WORDS[self.kind]
        if self.least is not None:
            words += f" from {_figure(self.least)}"
        if self.most is not None:
            words += f" to {_figure(self.most)}"
        return f"{words} or {self.none}" if self.none else words

    def parse(self, value: Any) -> Any:
        """The value that text from a spec, or a Python value, stands for."""
        if self.none is not None and (value is None or value == self.none):
            return None
        try:
            parsed = _PARSERS[self.kind](value)
        except (TypeError, ValueError, OverflowError):
            raise self._bad(value) from None
        if not self._allows(parsed):
            raise self._bad(value)
        return parsed

    def _allows(self, value: Any) -> bool:
        if self.choices:
            return value in self.choices
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def _bad(self, value: Any) -> PlayerError:
        return PlayerError(f"{self.name} must be {self.expected}, not {shown(value)}")

    def spell(self, value: Any) -> str:
        """The one way a value is written in a spec."""
        if value is None:
            return str(self.none)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if self.kind is object and not isinstance(value, str):
            return str(getattr(value, "name", type(value).__name__))
        return f"{value:g}" if isinstance(value, float) else str(value)


def option(
    default: Any,
    help: str,
    *,
    choices: tuple[str, ...] = (),
    least: float | None = None,
    most: float | None = None,
    none: str | None = None,
) -> Any:
    """A field of an :class:`Options` class; its name and type are those of the field."""
    said = {"help": help, "choices": choices, "least": least, "most": most, "none": none}
    return field(default=default, metadata={"option": said})


@dataclass(frozen=True)
class Options:
    """The options of a player. A subclass is a frozen dataclass whose fields are made by :func:`option`."""

    def __post_init__(self) -> None:
        for one in declared(type(self)):
            object.__setattr__(self, one.name, one.parse(getattr(self, one.name)))

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """The options with these values, text or Python; the others have their defaults."""
        names = [one.name for one in declared(cls)]
        for name in given:
            if name not in names:
                none = f"there is no option {shown(name)}, nor any other"
                raise PlayerError(unknown("option", name, names) if names else none)
        return cls(**given)

    def spec(self, name: str, given: Collection[str]) -> str:
        """The spec of a player with this name: the given options in declared order, every value written one way."""
        parts = [
            f"{one.name}={one.spell(getattr(self, one.name))}" for one in declared(type(self)) if one.name in given
        ]
        return f"{name}:{','.join(parts)}" if parts else name


_declared: dict[type, tuple[Option, ...]] = {}


def declared(options: type[Options]) -> tuple[Option, ...]:
    """The options that a class declares, in order."""
    if options not in _declared:
        hints = typing.get_type_hints(options)
        _declared[options] = tuple(
            Option(one.name, _kind(hints[one.name]), one.default, **one.metadata["option"]) for one in fields(options)
        )
    return _declared[options]


def takes(options: type[Options]) -> Callable[[F], F]:
    """Let the help of a search, called with these options as keywords, name each with its default and meaning."""

    def documented(search: F) -> F:
        told = [one for one in declared(options) if one.name != "table"]
        signature = inspect.signature(search)
        *kept, _rest = signature.parameters.values()
        named = [inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default) for one in told]
        lines = [f"* ``{one.name}={one.spell(one.default)}``: {one.help} ({one.expected})" for one in told]
        search.__dict__["__signature__"] = signature.replace(parameters=[*kept, *named])
        if lines:
            search.__doc__ = "\n".join([inspect.cleandoc(search.__doc__ or ""), "", "Options:", "", *lines])
        return search

    return documented


def _kind(hint: Any) -> type:
    """The type of an option's value where it is not None."""
    inner = [one for one in typing.get_args(hint) if one is not types.NoneType] if typing.get_args(hint) else [hint]
    return inner[0] if inner[0] in _PARSERS else object


def _figure(value: float) -> str:
    """A bound as it would be typed: a large whole number with all its digits."""
    return str(value) if isinstance(value, int) else f"{value:g}"


_KIND_WORDS = {int: "a whole number", float: "a number", bool: "yes or no", str: "a text", object: "a name"}
_TRUTH = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}


def _whole(value: Any) -> int:
    if isinstance(value, str):
        return int(value)
    if isinstance(value, bool):
        raise TypeError
    return operator.index(value)


def _number(value: Any) -> float:
    number = float(value)
    if isinstance(value, bool) or not math.isfinite(number):
        raise ValueError
    return number


def _truth(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or value.lower() not in _TRUTH:
        raise ValueError
    return _TRUTH[value.lower()]


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError
    return value


def _anything(value: Any) -> Any:
    if value == "":
        raise ValueError
    return value


_PARSERS: dict[type, Callable[[Any], Any]] = {
    int: _whole,
    float: _number,
    bool: _truth,
    str: _text,
    object: _anything,
}
