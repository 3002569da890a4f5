"""Register maps: read from a core's SystemRDL, written as Markdown and as a C header."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from rlcores.base import paths
from rlcores.errors import UserError

_ACCESS_DOC = {
    "ro": "read only",
    "wo": "write only, reads as 0",
    "rw": "read and write",
    "w1c": "read; writing a one clears the bit",
}


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


def load(core: str, parameters: Mapping[str, int] | None = None) -> dict[str, Register]:
    """The registers of a core by name, in the order of their addresses.

    parameters: Verilog parameters, which give some registers their value after reset (default: the RTL's own).
    Raises UserError when the core has no register map.
    """
    return dict(_load(source(core), tuple(sorted((parameters or {}).items()))))


@cache
def _load(path: Path, parameters: tuple[tuple[str, int], ...]) -> dict[str, Register]:
    top = _elaborate(path.stem, dict(parameters)).top
    return {node.inst_name: _register(node) for node in top.registers()}


def outputs(core: str) -> dict[Path, str]:
    """What is generated for a core: path below the repository, and text."""
    from rlcores.engine import register_rtl

    return {
        source(core).relative_to(paths.root()).with_name(f"rlc_{core}_regs.v"): register_rtl.verilog(core),
        Path("docs") / f"{core}_registers.md": markdown(core),
        Path("sw/include") / f"rlc_{core}_regs.h": c_header(core),
    }


def markdown(core: str) -> str:
    """The register map of a core as a Markdown page."""
    top = _elaborate(core, None).top
    registers = list(load(core).values())
    lines = [
        f"# {top.get_property('name')}",
        "",
        f"Generated from `{source(core).relative_to(paths.root())}` by `rlcores docs`; do not edit.",
        "",
        _one_line(top.get_property("desc")),
        "Bits that no field names read as 0 and are ignored when written. "
        "Reset values that come from parameters are those of the RTL's default parameters.",
        "",
        "Access: " + "; ".join(f"`{name}` {doc}" for name, doc in _ACCESS_DOC.items()) + ".",
        "",
        *_table(("address", "register", "reset", "what"), (_row(r) for r in registers)),
    ]
    for register in registers:
        lines += ["", f"## {register.name} `0x{register.address:02X}`", "", f"{register.title}. {register.doc}".strip()]
        lines += ["", *_table(("bits", "field", "access", "reset", "meaning"), map(_field_row, register.fields))]
        for field in register.fields:
            if field.values:
                lines += ["", *_table((field.name, "name"), ((str(v), f"`{n}`") for n, v in field.values.items()))]
    return "\n".join(lines) + "\n"


def c_header(core: str) -> str:
    """The register map of a core as a C header: named values, masks, positions, and a struct of its registers."""
    import tempfile

    from peakrdl_cheader.exporter import CHeaderExporter

    with tempfile.TemporaryDirectory() as folder:
        # The exporter makes the include guard from the file's name.
        path = Path(folder) / f"rlc_{core}_regs.h"
        CHeaderExporter().export(_elaborate(core, None), str(path))
        text = path.read_text()
    # The exporter leaves out the named values of fields.
    values = [
        "#define " + f"RLC_{core}__{register.name}__{field.name}__{name}".upper() + f" {value}"
        for register in load(core).values()
        for field in register.fields
        for name, value in field.values.items()
    ]
    includes, assert_h, rest = text.partition("#include <assert.h>\n")
    return "\n".join([includes + assert_h, "// values", *values, rest])


def compiled(core: str):
    """The compiler that has read a core's map. Raises UserError when the core has none."""
    from systemrdl import RDLCompiler

    compiler = RDLCompiler()
    compiler.compile_file(str(source(core)))
    return compiler


def _elaborate(core: str, parameters: Mapping[str, int] | None):
    compiler = compiled(core)
    # A core has parameters that no register shows.
    known = {p.name for p in compiler.root.comp_defs[f"rlc_{core}"].parameters}
    given = {f"P_{name}": value for name, value in (parameters or {}).items() if f"P_{name}" in known}
    return compiler.elaborate(top_def_name=f"rlc_{core}", parameters=given)


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


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    head = list(head)
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


def _row(register: Register) -> tuple[str, ...]:
    link = f"[{register.name}](#{register.name.lower()}-0x{register.address:02x})"
    return f"0x{register.address:02X}", link, f"0x{register.reset:08X}", register.title


def _field_row(field: Field) -> tuple[str, ...]:
    high = field.low + field.width - 1
    bits = f"{high}:{field.low}" if field.width > 1 else f"{field.low}"
    reset = "-" if field.access == "wo" else f"0x{field.reset:X}"
    return bits, f"`{field.name}`", field.access, reset, field.doc or "-"
