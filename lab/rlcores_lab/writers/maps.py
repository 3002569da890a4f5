"""What is written of a core's register map: Verilog, a page of Markdown, and a C header."""

import re
import tempfile
from pathlib import Path

from peakrdl_cheader.exporter import CHeaderExporter

from rlcores.base import paths
from rlcores.eda import registers
from rlcores_lab import shown
from rlcores_lab.writers import register_rtl


def outputs(core: str) -> dict[Path, str]:
    """A core's files, from the root, and their text. Raises UserError when the core has no register map."""
    folder = registers.source(core).parent.relative_to(paths.root())
    return {
        folder / "gen" / f"rlc_{core}_regs.v": register_rtl.verilog(core),
        Path("docs") / f"{core}_registers.md": markdown(core),
        Path("sw/include") / f"rlc_{core}_regs.h": c_header(core),
    }


def markdown(core: str) -> str:
    """The register map of a core as a page."""
    top = registers.elaborated(core).top
    return shown.rendered(
        "writers/registers.md.j2", title=top.get_property("name"), doc=" ".join(top.get_property("desc").split()),
        source=registers.source(core).relative_to(paths.root()), groups=_alike(list(registers.load(core).values())),
        bits=_bits, said=_said, plain=_plain, anchor=_anchor,
    )  # fmt: skip


def _bits(field: registers.Field) -> str:
    """Where a field is, as 7:0 or 3."""
    return f"{field.low + field.width - 1}:{field.low}" if field.width > 1 else str(field.low)


def _plain(register: registers.Register) -> bool:
    """Whether a line of the first table says all of it."""
    return len(register.fields) == 1 and not register.fields[0].values


def _anchor(register: registers.Register) -> str:
    return f"{register.name.lower()}-0x{register.address:02x}"


def _said(*texts: str) -> str:
    """Sentences of a register and of its only field, each once."""
    said = ""
    for text in (text.strip().rstrip(".") for text in texts if text):
        if text.lower() not in said.lower():
            said += ("" if not said else ". " if text[0].isupper() else ": ") + text
    return said


def _alike(neighbours: list[registers.Register]) -> list[list[registers.Register]]:
    """Neighbours that differ in a number only, such as those of each layer, in one list."""
    groups: list[list[registers.Register]] = []
    for one in neighbours:
        if groups and _shape(groups[-1][0]) == _shape(one):
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def _shape(register: registers.Register) -> tuple[object, ...]:
    texts = [register.name, register.title, register.doc]
    texts += [f"{field.name} {field.access} {_bits(field)} {field.doc} {field.values}" for field in register.fields]
    return tuple(re.sub(r"(?<![\w:])\d+\b|\d+$", "#", text) for text in texts)


def c_header(core: str) -> str:
    """The register map of a core as a C header: named values, masks, positions, and a struct of its registers."""
    with tempfile.TemporaryDirectory() as folder:
        # The exporter makes the include guard from the file's name.
        path = Path(folder) / f"rlc_{core}_regs.h"
        CHeaderExporter().export(registers.elaborated(core), str(path), reuse_typedefs=False)
        text = path.read_text()
    # The exporter leaves out the named values of fields.
    values = [
        "#define " + f"RLC_{core}__{register.name}__{field.name}__{name}".upper() + f" {value}"
        for register in registers.load(core).values()
        for field in register.fields
        for name, value in field.values.items()
    ]
    licence = "// SPDX-License-Identifier: Apache-2.0"
    includes, assert_h, rest = text.partition("#include <assert.h>\n")
    return "\n".join([licence, includes + assert_h, "// values", *values, rest])
