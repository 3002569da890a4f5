"""Formal proofs: the .sby files of verif/<core>/formal, run by sby with z3, and with abc where it is installed.

A task whose engine is abc (pdr, which knows no end, or bmc3) is in a file with the task `bounded`, z3's search through
fewer clocks, which stands in for it where there is no abc.
"""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from rlcores.base import paths, tools
from rlcores.eda import formal_abc


@dataclass(frozen=True)
class Proof:
    """One task of one .sby file."""

    core: str  # the core that it proves; 'common' of generic parts
    name: str  # of the file, without .sby
    task: str  # '' when the file has no tasks
    file: Path


@dataclass(frozen=True)
class Outcome:
    """What sby said about a proof."""

    proof: Proof
    status: str  # PASS, FAIL, UNKNOWN (deeper than `depth`), ERROR, TIMEOUT
    log: str

    @property
    def passed(self) -> bool:
        """UNKNOWN is not a pass: the induction did not close."""
        return self.status == "PASS"

    @property
    def tools(self) -> str:
        """What took part, with versions: a proof that does not close may be a tool's doing."""
        return ", ".join([*map(tools.version, ("sby", "yosys", "z3")), formal_abc.version()])


def proofs() -> list[Proof]:
    """Every task of every .sby file that this machine can run, in order of file and task."""
    listed = []
    have_abc = formal_abc.program() is not None
    for file in sorted(paths.verif().glob("*/formal/*.sby"), key=lambda file: file.stem):
        text = file.read_text()
        section = re.search(r"^\[tasks\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL)
        lines = section[1].splitlines() if section else []
        tasks = [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]
        by_abc = set(re.findall(r"^(\w+): abc\b", text, re.MULTILINE))
        left_out = {"bounded"} if have_abc or not by_abc else by_abc
        tasks = [task for task in tasks if task not in left_out]
        listed += [Proof(_core(file), file.stem, task, file) for task in tasks or [""]]
    return listed


def _core(file: Path) -> str:
    """The core whose .core file lists the module that the proof is named after, of those of the proof's folder."""
    folder = file.parents[1].name
    rtl = paths.root() / "rtl" / folder
    module = max((m.stem for m in rtl.glob("*v") if file.stem.startswith(m.stem)), key=len, default="")
    listing = (core.stem for core in sorted(rtl.glob("*.core")) if re.search(rf"\b{module}\.s?v\b", core.read_text()))
    return folder if folder == "common" else next(listing, folder)


def run(proof: Proof) -> Outcome:
    """Run one proof in build/formal. File names in a .sby file count from its own folder."""
    folder = paths.build() / "formal" / "-".join(p for p in (proof.name, proof.task) if p)
    folder.parent.mkdir(exist_ok=True)
    with_abc = ["--abc", abc] if (abc := formal_abc.command()) else []
    command = ["sby", *with_abc, "-f", "-d", str(folder), proof.file.name, *([proof.task] if proof.task else [])]
    done = subprocess.run(
        command, cwd=proof.file.parent, env=tools.env(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    verdicts = re.findall(r"DONE \((\w+), rc=", done.stdout)
    status = verdicts[-1] if verdicts else "ERROR"
    return Outcome(proof, status if done.returncode == 0 or status != "PASS" else "ERROR", done.stdout)
