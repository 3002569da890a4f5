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
    top = elaborated(path.stem, dict(parameters)).top
    return {node.inst_name: _register(node) for node in top.registers()}


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
    """Lists, "4-64-2", become numbers: NAME_0, NAME_1 … as far as the map knows them, and of SIZES also LAYERS."""
    numbers = {}
    for name, value in parameters.items():
        if f"P_{name}" in known:
            numbers[name] = int(value)
        elif f"P_{name}_0" in known:
            places = sum(f"P_{name}_{place}" in known for place in range(len(known)))
            for prefix, each in zip(("", "ACTOR_"), str(value).split(":"), strict=False):
                if f"P_{prefix}{name}_0" not in known:
                    continue
                fields = [int(field) for field in each.split("-")]
                numbers |= {f"{prefix}{name}_{place}": (fields + [0] * places)[place] for place in range(places)}
                if name == "SIZES" and f"P_{prefix}LAYERS" in known:
                    numbers[f"{prefix}LAYERS"] = len(fields) - 1
    return numbers


def _register(node) -> Register:
    fields = tuple(_field(f) for f in node.fields())
    doc = _one_line(node.get_property("desc") or "")
    return Register(node.inst_name, node.absolute_address, node.get_property("name"), doc, fields)


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
