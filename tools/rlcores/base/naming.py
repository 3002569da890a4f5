"""What an object is called where it is shown, and the name that somebody meant."""

import difflib
from collections.abc import Collection

_BACKENDS = {"Native": "native", "Model": "model", "Driver": "rtl"}


def backend_of(core: object) -> str:
    """The backend that an object of the library computes with; the name of the class where a user gave another one.

    >>> class SumTreeNativeDriver: ...
    >>> backend_of(SumTreeNativeDriver()), backend_of(3)
    ('native', 'int')
    """
    name = type(core).__name__
    return next((backend for part, backend in _BACKENDS.items() if part in name), name)


def described(named: object, *parts: str) -> str:
    """The repr of an object of the library: its class, and the parts that say something.

    >>> described([1], "12 of 60 transitions", "", "native")
    'list(12 of 60 transitions, native)'
    """
    return f"{type(named).__name__}({', '.join(part for part in parts if part)})"


def count_of(number: int, name: str) -> str:
    """A number of things that is worth saying only where there are several.

    >>> count_of(3, "environments"), count_of(1, "environments")
    ('3 environments', '')
    """
    return f"{number:,} {name}" if number > 1 else ""


def nearest(name: str, known: Collection[str]) -> str:
    """For the message that there is no such name: the one that is probably meant, or nothing.

    >>> nearest("gama", ["gamma", "tau"]), nearest("lr", ["gamma", "tau"])
    ("; did you mean 'gamma'", '')
    """
    near = difflib.get_close_matches(name, known, 1)
    return f"; did you mean '{near[0]}'" if near else ""
