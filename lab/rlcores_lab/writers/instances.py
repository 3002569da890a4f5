"""The page docs/instances.md: every core's AXI top to copy, an instance in Verilog and a component in VHDL."""

import textwrap
from collections.abc import Collection, Sequence
from pathlib import Path

from rlcores.eda import configs, declared, headers, slang, sources
from rlcores_lab import shown

# Words that VHDL-2008 keeps for itself; a name of ours that is one of them stands between backslashes.
_RESERVED = {
    "abs", "access", "after", "alias", "all", "and", "architecture", "array", "assert", "assume", "attribute",
    "begin", "block", "body", "buffer", "bus", "case", "component", "configuration", "constant", "context", "cover",
    "default", "disconnect", "downto", "else", "elsif", "end", "entity", "exit", "fairness", "file", "for", "force",
    "function", "generate", "generic", "group", "guarded", "if", "impure", "in", "inertial", "inout", "is", "label",
    "library", "linkage", "literal", "loop", "map", "mod", "nand", "new", "next", "nor", "not", "null", "of", "on",
    "open", "or", "others", "out", "package", "parameter", "port", "postponed", "procedure", "process", "property",
    "protected", "pure", "range", "record", "register", "reject", "release", "rem", "report", "restrict", "return",
    "rol", "ror", "select", "sequence", "severity", "shared", "signal", "sla", "sll", "sra", "srl", "strong",
    "subtype", "then", "to", "transport", "type", "unaffected", "units", "until", "use", "variable", "vmode", "vprop",
    "vunit", "wait", "when", "while", "with", "xnor", "xor",
}  # fmt: skip


def outputs() -> dict[Path, str]:
    """The page, from the root, and its text."""
    entries = []
    for core, (top, page) in tops().items():
        vlnv = configs.core(core).vlnv
        design = sources.of_core(vlnv).design(top)
        header, derived, ports = headers.read(design), declared.derived(core), slang.ports(design)
        entries.append(
            (vlnv, page, wires(header, ports), _instance(header, derived), _component(header, derived, ports))
        )
    left_out = [core for core in declared.cores() if core not in tops()]
    text = shown.rendered("writers/instances.md.j2", cores=entries, left_out=left_out)
    return {Path("docs") / "instances.md": text}


def tops() -> dict[str, tuple[str, str]]:
    """Core -> its top with buses, and the page of its contract."""
    facts = {core: declared.fact(core, "instance") for core in declared.having("instance")}
    return {core: (entry["top"], entry["page"]) for core, entry in facts.items()}


def wires(header: headers.Header, ports: Sequence[slang.Port]) -> list[str]:
    """A declaration for the wire at each port but clock and reset, as wide as the parameters' defaults make it."""
    widths: dict[str, list[str]] = {}
    for port in ports:
        if port.name not in ("clk", "rst"):
            width = f"[{port.bits - 1}:0] " if port.bits > 1 or _vector(header, port) else ""
            widths.setdefault(width, []).append(port.name)
    return [line for width, names in widths.items() for line in _declaration(f"wire {width}", names)]


def _declaration(head: str, names: list[str]) -> list[str]:
    text = f"{head}{', '.join(names)};"
    return textwrap.wrap(text, 110, subsequent_indent="    ")


def _instance(header: headers.Header, derived: Collection[str]) -> list[str]:
    # A parameter that follows from others is not the user's to give.
    free = {name: value for name, value in header.parameters.items() if name not in derived}
    assigned = [f".{name}({value})" for name, value in free.items() if headers.LITERAL.fullmatch(value)]
    ports = ",\n".join("\n".join(wrapped([f".{p.name}({p.name})" for p in group])) for group in header.groups)
    return [f"{header.module} #(", *wrapped(assigned), f") u_{header.module.removeprefix('rlc_')} (", ports, ");"]


def _component(header: headers.Header, derived: Collection[str], ports: Sequence[slang.Port]) -> list[str]:
    """The top's component declaration in VHDL, its ports as wide as the parameters' defaults make them."""
    free = {name: value for name, value in header.parameters.items() if name not in derived}
    literals = {name: value for name, value in free.items() if headers.LITERAL.fullmatch(value)}
    kinds = {name: "string" if value.startswith('"') else "integer" for name, value in literals.items()}
    generics = [f"        {vhdl(name)} : {kinds[name]} := {value}" for name, value in literals.items()]
    lines = []
    for port in ports:
        wide = port.bits > 1 or _vector(header, port)
        kind = f"std_logic_vector({port.bits - 1} downto 0)" if wide else "std_logic"
        lines.append(f"        {vhdl(port.name)} : {'out' if port.output else 'in'} {kind}")
    declaration = [f"component {header.module} is"]
    if generics:
        declaration += ["    generic (", *";\n".join(generics).splitlines(), "    );"]
    return [*declaration, "    port (", *";\n".join(lines).splitlines(), "    );", "end component;"]


def vhdl(name: str) -> str:
    """A name as VHDL takes it."""
    return f"\\{name}\\" if name.lower() in _RESERVED else name


def _vector(header: headers.Header, port: slang.Port) -> bool:
    return next(p.left for p in header.ports if p.name == port.name) != ""


def wrapped(items: list[str]) -> list[str]:
    """Items with commas between them, in lines of 4 spaces and at most 110 characters."""
    text = ", ".join(items)
    return textwrap.wrap(text, 110, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
