"""Every proof beside a core holds, and it does not hold with a line of its RTL broken.

`proofs.yaml` beside the proofs of a core lists the lines, each with the proof and the task that must fail, and the file
of RTL where it is not named like the proof; of a bus also the rule that the proof must name. Its lists `slow` and
`broken_slow` are for the long run.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import pytest
import yaml

from rlcores.base import paths
from rlcores.eda import formal

PROOFS = formal.proofs()
LISTS = {file.parent: yaml.safe_load(file.read_text()) for file in sorted(paths.verif().glob("*/formal/proofs.yaml"))}


@dataclass(frozen=True)
class Broken:
    """A line of RTL, and that line broken, with which a proof must fail."""

    proof: str
    task: str
    line: str
    broken: str
    rtl: str = ""
    rule: str = ""  # a pattern of the bus's rule that must be named

    @property
    def file(self) -> str:
        """The pattern that only the line's file has."""
        return f"rtl/*/{self.rtl or self.proof}.*v*"


QUICK = [Broken(**case) for listed in LISTS.values() for case in listed.get("broken", [])]
MORE = [Broken(**case) for listed in LISTS.values() for case in listed.get("broken_slow", [])]
SLOW = {(name, task) for listed in LISTS.values() for name, tasks in listed.get("slow", {}).items() for task in tasks}
# A proof that a test sees fail assumes nothing that leaves nothing to prove: what can be reached is for the long run.
SLOW |= {(p.name, p.task) for p in PROOFS if p.task.startswith("cover") and p.name in {c.proof for c in QUICK + MORE}}


def proofs() -> list:
    """Every proof; the slow ones marked."""
    marks = {True: [pytest.mark.slow], False: []}
    return [pytest.param(p, id=f"{p.name}-{p.task}", marks=marks[(p.name, p.task) in SLOW]) for p in PROOFS]


def broken() -> list:
    """Every broken line, named by its proof, its file and a number; the slow ones marked."""
    number = count()
    marks = [[]] * len(QUICK) + [[pytest.mark.slow]] * len(MORE)
    return [
        pytest.param(case, id=f"{case.proof}-{case.rtl or case.proof}-{next(number)}", marks=mark)
        for case, mark in zip(QUICK + MORE, marks, strict=True)
    ]


def test_the_handshake_primitives_have_proofs() -> None:
    assert {p.name for p in PROOFS} >= {
        "rlc_skid", "rlc_fifo", "rlc_mfifo", "rlc_axil_regs", "rlc_sync_pulse", "rlc_fifo_async",
    }  # fmt: skip


def test_every_bus_of_every_core_has_a_proof_that_its_name_finds() -> None:
    assert {(p.core, p.name) for p in PROOFS} >= {
        ("common", "rlc_axil_regs_rules"), ("common", "rlc_axil_split_rules"), ("gae", "rlc_gae_axi_rules"),
        ("sumtree", "rlc_sumtree_axi_rules"), ("learner", "rlc_learner_axi_rules"), ("heppo", "rlc_heppo_axil_rules"),
        ("env", "rlc_env_axi_rules"), ("policy", "rlc_policy_axi_rules"), ("serial", "rlc_serial_bridge_rules"),
        ("serial", "rlc_serial_narrow_rules"), ("tensor", "rlc_tensor_axi_rules"),
        ("replay_learner", "rlc_replay_reader_rules"), ("replay_learner", "rlc_replay_writer_rules"),
    }  # fmt: skip


def test_a_proof_stands_beside_the_core_that_it_proves() -> None:
    for proof in PROOFS:
        module, folder = proof.name.removesuffix("_rules"), proof.file.parents[1].name
        modules = {file.stem for file in (paths.root() / "rtl" / folder).glob("*v")}
        assert any(module.startswith(own) for own in modules), f"rtl/{folder} has no module that {proof.name} is of"


def test_only_proofs_and_tasks_that_there_are_are_listed() -> None:
    names = {p.name: p.file for p in PROOFS}
    listed = {(name, task) for name, task in SLOW} | {(case.proof, case.task) for case in QUICK + MORE}
    for name, task in listed:
        assert name in names, name
        assert not task or re.search(rf"^{task}\b", names[name].read_text(), re.MULTILINE), f"{name} {task}"


@pytest.mark.parametrize("abc", ["berkeley-abc", None])
def test_what_abc_proves_is_replaced_by_a_bounded_proof_never_by_none(
    monkeypatch: pytest.MonkeyPatch, abc: str | None
) -> None:
    monkeypatch.setattr(formal.formal_abc, "program", lambda: abc)
    rules: dict[str, set[str]] = {}
    for proof in formal.proofs():
        if proof.name.endswith("_rules"):
            rules.setdefault(proof.name, set()).add(proof.task)
    assert rules.pop("rlc_replay_writer_rules") == {"prove"}, "an induction needs no abc"
    assert rules.pop("rlc_heppo_axil_rules") == {"prove", "real" if abc else "bounded"}
    assert len(rules) >= 8 and all(tasks == {"pdr" if abc else "bounded"} for tasks in rules.values())


@pytest.mark.parametrize("proof", proofs())
def test_proof_holds(proof: formal.Proof) -> None:
    outcome = formal.run(proof)
    said = f"{outcome.status}: rlcores formal {proof.core} {proof.name}"
    assert outcome.passed, f"{said}\n{outcome.tools}\n{outcome.log[-3000:]}"


@pytest.mark.parametrize("case", broken())
def test_a_broken_line_fails_its_proof(break_line: Callable[[str, str, str], Path], case: Broken) -> None:
    break_line(case.file, case.line, case.broken)
    proof = next(p for p in formal.proofs() if p.name == case.proof)
    outcome = formal.run(replace(proof, task=case.task))
    assert outcome.status == "FAIL", outcome.log[-3000:]
    if case.rule:
        # The counterexample of the bounded task is the shortest, so it ends at the rule itself.
        named = set(re.findall(r"Assert failed in \w+: (\S+)$", outcome.log, re.MULTILINE))
        assert any(re.search(rf"\.({case.rule})$", name) for name in named), f"{named} instead of {case.rule}"


@pytest.mark.parametrize("folder", LISTS, ids=lambda folder: folder.parent.name)
def test_each_line_to_break_is_there(file_with: Callable[[str, str], Path], folder: Path) -> None:
    listed = LISTS[folder]
    for case in (Broken(**case) for case in listed.get("broken", []) + listed.get("broken_slow", [])):
        file_with(case.file, case.line)


@pytest.mark.parametrize("sby", sorted({p.file for p in PROOFS}), ids=lambda sby: sby.stem)
def test_every_file_that_a_proof_includes_is_listed(sby: Path) -> None:
    listed = [sby.parent / name for name in sby.read_text().partition("[files]\n")[2].split()]
    names = {file.name for file in listed}
    included = {name for file in listed for name in re.findall(r'^\s*`include "(\S+)"', file.read_text(), re.MULTILINE)}
    assert included <= names, included - names
