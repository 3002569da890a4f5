"""Attributes of public objects: a misspelt one is an error, and so is one that is read no more.

`sampler.bta = 0.5` would make a new attribute, and `buffer.n_steps = 3` change a number that was used long ago; Python
takes both silently. A class on `Guarded` refuses them from outside, and says what can be set.
"""

import difflib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import FrameType, MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from rlcores.errors import UserError

_HOME = ("rlcores.", "rlcores_lab.")

Check = Callable[[Any, str, Any], Any]  # of an object, a name and a value: the value to keep


class AttributeRefused(UserError, AttributeError):
    """An attribute was assigned that the object does not have, or that cannot be set from outside."""


class Guarded:
    """The base of public classes: only a property with a setter, or a Setting, is set from outside.

    Inside is the code of rlcores and of its laboratory, of the libraries that a class has its other bases from, and of
    a user's subclass, which may have attributes of its own. Where a class has such bases, or is a user's, all
    attributes that it has can be set from outside too. A function may take a method's place, as a wrapper does. Names
    that begin with an underscore are free.
    """

    __slots__ = ()
    _checks: ClassVar[Mapping[str, Check]] = MappingProxyType({})  # of the Settings
    _settable: ClassVar[frozenset[str]] = frozenset()
    _packages: ClassVar[frozenset[str]] = frozenset()  # whose code is inside
    _users: ClassVar[tuple[tuple[str, str], ...]] = ()  # module and prefix of names of a user's classes

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._checks = MappingProxyType(_taken_settings(cls))
        members = {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}
        properties = {n for n, value in members.items() if isinstance(value, property) and value.fset is not None}
        cls._settable = frozenset(properties.union(cls._checks))
        bases = [base for base in cls.__mro__ if base.__module__ not in ("builtins", "abc", "typing")]
        first = next(at for at, base in enumerate(bases) if base.__module__.startswith(_HOME))
        cls._users = tuple((base.__module__, f"{base.__qualname__}.") for base in bases[:first])
        cls._packages = frozenset(base.__module__.partition(".")[0] for base in bases[first:])

    if not TYPE_CHECKING:  # it would tell type checkers that every attribute may be assigned

        def __setattr__(self, name: str, value: Any) -> None:
            if name[0] != "_":
                if (check := self._checks.get(name)) is not None:
                    value = check(self, name, value)
                elif not (_ours(sys._getframe(1)) or _open(self, name, value) or _inside(type(self), sys._getframe(1))):
                    raise AttributeRefused(_refusal(self, name))
            super().__setattr__(name, value)


@dataclass(frozen=True)
class Setting:
    """An attribute that may be set at any time: check(object, name, value) gives the value to keep, or raises.

    A class on Guarded takes it out of its body, so that reading it costs what reading any attribute does. As a
    descriptor it would write to the object's `__dict__`, which makes every attribute of an object slower to read.

    >>> class Pump(Guarded):
    ...     speed = Setting(lambda pump, name, value: min(value, 5))
    >>> pump = Pump()
    >>> pump.speed = 7
    >>> pump.speed
    5
    """

    check: Check


def setting(check: Check) -> Any:
    """A Setting, of any type to a type checker: the attribute's annotation says it."""
    return Setting(check)


def _taken_settings(kind: type[Guarded]) -> dict[str, Check]:
    """The checks of a class, by name; its own Settings are taken out of its body."""
    checks: dict[str, Check] = {}
    for base in reversed(kind.__mro__[1:]):
        checks |= vars(base).get("_checks", {})
    for name, value in dict(vars(kind)).items():
        if isinstance(value, Setting):
            checks[name] = value.check
            delattr(kind, name)
        else:
            checks.pop(name, None)
    return checks


def _ours(frame: FrameType) -> bool:
    name: str = frame.f_globals.get("__name__", "")
    return name.startswith(_HOME)


def _open(owner: Guarded, name: str, value: Any) -> bool:
    """Whether everybody may set it."""
    if callable(value) and callable(getattr(type(owner), name, None)):
        return True
    return name in owner._settable or ((owner._users or len(owner._packages) > 1) and _has(owner, name))


def _has(owner: Guarded, name: str) -> bool:
    """Whether there is such an attribute; no property is read, which could raise."""
    return hasattr(type(owner), name) or name in vars(owner)


def _inside(kind: type[Guarded], frame: FrameType) -> bool:
    module = frame.f_globals.get("__name__", "")
    if module.partition(".")[0] in kind._packages:
        return True
    code = frame.f_code.co_qualname
    return any(module == where and code.startswith(prefix) for where, prefix in kind._users)


def _refusal(owner: Guarded, name: str) -> str:
    kind, settable = type(owner).__name__, sorted(owner._settable)
    if _has(owner, name):
        others = f"; what can be: {', '.join(settable)}" if settable else ""
        return f"'{name}' of {kind} cannot be set{others}"
    public = [each for each in dir(owner) if each[0] != "_"]
    near = difflib.get_close_matches(name, settable, 1) or difflib.get_close_matches(name, public, 1)
    hint = f"; did you mean '{near[0]}'" if near else ""
    return f"{kind} has no attribute '{name}'{hint}"
