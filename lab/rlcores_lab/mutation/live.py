"""Which modules and generate blocks exist in a top with these parameters."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyslang
from pyslang import ast

from rlcores.eda import slang
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


def elaborate(design: slang.Design, texts: Mapping[Path, str] | None = None) -> Live:
    """What this top is made of; `texts` are read in the place of these files.

    Raises UserError with the first thing that is wrong when it does not elaborate.
    """
    driver, compilation = slang.elaborated(design, texts)
    manager = driver.sourceManager
    modules, blocks, instances = set(), set(), set()

    def visit(symbol):
        if symbol.kind == ast.SymbolKind.GenerateBlock:
            if symbol.isUninstantiated:
                return ast.VisitAction.Skip
            start = symbol.syntax.sourceRange.start
            blocks.add((Path(manager.getFileName(start)).name, start.offset))
        elif symbol.kind == ast.SymbolKind.InstanceBody:
            modules.add(symbol.definition.name)
            parameters = tuple((p.name, str(p.value)) for p in symbol.parameters if not p.isLocalParam)
            instances.add((symbol.definition.name, parameters))
        return ast.VisitAction.Advance

    for instance in compilation.getRoot().topInstances:
        instance.visit(visit)
    wrong = [d for d in compilation.getAllDiagnostics() if d.isError()]
    if wrong:
        engine = pyslang.DiagnosticEngine(manager)
        raise UserError(f"'{design.top}' does not elaborate: {engine.formatMessage(wrong[0])}")
    if design.top not in modules:
        raise UserError(f"there is no module '{design.top}' in the core")
    return Live(frozenset(modules), frozenset(blocks), frozenset(instances))
