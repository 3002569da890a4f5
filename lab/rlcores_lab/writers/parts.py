"""Parts of hand-written files that come from declarations: between `# <WHAT of NAME>` and `# </WHAT>`.

definitions, top, names   of a core's parameters, in .core files
projects, targets         filesets and targets of the boards that have a project of a core, in its .core file
cores                     every core below a folder
nextpnr, ooc              flow_options of a board's target, and of a core by itself on a board's part
clock, period             of a board, in Tcl and in XDC
"""

import re
import textwrap
from pathlib import Path

from rlcores.base import paths
from rlcores.engine import boards, configs, declared
from rlcores_lab import shown

_PART = re.compile(r"^( *)# <(\w+) of (\w+)>\n(.*?)^ *# </\2>\n", re.MULTILINE | re.DOTALL)


def outputs() -> dict[Path, str]:
    """Every file with a part that is written from a declaration, as it should be; paths from the root."""
    found = {}
    for folder in ("rtl", "verif", "constraints", "cores"):
        for path in sorted((paths.root() / folder).rglob("*")):
            if path.suffix in (".core", ".tcl", ".xdc") and _PART.search(text := path.read_text()):
                found[path.relative_to(paths.root())] = _PART.sub(_written, text)
    return found


def _written(part: re.Match) -> str:
    indent, what, name, _ = part.groups()
    given = {"what": what, "name": name}
    if name in declared.cores():
        with_it = [boards.of(board) for board in boards.with_designs() if name in boards.of(board).designs]
        given |= {"parameters": list(declared.of(name).values()), "boards": with_it}
        given |= {"filesets": list(declared.cell(name).filesets)}
    elif name in boards.names():
        given["board"] = boards.of(name)
    else:
        given["cores"] = [c for c in configs.cores().values() if c.file.is_relative_to(paths.root() / name)]
    body = textwrap.indent(shown.rendered("writers/parts.j2", **given), indent)
    return f"{indent}# <{what} of {name}>\n{body}{indent}# </{what}>\n"
