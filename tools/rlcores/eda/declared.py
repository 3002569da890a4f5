"""What a core's parameters are: its declaration rtl/*/CORE.yaml, from which .core files and checks are made (parts.py).

A declaration says each parameter once. `like` names cores whose parameters it has, too. An entry has `doc` and one of:

least, most   a whole number, and its limits
one_of        a whole number of these
choice        names, or false and true, counted from 0
digits        a decimal digit a level: least and greatest, or names counted from 0
list          numbers joined by '-', one per layer; the value is the Verilog default. With choice: names counted from 0;
              with numbers: the least and the greatest of each; with networks: one list per network, joined by ':'

and, but for a list, `default`, Verilog's. A limit that other code has too is a name of rlcores.base.limits.
`inner: true` marks one that modules have and people do not set. For the contract page: `sign`, its letter there;
`also`, what its value must be beside the range; `more`, beside the doc.

Further lines are for the commands, none of which has a list of cores of its own:

instance  the top with buses, and the page of docs/ with its contract; streams: bits of a beat of each, a number,
          NAME: n, n for each of a parameter (the first of a list), or an expression (rlcores.buses.described);
          framed: those whose TLAST the core uses; memory: its AXI4 master, masters: expressions of how many there
          are, and of the bits of addr and id of each; interrupt: the core inside whose registers at address 0 have
          the interrupt that drivers await
behind    cores that stand behind its serial line, and where (rlcores.buses.serial.SerialWindow)
cell      how it becomes a cell of a board's block design (Cell)
synth     top: what is synthesised; array: the module whose share a row is, and the parameter that counts rows; units:
          what is reported by name, and the path of its instances; kept: modules that keep their boundary; papers:
          entries of tables.yaml for single configurations; placed: the module that is placed with registered pins;
          effort: what is asked of its tools then, beside the common: wire, the delay of a wire in picoseconds for
          yosys' mapper (its own: 300), and placer, arguments of nextpnr
small     configurations of `rlcores qor --small`
area      module below rlcores_lab.area whose total(parameters) is the model of `rlcores dse` (default: CORE)
clocks    what `rlcores dse --check` counts (rlcores_lab.dse.clocks)
bench     module of rlcores_lab.bench

People write `key: value` in configs.yaml: the name in small letters or as `as` says; `log2: true` takes 4096 for 12, a
choice its name, digits and lists a list ([4, 64, 64, 2]), or one value for every level. Of several networks they write
`networks`, a list whose entries have all keys of a network.

`rules` are conditions between parameters: `holds`, an expression that Verilog and Python both read but for && and ||,
which may ask digits(NAME, least, most), and `says`, the sentence of the check in the RTL. A core has also those of the
cores it is like, unless one of their parameters follows from others there.

Beside `like` and `parameters`, `defaults` has the core's own defaults of parameters of the cores it is like, which
cores that are like it have too. `derived` has what Verilog derives: a name, with `value` and `doc`, or `of`, a core
that derives it. Modules include both, see includes.py.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from rlcores.base import files, limits, paths
from rlcores.errors import UserError

_KINDS = {"least", "most", "one_of", "choice", "digits", "list"}
_WAYS = {"doc", "as", "log2", "default", "inner", "sign", "also", "more", "numbers", "networks"}
_FACTS = {"like", "parameters", "defaults", "derived", "behind", "instance", "cell", "synth", "small", "area", "clocks"}
_FACTS |= {"bench", "rules"}
_LIST = re.compile(r"[0-9]+(-[0-9]+)*")
_CAPITALS = re.compile(r"\b[A-Z][A-Z0-9_]*\b")


@dataclass(frozen=True)
class Parameter:
    """One Verilog parameter."""

    name: str
    doc: str
    key: str  # what people call it
    least: int | None = None
    most: int | None = None
    one_of: tuple[int, ...] = ()
    choice: tuple[str | bool, ...] = ()
    digits: tuple[int | str, ...] = ()
    log2: bool = False
    default: str | int = ""
    listed: bool = False  # numbers joined by '-'
    numbers: tuple[int, ...] = ()  # of a list: the least and the greatest
    networks: bool = False  # a list per network, joined by ':'
    inner: bool = False
    sign: str = ""
    also: str = ""
    more: str = ""

    @cached_property
    def _codes(self) -> dict[tuple[type, object], int]:
        """What people may write, with its type, and its number or digit; nothing of ranges and of lists of numbers."""
        if self.digits and isinstance(self.digits[0], int):
            codes = {1 << n if self.log2 else n: n for n in range(self.digits[0], self.digits[1] + 1)}
        else:
            codes = {n: n for n in self.one_of} or {name: n for n, name in enumerate(self.choice or self.digits)}
        return {(type(written), written): code for written, code in codes.items()}

    @property
    def range(self) -> str:
        """What the Verilog parameter may be, in words."""
        if self.one_of:
            return _either(self.one_of)
        if self.listed:
            named = f": {', '.join(f'{n} {name}' for n, name in enumerate(self.choice))}" if self.choice else ""
            each = " of {} to {}".format(*self.numbers) if self.numbers else ""
            several = ", networks by ':'" if self.networks else ""
            return f"numbers{each} joined by '-'{named}{several}"
        if self.choice == (False, True):
            return "0 or 1"
        if self.choice:
            return ", ".join(f"{n} {name}" for n, name in enumerate(self.choice))
        if self.digits and isinstance(self.digits[0], str):
            return "every digit " + ", ".join(f"{n} {name}" for n, name in enumerate(self.digits))
        if self.digits:
            return f"every digit {self.digits[0]} to {self.digits[1]}"
        return f"{self.least} to {self.most}" if self.most is not None else f"at least {self.least}"

    @property
    def wanted(self) -> str:
        """What people may write, in words."""
        if self.listed and self.choice:
            return f"a list of {_either(self.choice)}, one per layer"
        if self.choice:
            return _either("true" if c is True else "false" if c is False else c for c in self.choice)
        if self.digits:
            each = _either(self.digits) if isinstance(self.digits[0], str) else f"{self.digits[0]} to {self.digits[1]}"
            if self.log2:
                each = f"a power of two, {1 << self.digits[0]} to {1 << self.digits[1]}"
            return f"{each}, or a list of such, one a level"
        if self.listed:
            each = " of {} to {}".format(*self.numbers) if self.numbers else ""
            several = "; of several networks in `networks`" if self.networks else ""
            return f"a list of numbers{each}, one per layer{several}"
        if self.log2:
            return f"a power of two, {1 << self.least} to {1 << self.most}"
        return self.range

    def allows(self, value: int | str) -> bool:
        """Whether the Verilog parameter may have this value, as far as that hangs on nothing else."""
        if self.listed:
            lists = ([value] if not self.networks else value.split(":")) if isinstance(value, str) else [""]
            low, high = (0, len(self.choice) - 1) if self.choice else self.numbers or (0, None)
            numbers = [int(n) for one in lists if _LIST.fullmatch(one) for n in one.split("-")]
            return all(map(_LIST.fullmatch, lists)) and all(n >= low and (high is None or n <= high) for n in numbers)
        if not isinstance(value, int) or isinstance(value, bool):
            return False
        if self._codes:
            parts = [int(digit) for digit in str(value)] if self.digits and value >= 0 else [value]
            return all(part in self._codes.values() for part in parts)
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def narrowed(self, other: "Parameter") -> "Parameter":
        """This parameter of two cores in one, with the values that both take."""
        least = max((x.least for x in (self, other) if x.least is not None), default=None)
        most = min((x.most for x in (self, other) if x.most is not None), default=None)
        return replace(self, least=least, most=most)

    def encoded(self, written: object) -> int | str:
        """The Verilog value of what people write. Raises ValueError, KeyError or TypeError when that is none."""
        if self.listed:
            each = written if self.networks and _list(written) and isinstance(written[0], list) else [written]
            value: int | str = ":".join(self._list_encoded(one) for one in each)
        elif self.digits:
            digits = (self._codes[type(one), one] for one in (written if isinstance(written, list) else [written]))
            value = int("".join(map(str, digits)))
        elif self._codes:
            value = self._codes[type(written), written]
        else:
            value = _log2(written) if self.log2 else _whole(written)
        if not self.allows(value):
            raise ValueError
        return value

    def _list_encoded(self, written: object) -> str:
        return "-".join(str(self._codes[type(n), n] if self.choice else _whole(n)) for n in _list(written))

    def decoded(self, value: int | str) -> object:
        """What people write for a Verilog value."""
        if self.listed:
            lists = [[int(n) for n in one.split("-")] for one in str(value).split(":")]
            named = [[self.choice[n] if self.choice else n for n in one] for one in lists]
            return named if len(named) > 1 else named[0]
        if self._codes:
            written = {code: word for (_, word), code in self._codes.items()}
            words = [written[int(part)] for part in (str(value) if self.digits else [value])]
            return words if len(words) > 1 else words[0]
        return 1 << int(value) if self.log2 else value


@dataclass(frozen=True)
class Cell:
    """How a core becomes a cell of a block design."""

    free: tuple[str, ...] = ()  # Verilog parameters that stay parameters
    filesets: tuple[str, ...] = ()  # of its .core file, that its projects have too


def cell(core: str) -> Cell:
    """How a core becomes a cell."""
    names = {parameter.key: name for name, parameter in of(core).items()}
    entry = _declaration(core).get("cell", {})
    return Cell(tuple(names[key] for key in entry.get("free", ())), tuple(entry.get("filesets", ())))


def cores() -> list[str]:
    """The cores that are declared."""
    return sorted(_files())


@cache
def of(core: str) -> dict[str, Parameter]:
    """The parameters of a core that people set, those of the cores it is like first.

    Raises UserError where a declaration is wrong.
    """
    return {name: parameter for name, parameter in all_of(core).items() if not parameter.inner}


def all_of(core: str) -> dict[str, Parameter]:
    """As of, with the parameters that people do not set."""
    parameters: dict[str, Parameter] = {}
    for other in _declaration(core).get("like", ()):
        theirs = all_of(other)
        shared = {name: theirs[name].narrowed(parameters[name]) for name in theirs if name in parameters}
        parameters |= theirs | shared
    return parameters | own(core)


def own(core: str) -> dict[str, Parameter]:
    """As all_of, without those of the cores that it is like."""
    parameters = {}
    for name, entry in _declaration(core).get("parameters", {}).items():
        keys = set(entry) if isinstance(entry, dict) else set()
        if "doc" not in keys or not _KINDS & keys or keys - _KINDS - _WAYS or not {"default", "list"} & keys:
            lacks = "has no doc, no default, or no range that is known"
            raise UserError(f"'{_files()[core]}' is not a declaration of a core: '{name}' {lacks}")
        options = {k: tuple(v) if isinstance(v, list) else v for k, v in entry.items() if k not in ("list", "as")}
        options |= {k: _limit(options[k]) for k in ("least", "most") if k in options}
        if "numbers" in options:
            options["numbers"] = tuple(map(_limit, options["numbers"]))
        if "list" in entry:
            options |= {"default": entry["list"], "listed": True}
        parameters[name] = Parameter(name, key=entry.get("as", name.lower()), **options)
    return parameters


def encoded(core: str, settings: Mapping[str, object], where: str) -> dict[str, int | str]:
    """The Verilog parameters of what people write. Raises UserError for the first key or value that is none."""
    known = {parameter.key: parameter for parameter in of(core).values()}
    parameters: dict[str, int | str] = {}
    for key, value in _one_by_one(known, settings, where).items():
        if key not in known:
            raise UserError(
                f"{where}: core '{core}' has no parameter '{key}'{_since(key)}; parameters: {', '.join(known)}"
            )
        try:
            parameters[known[key].name] = known[key].encoded(value)
        except (ValueError, KeyError, TypeError) as error:
            raise UserError(f"{where}: {key} is {value}; it must be {known[key].wanted}") from error
    if broken := broken_rule(core, parameters):
        raise UserError(f"{where}: {broken}")
    return parameters


def _one_by_one(known: Mapping[str, Parameter], settings: Mapping[str, object], where: str) -> Mapping[str, object]:
    """With a list for each parameter in the place of `networks`, whose entries have all of a network's."""
    own = [key for key, parameter in known.items() if parameter.networks]
    if "networks" not in settings or not own:
        return settings
    networks = settings["networks"]
    if not isinstance(networks, list) or not all(isinstance(one, dict) and set(one) == set(own) for one in networks):
        raise UserError(f"{where}: networks is {networks}; it must be a list, each entry with {', '.join(own)}")
    if twice := [key for key in own if key in settings]:
        raise UserError(f"{where}: {twice[0]} is given beside networks, each of which has its own")
    rest = {key: value for key, value in settings.items() if key != "networks"}
    return {key: [one[key] for one in networks] for key in own} | rest


def _since(name: str) -> str:
    """What stands in the place of a parameter of the actor's own, which earlier versions had."""
    if not name.upper().startswith("ACTOR_"):
        return ""
    now = name[len("actor_") :]
    return f": {now} has a list for each network, the actor's behind the ':'"


def completed(core: str, parameters: Mapping[str, object]) -> dict[str, int | str]:
    """Verilog parameters that a user gave, and the defaults of the others.

    Raises UserError for the first name or value that is none.
    """
    known, values = of(core), {}
    for name, value in parameters.items():
        if name not in known:
            listed = ", ".join(known)
            raise UserError(f"core '{core}' has no Verilog parameter '{name}'{_since(name)}; parameters: {listed}")
        values[name] = value if isinstance(value, str | bool) else getattr(value, "item", lambda v=value: v)()
        if not known[name].allows(values[name]):
            raise UserError(f"{name} is {value!r}; it must be {known[name].range}")
    if broken := broken_rule(core, values):
        raise UserError(f"core '{core}': {broken}")
    return {name: parameter.default for name, parameter in known.items()} | values


def rules(core: str) -> list[Mapping[str, str]]:
    """The conditions between parameters of a core, those of the cores it is like first."""
    declaration = _declaration(core)
    changed = {name for name, value in defaults(core).items() if not isinstance(value, int)}
    theirs = [rule for other in declaration.get("like", ()) for rule in rules(other)]
    return [rule for rule in theirs if not changed & _named(rule)] + declaration.get("rules", [])


def broken_rule(core: str, parameters: Mapping[str, object]) -> str:
    """What the first rule says that Verilog parameters break, the others at their defaults; '' when all hold."""
    known = {name: parameter.default for name, parameter in all_of(core).items()} | dict(parameters)
    known |= {name: value for name, value in defaults(core).items() if name not in parameters}
    for rule in rules(core):
        if all(isinstance(known.get(name), int) for name in _named(rule)) and not _evaluated(rule["holds"], known):
            return rule["says"]
    return ""


def _named(rule: Mapping[str, str]) -> set[str]:
    return set(_CAPITALS.findall(rule["holds"]))


def _evaluated(holds: str, values: Mapping[str, object]) -> bool:
    """Whether a condition of a declaration, which is ours to write, holds."""

    def digits(code: int, least: int, most: int) -> bool:
        return all(least <= int(digit) <= most for digit in str(code))

    words = holds.replace("&&", " and ").replace("||", " or ")
    return bool(eval(words, {"__builtins__": {}, "digits": digits}, dict(values)))


def decoded(core: str, parameters: Mapping[str, int | str]) -> dict[str, object]:
    """What people write for Verilog parameters of a core."""
    return {of(core)[name].key: of(core)[name].decoded(value) for name, value in parameters.items()}


def defaults(core: str) -> dict[str, int | str]:
    """A core's defaults of parameters of the cores it is like, where they are other than theirs."""
    values: dict[str, int | str] = {}
    for other in fact(core, "like", ()):
        values |= defaults(other)
    return values | fact(core, "defaults", {})


def derived(core: str) -> dict[str, dict]:
    """What a core's Verilog derives from its parameters: value and doc, by name."""
    entries = _declaration(core).get("derived", {})
    return {name: derived(entry["of"])[name] if "of" in entry else entry for name, entry in entries.items()}


def having(fact: str) -> list[str]:
    """The cores whose declaration has such a line."""
    return [core for core in cores() if fact in _declaration(core)]


def fact(core: str, name: str, default: Any = None) -> Any:
    """A line of a core's declaration."""
    return _declaration(core).get(name, default)


def _declaration(core: str) -> dict:
    path = _files().get(core)
    if path is None:
        raise UserError(f"core '{core}' has no declaration; cores that have: {', '.join(cores())}")
    return _read(path)


@cache
def _read(path: Path) -> dict:
    declaration = files.read_yaml(path, "a declaration of a core")
    unknown = sorted(set(declaration) - _FACTS)
    if unknown:
        raise UserError(f"'{path}' is not a declaration of a core: nobody reads its '{unknown[0]}'")
    return declaration


def folder(core: str) -> Path:
    """The folder of a core's declaration and RTL."""
    return _files()[core].parent


def _files() -> dict[str, Path]:
    return _declarations(paths.root() / "rtl")


@cache
def _declarations(rtl: Path) -> dict[str, Path]:
    return {path.stem: path for path in rtl.glob("*/*.yaml")}


def _limit(value: int | str) -> int:
    """A number, or that of the name of a shared limit."""
    return getattr(limits, value) if isinstance(value, str) else value


def _either(these: Iterable[object]) -> str:
    *first, last = map(str, these)
    return f"{', '.join(first)} or {last}" if first else last


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError
    return value


def _log2(value: object) -> int:
    power = _whole(value).bit_length() - 1
    if value != 1 << power:
        raise ValueError
    return power


def _list(value: object) -> list:
    if not isinstance(value, list):
        raise ValueError
    return value
