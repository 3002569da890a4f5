"""A proof that a mutant changes nothing: the module with it and without it, for every input there is.

Two ways, tried in turn for every set of parameters that a test builds the module with. By induction over both
modules' registers of the same name (yosys), from any state, reachable or not; else by property directed reachability
(abc's pdr), from a state in which all registers are 0, and a reset. Both look at the module alone: what its neighbours
never do is done to it, so that what is not proved may still change nothing where it stands.
"""

import re
import resource
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from pyslang import syntax

from rlcores.base import tools
from rlcores.eda import formal_abc
from rlcores_lab import shown
from rlcores_lab.mutation import schemata
from rlcores_lab.mutation.points import modules_of, nodes_of
from rlcores_lab.mutation.schemata import Mutant

_SECONDS = 20  # of the processor, for one proof: most that can be proved take two


def prove(
    mutant: Mutant, files: Sequence[Path], includes: Sequence[Path], instances: Sequence[Mapping[str, str]], place: Path
) -> str:
    """How the mutant's module was proved to be the same with each of these parameters; '' when it was not.

    place: a folder for the files of the proofs. yosys, which is a sandbox, works inside it and sees nothing else.
    """
    ways = []
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for name in ("gold", "gate"):
        (place / name).mkdir()
        for path in files:
            shutil.copy(path, place / name / path.name)
        for folder in includes:
            for header in folder.glob("*.vh"):
                shutil.copy(header, place / name / header.name)
    changed = place / "gate" / mutant.site.file.name
    changed.write_text(schemata.alone(mutant.site.file.read_text(), mutant))
    names = [path.name for path in files]
    for number, parameters in enumerate(instances):
        way = _one(mutant, names, parameters, place, number)
        if not way:
            return ""
        ways.append(way)
    return f"{mutant.site.module} proved the same: {', '.join(sorted(set(ways)))}; {len(ways)} parameter sets"


def _one(mutant: Mutant, names: list[str], parameters: Mapping[str, str], sources: Path, number: int) -> str:
    (sources / f"{number}").mkdir()
    (sources / f"{number}/top.v").write_text(_started(mutant))
    context = {"files": names, "number": number, "parameters": parameters}
    if _yosys("induction", sources, context):
        return "induction"
    abc = formal_abc.program()
    if not abc or not _yosys("reachable", sources, context):
        return ""
    done = _limited([str(abc), "-c", f"read_aiger {number}/miter.aig; pdr -T {_SECONDS}"], sources, f"{number}/pdr.log")
    return "reachability" if done == 0 and "Property proved" in (sources / f"{number}/pdr.log").read_text() else ""


def _started(mutant: Mutant) -> str:
    """A module around the mutant's that is reset in its first clock, if it has a reset."""
    tree = syntax.SyntaxTree.fromFile(str(mutant.site.file))
    headers = [node.header for node in modules_of(tree.root)]
    header = next(header for header in headers if header.name.valueText == mutant.site.module)
    nodes = list(nodes_of(header))
    parameters = [
        declarator.name.valueText
        for node in nodes
        if node.kind == syntax.SyntaxKind.ParameterDeclaration
        for declarator in node.declarators
        if isinstance(declarator, syntax.SyntaxNode)
    ]
    ports = [node.declarator.name.valueText for node in nodes if isinstance(node, syntax.ImplicitAnsiPortSyntax)]
    text = str(header).replace(f"module {mutant.site.module}", "module rlc_top", 1)
    text = re.sub(r"\boutput\s+reg\b", "output wire", text)
    connected = ", ".join(f".{port}({'rst || first_q' if port == 'rst' else port})" for port in ports)
    if "rst" in ports:
        text += "\n    reg first_q = 1'b1;\n    always @(posedge clk) first_q <= 1'b0;\n"
    assigned = ", ".join(f".{name}({name})" for name in parameters)
    return (
        f"{text}\n    {mutant.site.module} {f'#({assigned})' if assigned else ''} u_module ({connected});\nendmodule\n"
    )


@cache
def _warm() -> None:
    """Yosys compiles itself in its first run on a machine, which takes longer than a proof may."""
    subprocess.run(["yosys", "-V"], env=tools.env(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _yosys(way: str, place: Path, context: Mapping[str, object]) -> bool:
    _warm()
    name = f"{context['number']}/{way}"
    (place / f"{name}.ys").write_text(shown.rendered("mutation/proof.ys.j2", way=way, **context))
    return _limited(["yosys", "-q", "-s", f"{name}.ys"], place, f"{name}.log") == 0


def _limited(command: list[str], place: Path, log: str) -> int:
    """The exit status of a command that may take so much of the processor."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS + 1))

    with (place / log).open("w") as stream:
        return subprocess.run(
            command, cwd=place, env=tools.env(), stdout=stream, stderr=stream, preexec_fn=limit
        ).returncode
