"""Which modules and generate blocks exist in a top with these parameters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyslang
from pyslang import ast, syntax

from rlcores.engine.library import literal
from rlcores.errors import UserError
from rlcores_lab.mutation.points import Site


@dataclass(frozen=True)
class Live:
    """Names of modules, (file, offset) of generate blocks, and each module with the parameters that it is given."""

    modules: frozenset[str]
    blocks: frozenset[tuple[str, int]]
    instances: frozenset[tuple[str, tuple[tuple[str, str], ...]]]

    def holds(self, site: Site) -> bool:
        """Whether this place is part of the top."""
        return site.module in self.modules and all((site.file.name, block) in self.blocks for block in site.blocks)


NOTHING = Live(frozenset(), frozenset(), frozenset())


def elaborate(
    files: Sequence[Path],
    includes: Sequence[Path],
    top: str,
    parameters: Mapping[str, int | str],
    texts: Mapping[str, str] | None = None,
) -> Live:
    """What this top is made of; `texts` are read instead of the files with these names.

    Raises UserError with the first thing that is wrong when it does not elaborate.
    """
    manager = pyslang.SourceManager()
    for folder in includes:
        manager.addUserDirectories(str(folder))
    options = ast.CompilationOptions()
    options.topModules = {top}
    options.paramOverrides = [f"{name}={literal(value)}" for name, value in parameters.items()]
    # A name that is used before it is declared is lint's business.
    options.flags |= ast.CompilationFlags.AllowUseBeforeDeclare
    compilation = ast.Compilation(pyslang.Bag([options]))
    for path in files:
        if texts and path.name in texts:
            tree = syntax.SyntaxTree.fromText(texts[path.name], manager, path.name, str(path))
        else:
            tree = syntax.SyntaxTree.fromFile(str(path), manager)
        compilation.addSyntaxTree(tree)
    modules, blocks, instances = set(), set(), set()

    def visit(symbol):
        if symbol.kind == ast.SymbolKind.GenerateBlock:
            if symbol.isUninstantiated:
                return ast.VisitAction.Skip
            start = symbol.syntax.sourceRange.start
            blocks.add((Path(manager.getFileName(start)).name, start.offset))
        elif symbol.kind == ast.SymbolKind.InstanceBody:
            modules.add(symbol.definition.name)
            given = tuple((p.name, str(p.value)) for p in symbol.parameters if not p.isLocalParam)
            instances.add((symbol.definition.name, given))
        return ast.VisitAction.Advance

    for instance in compilation.getRoot().topInstances:
        instance.visit(visit)
    wrong = [d for d in compilation.getAllDiagnostics() if d.isError()]
    if wrong:
        engine = pyslang.DiagnosticEngine(manager)
        raise UserError(f"'{top}' does not elaborate: {engine.formatMessage(wrong[0])}")
    if top not in modules:
        raise UserError(f"there is no module '{top}' in the core")
    return Live(frozenset(modules), frozenset(blocks), frozenset(instances))
