"""Register maps, read from a core's SystemRDL."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from rlcores.base import paths
from rlcores.errors import UserError


@dataclass(frozen=True)
class Field:
    """Some bits of a register."""

    name: str
    low: int  # lowest bit
    width: int  # bits
    access: str  # ro, wo, rw or w1c
    reset: int
    doc: str
    values: Mapping[str, int]  # names of values, where they have names

    @property
    def mask(self) -> int:
        """The field's bits in its register."""
        return ((1 << self.width) - 1) << self.low


@dataclass(frozen=True)
class Register:
    """One 32-bit register."""

    name: str
    address: int  # bytes
    title: str
    doc: str
    fields: tuple[Field, ...]

    @cached_property
    def by_name(self) -> dict[str, Field]:
        """The fields by name."""
        return {f.name: f for f in self.fields}

    @property
    def reset(self) -> int:
        """The whole word after reset; what is written only reads as 0."""
        return sum(f.reset << f.low for f in self.fields if f.access != "wo")

    def mask(self, *access: str) -> int:
        """The bits of all fields of these kinds of access."""
        return sum(f.mask for f in self.fields if f.access in access)


def source(core: str) -> Path:
    """The SystemRDL file of a core.

    Raises UserError when the core has none.
    """
    path = _sources().get(core)
    if path is None:
        raise UserError(f"core '{core}' has no register map; cores with one: {', '.join(cores()) or 'none'}")
    return path


def cores() -> list[str]:
    """The cores that have a register map."""
    return list(_sources())


def _sources() -> dict[str, Path]:
    return {path.stem: path for path in sorted((paths.root() / "rtl").glob("*/*.rdl"))}


def load(core: str, parameters: Mapping[str, int | str] | None = None) -> dict[str, Register]:
    """The registers of a core by name, in the order of their addresses.

    parameters: Verilog parameters, which give some registers their value after reset (default: the RTL's own); lists as
    the RTL has them, "4-64-2".
    Raises UserError when the core has no register map.
    """
    return dict(_load(source(core), tuple(sorted((parameters or {}).items()))))


@cache
def _load(path: Path, parameters: tuple[tuple[str, int | str], ...]) -> dict[str, Register]:
    return {register.name: register for register in map(_register, nodes(elaborated(path.stem, dict(parameters)).top))}


def nodes(top) -> list:
    """The registers of an elaborated map, those of its register files in their places."""
    from systemrdl.node import RegNode

    return [node for node in top.descendants() if isinstance(node, RegNode)]


def name_of(node) -> str:
    """A register's name; behind that of its register file, if it is in one: NET0_ACT_FRAC."""
    return "_".join(node.get_path_segments()[1:])


def compiled(core: str):
    """The compiler that has read a core's map. Raises UserError when the core has none."""
    from systemrdl import RDLCompiler

    compiler = RDLCompiler()
    compiler.compile_file(str(source(core)))
    return compiler


def elaborated(core: str, parameters: Mapping[str, int | str] | None = None):
    """A core's map with these Verilog parameters. Raises UserError when the core has none."""
    compiler = compiled(core)
    # A core has parameters that no register shows.
    known = {p.name for p in compiler.root.comp_defs[f"rlc_{core}"].parameters}
    values = {f"P_{name}": value for name, value in _numbers(parameters or {}, known).items()}
    return compiler.elaborate(top_def_name=f"rlc_{core}", parameters=values)


def _numbers(parameters: Mapping[str, int | str], known: Collection[str]) -> dict[str, int]:
    """Lists, "4-64-2:4-8-1", become numbers as far as the map knows them: NAME_0_0, NAME_0_1 … of each network, and of
    SIZES also LAYERS_0 …. A map of one network leaves its number out.
    """
    numbers = {}
    for name, value in parameters.items():
        if f"P_{name}" in known:
            numbers[name] = int(value)
            continue
        for network, each in enumerate(str(value).split(":")):
            one = network == 0 and f"P_{name}_0" in known
            own = name if one else f"{name}_{network}"
            places = [place for place in range(len(known)) if f"P_{own}_{place}" in known]
            fields = [int(field) for field in each.split("-")] if places else []
            numbers |= {f"{own}_{place}": fields[place] if place < len(fields) else 0 for place in places}
            layers = "LAYERS" if one else f"LAYERS_{network}"
            if name == "SIZES" and f"P_{layers}" in known:
                numbers[layers] = len(str(each).split("-")) - 1
    return numbers


def _register(node) -> Register:
    fields = tuple(_field(f) for f in node.fields())
    doc, title = _one_line(node.get_property("desc") or ""), node.get_property("name")
    if node.parent.get_path_segments()[1:]:  # a register file
        title = f"{node.parent.get_property('name')}: {title[0].lower()}{title[1:]}"
    return Register(name_of(node), node.absolute_address, title, doc, fields)


def _field(node) -> Field:
    access = {"r": "ro", "w": "wo", "rw": "rw"}[node.get_property("sw").name]
    if node.get_property("onwrite") is not None:
        access = "w1c"
    enum = node.get_property("encode")
    values = {item.name: item.value for item in enum} if enum else {}
    doc = _one_line(node.get_property("desc") or "")
    return Field(node.inst_name, node.low, node.width, access, node.get_property("reset") or 0, doc, values)


def _one_line(text: str) -> str:
    return " ".join(text.split())
