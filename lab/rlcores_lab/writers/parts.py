"""Parts of hand-written files that come from declarations: between `# <WHAT of NAME>` and `# </WHAT>`.

definitions, top, names   of a core's parameters, in .core files
projects, targets         filesets and targets of the boards that have a project of a core, in its .core file
cores                     every core below a folder
nextpnr, ooc              flow_options of a board's target, and of a core by itself on a board's part
clock, period             of a board, in Tcl and in XDC
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from rlcores.base import paths
from rlcores.engine import boards, configs, declared
from rlcores.engine.declared import Parameter

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
    body = "".join(f"{indent}{line}\n" for line in _WRITERS[what](name))
    return f"{indent}# <{what} of {name}>\n{body}{indent}# </{what}>\n"


def _definitions(core: str) -> list[str]:
    parameters = list(declared.of(core).values())
    width = max(len(p.name) for p in parameters) + 1
    return [f"{f'{p.name}:':{width}} {{{_attributes(p)}}}" for p in parameters]


def _attributes(p: Parameter) -> str:
    kind = f"datatype: {'str' if p.listed else 'int'}"
    description = p.doc if p.listed else f"{p.doc} ({p.range})"
    return f'{kind}, paramtype: vlogparam, description: "{description}"'


def _top(core: str) -> list[str]:
    return [f'- "is_toplevel? ({name})"' for name in declared.of(core)]


def _names(core: str) -> list[str]:
    return [f"- {name}" for name in declared.of(core)]


def _projects(core: str) -> Iterable[str]:
    for board in boards.with_designs():
        if core in boards.of(board).designs:
            yield f"{board}:"
            yield f"  depend: [rlcores:board:{board}_{core}]"
            yield "  files:"
            yield f"    - rlc_{core}_{board}.v: {{file_type: verilogSource-2005}}"
            yield "    - board_design.tcl: {file_type: tclSource}"


def _targets(core: str) -> Iterable[str]:
    for name in boards.with_designs():
        board = boards.of(name)
        if core in board.designs:
            parts = ["rtl", *declared.cell(core).filesets, name]
            yield f"{name}:"
            yield f"  description: Vivado project for the {board.title}, constraints/{name}/README.md"
            yield f"  filesets: [{', '.join(parts)}]"
            yield "  flow: vivado"
            yield f'  flow_options: {{part: {board.part}, board_part: "{board.board_part}", source_mgmt_mode: All}}'
            yield f"  toplevel: {board.designs[core].top}"


def _cores(folder: str) -> list[str]:
    return [f"- {core.vlnv}" for core in configs.cores().values() if core.file.is_relative_to(paths.root() / folder)]


def _ooc(board: str) -> list[str]:
    return [f"flow_options: {{part: {boards.of(board).part}, pnr: none, source_mgmt_mode: All}}"]


def _nextpnr(board: str) -> list[str]:
    return ["nextpnr_options: [" + ", ".join(f'"{word}"' for word in boards.of(board).nextpnr) + "]"]


def _clock(board: str) -> list[str]:
    return [f"set rlc::mhz {boards.of(board).clock_mhz:g}"]


def _period(board: str) -> list[str]:
    return [f"set period {1e3 / boards.of(board).clock_mhz:.3f}"]


_WRITERS: dict[str, Callable[[str], Iterable[str]]] = {
    "definitions": _definitions,
    "top": _top,
    "names": _names,
    "projects": _projects,
    "targets": _targets,
    "cores": _cores,
    "ooc": _ooc,
    "nextpnr": _nextpnr,
    "clock": _clock,
    "period": _period,
}
