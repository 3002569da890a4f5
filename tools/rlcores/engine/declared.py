"""What a core's parameters are: its declaration rtl/*/CORE.yaml, from which .core files and checks are made.

A declaration says each parameter once. `like` names cores whose parameters it has, too. An entry has `doc` and one of:

least, most   a whole number, and its limits
one_of        a whole number of these
choice        names, counted from 0
digits        a whole number of decimal digits, one a level, and the limits of each
list          numbers joined by '-', one a layer; the value is the Verilog default
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rlcores.base import files, paths
from rlcores.errors import UserError

_KINDS = {"least", "most", "one_of", "choice", "digits", "list"}
_LIST = re.compile(r"[0-9]+(-[0-9]+)*")
# Between these two lines of a .core file stands what this module writes: 'definitions', 'top' or 'names' of a core.
_PART = re.compile(r"^( *)# <(\w+) of (\w+)>\n(.*?)^ *# </\2>\n", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Parameter:
    """One Verilog parameter."""

    name: str
    doc: str
    least: int | None = None
    most: int | None = None
    one_of: tuple[int, ...] = ()
    choice: tuple[str, ...] = ()
    digits: tuple[int, int] | None = None
    default: str = ""  # of a list

    @property
    def range(self) -> str:
        """What it may be, in words; '' when anything."""
        if self.one_of:
            return _either(self.one_of)
        if self.choice == ("no", "yes"):
            return "0 or 1"
        if self.choice:
            return ", ".join(f"{n} {name}" for n, name in enumerate(self.choice))
        if self.digits:
            return f"every digit {self.digits[0]} to {self.digits[1]}"
        if self.default:
            return f"numbers joined by '-', such as {self.default}"
        return f"{self.least} to {self.most}" if self.most is not None else f"at least {self.least}"

    def allows(self, value: int | str) -> bool:
        """Whether it may have this value, as far as that hangs on nothing else."""
        if self.default:
            return isinstance(value, str) and bool(_LIST.fullmatch(value))
        if not isinstance(value, int) or isinstance(value, bool):
            return False
        if self.one_of or self.choice:
            return value in (self.one_of or range(len(self.choice)))
        if self.digits:
            return value >= 0 and all(self.digits[0] <= int(digit) <= self.digits[1] for digit in str(value))
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)


def cores() -> list[str]:
    """The cores that are declared."""
    return sorted(_files())


@cache
def of(core: str) -> dict[str, Parameter]:
    """The parameters of a core, those of the cores it is like first. Raises UserError where a declaration is wrong."""
    path = _files().get(core)
    if path is None:
        raise UserError(f"core '{core}' has no declaration; cores that have: {', '.join(cores())}")
    found = files.read_yaml(path, "a declaration of a core")
    parameters: dict[str, Parameter] = {}
    for other in found.get("like", ()):
        parameters |= of(other)
    for name, entry in found.get("parameters", {}).items():
        keys = set(entry) if isinstance(entry, dict) else set()
        if "doc" not in keys or not _KINDS & keys or keys - _KINDS - {"doc"}:
            raise UserError(f"'{path}' is not a declaration of a core: '{name}' has no doc, or no range that is known")
        given = {k: tuple(v) if isinstance(v, list) else v for k, v in entry.items() if k != "list"}
        parameters[name] = Parameter(name, default=entry.get("list", ""), **given)
    return parameters


def check(core: str, values: Mapping[str, int | str], where: str) -> None:
    """Raises UserError for the first value that the core has no parameter for, or that this may not be."""
    known = of(core)
    for name, value in values.items():
        if name not in known:
            raise UserError(f"{where}: core '{core}' has no parameter '{name}'; parameters: {', '.join(known)}")
        if not known[name].allows(value):
            raise UserError(f"{where}: {name} is {value}; it must be {known[name].range}")


def outputs() -> dict[Path, str]:
    """Every .core file with a part that is written from a declaration, as it should be; paths from the root."""
    found = {}
    for folder in ("rtl", "verif"):
        for path in sorted((paths.root() / folder).rglob("*.core")):
            text = path.read_text()
            if _PART.search(text):
                found[path.relative_to(paths.root())] = _PART.sub(_written, text)
    return found


def _files() -> dict[str, Path]:
    return {path.stem: path for path in (paths.root() / "rtl").glob("*/*.yaml")}


def _written(part: re.Match) -> str:
    indent, what, core, _ = part.groups()
    lines = {"definitions": _definitions, "top": _top, "names": _names}[what](of(core).values())
    body = "".join(f"{indent}{line}\n" for line in lines)
    return f"{indent}# <{what} of {core}>\n{body}{indent}# </{what}>\n"


def _definitions(parameters: Iterable[Parameter]) -> list[str]:
    parameters = list(parameters)
    width = max(len(p.name) for p in parameters) + 1
    return [f"{f'{p.name}:':{width}} {{{_attributes(p)}}}" for p in parameters]


def _attributes(p: Parameter) -> str:
    kind = f'datatype: str, default: "{p.default}"' if p.default else "datatype: int"
    description = p.doc if p.default else f"{p.doc} ({p.range})"
    return f'{kind}, paramtype: vlogparam, description: "{description}"'


def _top(parameters: Iterable[Parameter]) -> list[str]:
    return [f'- "is_toplevel? ({p.name})"' for p in parameters]


def _names(parameters: Iterable[Parameter]) -> list[str]:
    return [f"- {p.name}" for p in parameters]


def _either(numbers: Iterable[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} or {last}"
