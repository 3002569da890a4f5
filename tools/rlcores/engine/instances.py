"""The page docs/instances.md: an instance of every core's AXI top to copy, read from the top's own header."""

from pathlib import Path

from rlcores.engine import configs, declared, headers, slang, sources

PAGE = Path("docs") / "instances.md"

_HEAD = """# Instances to copy

Written by `rlcores docs` from the headers of the tops; do not edit.

Each core is here once, with every parameter at its default and every port on a wire of its own name. In your `.core`
file depend on the core's VLNV. Without FuseSoC give your tool the core's list, such as `-f rtl/gae/gae.f`, in the root
of rlcores. A tool that reads IP-XACT (IEEE 1685-2014) takes the component beside it, such as
`rtl/gae/gae.component.xml`, with parameters, ports, interfaces and files. The contract says what the parameters mean
and what is legal; `configs.yaml` has sets that belong together.

In LiteX a core is a module: `rlcores.integrations.litex.Core(platform, "gae", "ecp5_8")` has its AXI4-Lite slave as
`bus`, its streams under the names of the ports, and its interrupt in `ev` (`uv sync --extra litex`).
"""
_WIDTH = 110


def tops() -> dict[str, tuple[str, str]]:
    """Core -> its top with buses, and the page of its contract."""
    given = {core: declared.fact(core, "instance") for core in declared.having("instance")}
    return {core: (entry["top"], entry["page"]) for core, entry in given.items()}


def markdown() -> str:
    """The page."""
    parts = [_HEAD]
    for core, (top, page) in tops().items():
        found = configs.core(core)
        parts += [f"## {top}", "", f"`{found.vlnv}`, [contract]({page}).", "", "```verilog"]
        parts += [instance(sources.of_core(found.vlnv).design(top)), "```", ""]
    return "\n".join(parts)


def instance(design: slang.Design) -> str:
    """An instance of the design's top. Raises UserError when there is none."""
    header = headers.read(design)
    lines = [f"{header.module} #("]
    # A parameter that follows from others is not the user's to give.
    given = {name: value for name, value in header.parameters.items() if headers.LITERAL.fullmatch(value)}
    lines += wrapped([f".{name}({value})" for name, value in given.items()])
    lines += [f") u_{header.module.removeprefix('rlc_')} ("]
    for group in header.groups:
        lines += wrapped(
            [f".{port.name}({port.name})" for port in group], end="" if group is header.groups[-1] else ","
        )
    return "\n".join([*lines, ");"])


def wrapped(items: list[str], end: str = "") -> list[str]:
    """Items in lines of 4 spaces and at most _WIDTH characters, with commas between them."""
    lines, line = [], "   "
    for number, item in enumerate(items):
        item += "," if number < len(items) - 1 else end
        if len(line) + 1 + len(item) > _WIDTH:
            lines.append(line)
            line = "   "
        line += f" {item}"
    return [*lines, line]
