"""Parts of hand-written files that come from declarations or figures: between `# <WHAT of NAME>` and `# </WHAT>`, or as
comments of Markdown, `<!-- <WHAT of NAME> -->`.

definitions, top, names   of a core's parameters, in .core files
contract                  a table of the parameters that a core has beside those of others, in docs
projects, targets         filesets and targets of the boards that have a project of a core, in its .core file
cores                     every core below a folder
nextpnr, ooc              flow_options of a board's target, and of a core by itself on a board's part
clock, period             of a board, in Tcl and in XDC
ten, check, found         of nothing: README's figures, the tables of `rlcores dse --check` and of a search of it,
mutants, families         that of `rlcores mutate`, and that of `rlcores synth --device families`
matrix                    of nothing: cores by backends and boards (matrix.py)
rounds, iterations        those of `rlcores bench learners`
choices, numbers, streams, leaves, leaf_targets, environments   of nothing: what names environments (environments.py)
optimiser, optimisers, optimiser_tops   of nothing: what names optimisers (optimisers.py)
"""

import re
import textwrap
from pathlib import Path

from rlcores.base import paths
from rlcores.eda import boards, configs, declared
from rlcores_lab import results, shown
from rlcores_lab.mutation import table as mutants
from rlcores_lab.writers import checked, environments, families, learners, matrix, optimisers

_PART = re.compile(
    r"^(?P<begin>(?P<indent> *)(#|<!--) <(?P<what>\w+)( of (?P<name>\w+))?>( -->)?\n)"
    r".*?(?P<end>^ *(#|<!--) </(?P=what)>( -->)?\n)",
    re.MULTILINE | re.DOTALL,
)
_FROM_FIGURES = {
    "ten": results.ten,
    "check": checked.table,
    "found": checked.searched,
    "mutants": mutants.markdown,
    "families": families.table,
    "matrix": matrix.table,
    "rounds": learners.rounds,
    "iterations": learners.iterations,
    **environments.PARTS,
    **optimisers.PARTS,
}


def outputs() -> dict[Path, str]:
    """Every file with a part that is written, as it should be; paths from the root."""
    texts = {}
    for place in ("rtl/**/*", "verif/**/*", "constraints/**/*", "cores/**/*", "docs/**/*", "README.md"):
        for path in sorted(paths.root().glob(place)):
            if path.suffix in (".core", ".tcl", ".xdc", ".md") and _PART.search(path.read_text()):
                texts[path.relative_to(paths.root())] = refreshed(path)
    return texts


def refreshed(path: Path) -> str:
    """The text of a file with its parts as they should be."""
    return _PART.sub(_written, path.read_text())


def _written(part: re.Match) -> str:
    indent, what, name = part["indent"], part["what"], part["name"]
    if name is None:
        return f"{part['begin']}{textwrap.indent(_FROM_FIGURES[what](), indent)}{part['end']}"
    context = {"what": what, "name": name}
    if name in declared.cores():
        with_it = [boards.of(board) for board in boards.with_designs() if name in boards.of(board).designs]
        context |= {"parameters": list(declared.of(name).values()), "own": list(declared.own(name).values())}
        context["boards"] = with_it
        context |= {"filesets": list(declared.cell(name).filesets)}
    elif name in boards.names():
        context["board"] = boards.of(name)
    else:
        context["cores"] = [c for c in configs.cores().values() if c.file.is_relative_to(paths.root() / name)]
    body = textwrap.indent(shown.rendered("writers/parts.j2", **context), indent)
    return f"{part['begin']}{body}{part['end']}"
