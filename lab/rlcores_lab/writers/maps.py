"""What is written of a core's register map: Verilog, a page of Markdown, and a C header."""

import tempfile
from pathlib import Path

from peakrdl_cheader.exporter import CHeaderExporter

from rlcores.base import paths
from rlcores.eda import registers
from rlcores_lab import shown
from rlcores_lab.writers import register_rtl


def outputs(core: str) -> dict[Path, str]:
    """A core's files, from the root, and their text. Raises UserError when the core has no register map."""
    return {
        registers.source(core).relative_to(paths.root()).with_name(f"rlc_{core}_regs.v"): register_rtl.verilog(core),
        Path("docs") / f"{core}_registers.md": markdown(core),
        Path("sw/include") / f"rlc_{core}_regs.h": c_header(core),
    }


def markdown(core: str) -> str:
    """The register map of a core as a page."""
    top = registers.elaborated(core).top
    return shown.rendered(
        "writers/registers.md.j2", title=top.get_property("name"), doc=" ".join(top.get_property("desc").split()),
        source=registers.source(core).relative_to(paths.root()), registers=list(registers.load(core).values()),
    )  # fmt: skip


def c_header(core: str) -> str:
    """The register map of a core as a C header: named values, masks, positions, and a struct of its registers."""
    with tempfile.TemporaryDirectory() as folder:
        # The exporter makes the include guard from the file's name.
        path = Path(folder) / f"rlc_{core}_regs.h"
        CHeaderExporter().export(registers.elaborated(core), str(path))
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
