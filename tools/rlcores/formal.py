"""Formal proofs: the .sby files of verif/formal, run by sby with z3."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from rlcores import paths, tools


@dataclass(frozen=True)
class Proof:
    """One task of one .sby file."""

    core: str  # the core whose RTL it reads; 'common' when it reads nothing else
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


def proofs() -> list[Proof]:
    """Every task of every .sby file, in order of file and task."""
    found = []
    for file in sorted((paths.root() / "verif" / "formal").glob("*.sby")):
        text = file.read_text()
        folders = sorted(set(re.findall(r"rtl/(\w+)/", text)))
        core = next((f for f in folders if f != "common"), "common")
        section = re.search(r"^\[tasks\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL)
        lines = section[1].splitlines() if section else []
        tasks = [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]
        found += [Proof(core, file.stem, task, file) for task in tasks or [""]]
    return found


def run(proof: Proof) -> Outcome:
    """Run one proof in build/formal. File names in a .sby file count from its own folder."""
    folder = paths.build() / "formal" / "-".join(p for p in (proof.name, proof.task) if p)
    folder.parent.mkdir(exist_ok=True)
    command = ["sby", "-f", "-d", str(folder), proof.file.name, *([proof.task] if proof.task else [])]
    done = subprocess.run(
        command, cwd=proof.file.parent, env=tools.env(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    said = re.findall(r"DONE \((\w+), rc=", done.stdout)
    status = said[-1] if said else "ERROR"
    return Outcome(proof, status if done.returncode == 0 or status != "PASS" else "ERROR", done.stdout)
