"""The rules of the buses hold at every core, and a core that breaks one fails its proof with the rule's name."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rlcores.eda import formal

# Proof, file, a line of its RTL, that line broken, and the rules of which one must be named. For each bus: a valid that
# falls, a payload that moves while it waits, an answer without a request or a burst that may not be, a wrong framing.
BROKEN = {
    "axil-valid": (
        "rlc_axil_regs_rules", "common/rlc_axil_regs",
        "bvalid_d    = wr_go || (s_axil_bvalid && !s_axil_bready);",
        "bvalid_d    = wr_go;",
        "b.valid_stays",
    ),
    "axil-payload": (
        "rlc_axil_regs_rules", "common/rlc_axil_regs",
        "if (rd_take_q) begin",
        "if (1'b1) begin",
        "r.holds",
    ),
    "axil-answer": (
        "rlc_axil_regs_rules", "common/rlc_axil_regs",
        "wr_here     = aw_held_q && w_held_q;",
        "wr_here     = aw_held_q;",
        "b_answers",
    ),
    "axil-framing": (
        "rlc_axil_regs_rules", "common/rlc_axil_regs",
        "SLVERR = 2'b10;",
        "SLVERR = 2'b01;",
        "[br]_legal",
    ),
    "axil-master-valid": (
        "rlc_serial_bridge_rules", "serial/rlc_serial_bridge",
        "(arvalid_q && !m_axil_arready)",
        "1'b0",
        "ar.valid_stays",
    ),
    "axil-master-payload": (
        "rlc_axil_split_rules", "common/rlc_axil_split",
        "if (s_axil_arready) begin",
        "if (1'b1) begin",
        "ar.holds",
    ),
    "axil-master-requests": (
        "rlc_axil_split_rules", "common/rlc_axil_split",
        "!writes_q;",
        "1'b1;",
        "(a?w|b)[_.].*",
    ),
    "axi-read-valid": (
        "rlc_replay_reader_rules", "replay_learner/rlc_replay_reader",
        "(arvalid_q && !m_axi_arready)",
        "1'b0",
        "ar.channel.valid_stays",
    ),
    "axi-read-payload": (
        "rlc_replay_reader_rules", "replay_learner/rlc_replay_reader",
        "if (ask) begin",
        "if (s_tag_valid) begin",
        "ar.channel.holds",
    ),
    "axi-read-burst": (
        "rlc_replay_reader_rules", "replay_learner/rlc_replay_burst",
        "index} << STRIDE_LOG2;",
        "index} << (STRIDE_LOG2 - 1);",
        "ar.page",
    ),
    "axi-read-framing": (
        "rlc_replay_reader_rules", "replay_learner/rlc_replay_reader",
        "if (ask) place_q <= place_q + 1'b1;",
        "if (ask) place_q <= place_q;",
        "ar_limit",
    ),
    "axi-write-valid": (
        "rlc_replay_writer_rules", "replay_learner/rlc_replay_writer",
        "(awvalid_q && !m_axi_awready);",
        "1'b0;",
        "aw.channel.valid_stays",
    ),
    "axi-write-payload": (
        "rlc_replay_writer_rules", "replay_learner/rlc_replay_writer",
        "if (launch) awaddr_q",
        "if (settled_q) awaddr_q",
        "aw.channel.holds",
    ),
    "axi-write-burst": (
        "rlc_replay_writer_rules", "replay_learner/rlc_replay_writer",
        "awburst = 2'b01;",
        "awburst = 2'b10;",
        "aw.wraps",
    ),
    "axi-write-framing": (
        "rlc_replay_writer_rules", "replay_learner/rlc_replay_writer",
        ".s_data({s_beat_last,",
        ".s_data({1'b0,",
        "w_last|w_last_now",
    ),
    "axis-valid": (
        "rlc_serial_narrow_rules", "serial/rlc_serial_narrow",
        "(valid_q && !(gives && ending));",
        "1'b0;",
        "t.valid_stays",
    ),
    "axis-payload": (
        "rlc_serial_narrow_rules", "serial/rlc_serial_narrow",
        "else if (gives) begin",
        "else begin",
        "t.holds",
    ),
    "axis-reset": (
        "rlc_serial_narrow_rules", "serial/rlc_serial_narrow",
        "valid_q <= 1'b0;",
        "",
        "t.reset",
    ),
    "axis-framing": (
        "rlc_serial_narrow_rules", "serial/rlc_serial_narrow",
        "m_last  = last_q && ending;",
        "m_last  = last_q;",
        "t_whole",
    ),
    "axis-beats": (
        "rlc_policy_axi_rules", "policy/rlc_policy_beats",
        ".step(m_valid && m_ready)",
        ".step(m_valid)",
        "holds",
    ),
    "axis-lanes": (
        "rlc_tensor_axi_rules", "tensor/rlc_tensor_tx",
        "m_ready ? remaining_q & ~next : remaining_q",
        "remaining_q & ~next",
        "holds|valid_stays",
    ),
    "axis-last": (
        "rlc_env_axi_rules", "common/rlc_axis_last",
        ".restart(rst || (again_q && !stands))",
        ".restart(rst || again_q)",
        "holds",
    ),
}  # fmt: skip
# One of each kind of clause in `make test`, on the buses in turn.
QUICK = {"axil-valid", "axi-read-burst", "axil-answer", "axis-payload", "axis-framing"}


def cases() -> list:
    """The broken lines; those that are not quick are slow."""
    return [pytest.param(*c, id=n, marks=[] if n in QUICK else [pytest.mark.slow]) for n, c in BROKEN.items()]


def test_every_bus_of_every_core_has_a_proof_that_its_name_finds() -> None:
    assert {(p.core, p.name) for p in formal.proofs()} >= {
        ("common", "rlc_axil_regs_rules"), ("common", "rlc_axil_split_rules"), ("gae", "rlc_gae_axi_rules"),
        ("sumtree", "rlc_sumtree_axi_rules"), ("learner", "rlc_learner_axi_rules"), ("heppo", "rlc_heppo_axil_rules"),
        ("env", "rlc_env_axi_rules"), ("policy", "rlc_policy_axi_rules"), ("serial", "rlc_serial_bridge_rules"),
        ("serial", "rlc_serial_narrow_rules"), ("tensor", "rlc_tensor_axi_rules"),
        ("replay_learner", "rlc_replay_reader_rules"), ("replay_learner", "rlc_replay_writer_rules"),
    }  # fmt: skip


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


@pytest.mark.parametrize(("proof", "file", "line", "broken", "rule"), cases())
def test_a_broken_bus_fails_its_proof_and_the_rule_is_named(
    failed_proof: Callable[..., str], proof: str, file: str, line: str, broken: str, rule: str
) -> None:
    # The counterexample of the bounded task is the shortest, so it ends at the rule itself.
    log = failed_proof(proof, "bounded", f"rtl/{file}.*v*", line, broken)
    named = set(re.findall(r"Assert failed in \w+: (\S+)$", log, re.MULTILINE))
    assert any(re.search(rf"\.({rule})$", name) for name in named), f"{named} instead of {rule}"


def test_each_line_to_break_is_there(file_with: Callable[[str, str], Path]) -> None:
    for _, file, line, *_ in BROKEN.values():
        file_with(f"rtl/{file}.*v*", line)
