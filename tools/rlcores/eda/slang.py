"""Verilog elaborated by slang, in this process: illegal parameters before anything is built, and a strict linter.

An illegal parameter of a core instantiates a module that nobody has, whose name is the sentence:
rlc_fifo_illegal_DEPTH_must_be_at_least_2. So every tool stops, and every tool says why.
"""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rlcores.base import tools
from rlcores.errors import UserError

try:
    from pyslang import TextDiagnosticClient
    from pyslang.ast import Compilation, Scope, Symbol, SymbolKind
    from pyslang.driver import Driver
except ModuleNotFoundError:  # rlcores without its tools: what needs none of them works
    Driver = Compilation = Scope = Symbol = None

_SENTENCE = re.compile(r"(rlc_[a-z0-9_]+?)_illegal_(\w+)")
_CAPITALS = re.compile(r"[A-Z][A-Z0-9]*")
_TEXT = 128  # bits; a wider parameter is a text
_SECONDS = 5.0  # of the processor; a check stands near the top, and what is deeper is left to the tool that builds


@dataclass(frozen=True)
class Design:
    """What to elaborate: Verilog files, the folders of their includes, a top, and parameters and macros for it."""

    files: Sequence[Path]
    include_folders: Sequence[Path]
    top: str
    parameters: Mapping[str, int | str] | None = None
    defines: Mapping[str, object] | None = None


class Port(NamedTuple):
    """A port of a top."""

    name: str
    output: bool | None  # None: an inout
    bits: int


def sentences(text: str) -> list[str]:
    """What the checks said in the output of any tool, each sentence once.

    >>> sentences("error: unknown module 'rlc_fifo_illegal_STYLE_must_be_block_or_distributed'")
    ['rlc_fifo: STYLE must be block or distributed']
    """
    return list(dict.fromkeys(f"{module}: {_words(words)}" for module, words in _SENTENCE.findall(text)))


def check(design: Design) -> None:
    """Elaborate from the top downwards. Raises UserError with the sentence of the first illegal parameter, if any.

    What else may be wrong with a design is not looked at: the tool that builds it says that.
    """
    compilation = _compiled(design, "1800-2023")[1]
    if compilation is None:
        return
    until = time.thread_time() + _SECONDS
    bodies, seen = [top.body for top in compilation.getRoot().topInstances], set()
    while bodies and time.thread_time() < until:
        below = []
        for body in bodies:
            for item in _members(body):
                if item.kind == SymbolKind.UninstantiatedDef:
                    said = sentences(item.definitionName)
                    if said:
                        raise UserError(said[0])
                elif item.kind == SymbolKind.Instance and item.isModule:
                    key = (item.definition.name, *(str(p.value) for p in item.body.parameters))
                    if key not in seen:
                        seen.add(key)
                        below.append(item.body)
        bodies = below


def lint(design: Design, standard: str = "1364-2005") -> str:
    """All that slang has to say, errors and warnings; '' when the design is clean in this standard."""
    driver, compilation = _compiled(design, standard)
    if compilation is None:
        return f"slang cannot read the files of {design.top}"
    said = TextDiagnosticClient()
    driver.diagEngine.clearClients()
    driver.diagEngine.addClient(said)
    for diagnostic in compilation.getAllDiagnostics():
        driver.diagEngine.issue(diagnostic)
    return said.getString().strip()


def ports(design: Design) -> list[Port]:
    """The top's ports in their order. Raises UserError without a top."""
    _, compilation = elaborated(design)
    body = compilation.getRoot().topInstances[0].body
    ways = {"In": False, "Out": True}
    return [Port(port.name, ways.get(port.direction.name), port.type.bitWidth) for port in body.portList]


def texts(design: Design) -> tuple[dict[str, str], list[tuple[str, bool, str]]]:
    """The text of the top's header, with what it includes: defaults of the parameters; ports with their ranges."""
    _, compilation = elaborated(design)
    body = compilation.getRoot().topInstances[0].body
    parameters = {p.name: str(p.syntax).partition("=")[2].strip() for p in body.parameters if p.isPortParam}
    header = [(p.name, p.direction.name == "Out", str(p.internalSymbol.declaredType.typeSyntax)) for p in body.portList]
    return parameters, header


def elaborated(design: Design, texts: Mapping[Path, str] | None = None) -> "tuple[Driver, Compilation]":
    """The design; `texts` are read in the place of these files. Symbols live as long as both of what is returned.

    Raises UserError when it cannot be parsed at all.
    """
    driver, compilation = _compiled(design, "1800-2023", texts)
    if compilation is None:
        raise UserError(f"slang cannot read the files of {design.top}")
    return driver, compilation


def instances(design: Design, module: str) -> list[dict[str, str]]:
    """The parameters of each instance of a module, at any depth, as text: numbers, or lists joined by '-'."""
    _, compilation = elaborated(design)
    bodies, listed = [top.body for top in compilation.getRoot().topInstances], []
    while bodies:
        body = bodies.pop()
        if body.definition.name == module:
            listed.append({p.name: _text(p.value.value) for p in body.parameters})
        else:
            bodies += [i.body for i in _members(body) if i.kind == SymbolKind.Instance and i.isModule]
    return listed


def literal(value: int | str) -> str:
    """A parameter as Verilog and C++ both write it: strings in quotes."""
    return f'"{value}"' if isinstance(value, str) else str(int(value))


def _compiled(
    design: Design, standard: str, texts: Mapping[Path, str] | None = None
) -> "tuple[Driver, Compilation | None]":
    """None when the files are not there or cannot be parsed at all; the driver knows why."""
    tools.need_package("pyslang")
    driver = Driver()
    driver.addStandardArgs()
    for path, text in (texts or {}).items():
        driver.sourceManager.assignText(str(path), text)
    words = ["slang", "--std", standard, "--top", design.top, "--color-diagnostics=false"]
    # In the arm of a conditional that the parameters do not take.
    words += ["-Wno-shift-count-overflow", "-Wno-shift-count-negative"]
    words += [word for folder in design.include_folders for word in ("-I", str(folder))]
    words += [word for name, value in (design.parameters or {}).items() for word in ("-G", f"{name}={literal(value)}")]
    words += [word for name, value in (design.defines or {}).items() for word in ("-D", f"{name}={value}")]
    words += [str(file) for file in design.files]
    line = " ".join('"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' for word in words)
    if not (driver.parseCommandLine(line) and driver.processOptions() and driver.parseAllSources()):
        return driver, None
    return driver, driver.createCompilation()


def _text(value: object) -> str:
    """A parameter's value. A text in a wide register is a number to slang."""
    wide = getattr(value, "bitWidth", 0) > _TEXT
    return (int(value).to_bytes(value.bitWidth // 8, "big").lstrip(b"\0").decode() if wide else str(value)).strip('"')


def _members(scope: "Scope") -> "Iterator[Symbol]":
    """What stands in a module, its generate blocks included."""
    for item in scope:
        if item.kind == SymbolKind.GenerateBlockArray:
            for block in item.entries:
                yield from _members(block)
        elif item.kind == SymbolKind.GenerateBlock:
            if not item.isUninstantiated:
                yield from _members(item)
        else:
            yield item


def _words(name: str) -> str:
    """`_` is a space, except between words in capitals: there it belongs to a parameter's name."""
    said = ""
    for word in name.split("_"):
        joined = _CAPITALS.fullmatch(said.rpartition(" ")[2].rpartition("_")[2]) and _CAPITALS.fullmatch(word)
        said += ("_" if joined else " ") + word
    return said.strip()
