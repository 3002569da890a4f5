"""Every proof of verif/formal holds, and a broken primitive does not pass its proof."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rlcores.eda import formal

PROOFS = formal.proofs()

# module, task, one line of its RTL, and that line broken.
BROKEN = [
    ("rlc_skid", "prove", "m_valid_q <= s_ready_q ? s_valid : m_valid_q;", "m_valid_q <= s_valid;"),
    ("rlc_skid", "prove", "if (s_ready_q) hold_q <= s_data;", "hold_q <= s_data;"),
    ("rlc_abort_out", "prove", "m_data  = held_q ? hold_q : s_data;", "m_data  = s_data;"),
    ("rlc_abort_out", "prove", "s_ready = drop || (m_ready && !held_q);", "s_ready = drop || m_ready;"),
    ("rlc_abort_out", "prove", "if (!held_q) hold_q <= s_data;", "hold_q <= s_data;"),
    ("rlc_fifo", "prove_distributed", "count_q == LAST_PLACE && !pop", "count_q == FULL && !pop"),
    ("rlc_fifo", "prove_block", "else if (m_ready) m_valid_q <= 1'b0;", "else m_valid_q <= 1'b0;"),
    ("rlc_fifo", "prove_block", "count_q > ONE", "count_q != NONE"),
    ("rlc_mfifo", "prove", "row_done ? {P{1'b0}} : gone_q | oldest", "gone_q | oldest"),
    ("rlc_mfifo", "prove", "else if (m_ready) m_valid_q <= 1'b0;", "else m_valid_q <= 1'b0;"),
    ("rlc_axil_regs", "prove", "wr_here     = aw_held_q && w_held_q;", "wr_here     = aw_held_q;"),
    ("rlc_axil_regs", "prove", "bvalid_d    = wr_go || (s_axil_bvalid && !s_axil_bready);", "bvalid_d    = wr_go;"),
    ("rlc_axil_regs", "prove", "wr_en          = wr_go && wr_in_range &&", "wr_en          = wr_go &&"),
    ("rlc_axil_regs", "prove", "!rd_go_q && !rvalid_d && !merges;", "!rvalid_d && !merges;"),
    ("rlc_axil_regs", "prove", "rd_idle = !s_axil_arready && !rd_go_q;", "rd_idle = !s_axil_arready;"),
    ("rlc_axil_regs", "prove", "merge_q[1] && !wr_acts", "merge_q[1]"),
    ("rlc_axil_regs", "prove", "(rd_data & ~q_lanes)", "rd_data"),
    ("rlc_axil_regs", "prove", " && wr_strb_q != 4'd0;", ";"),
    ("rlc_sync_pulse", "prove", "else if (s_pulse && !s_busy)", "else if (s_pulse)"),
    ("rlc_sync_pulse", "prove", "m_pulse = request_m != answer_q;", "m_pulse = request_m;"),
    ("rlc_fifo_async", "prove", "s_ready_q <= wr_gray_d !=", "s_ready_q <= wr_gray_q !="),
    ("rlc_fifo_async", "prove", "m_valid_q <= rd_gray_d !=", "m_valid_q <= rd_gray_q !="),
    ("rlc_gae_readout", "prove", "FIFO_DEPTH - IN_FLIGHT - 1;", "FIFO_DEPTH - 1;"),
    ("rlc_replay_server_emit", "prove", "s_ready = at_q == IDLE;", "s_ready = 1'b1;"),
    ("rlc_replay_server_emit", "prove", "m_last      <= at_q == CHECK && sealed;", "m_last      <= 1'b1;"),
    ("rlc_replay_server_rx", "prove", "s_ready = open_q && room;", "s_ready = open_q;"),
    ("rlc_replay_server_bursts", "prove", "words_q <= words_q - 17'd256;", "words_q <= words_q - 17'd255;"),
    (
        "rlc_replay_server_bursts",
        "prove",
        "starts      = row_q && may && (!valid_q || m_ready);",
        "starts      = row_q && may;",
    ),
    ("rlc_replay_server_read", "prove", "fits_q <= row && !start && room_q", "fits_q <= row && room_q"),
    ("rlc_replay_server_read", "prove", "+ {{(ROOM-1){1'b0}}, gives};", "+ {{(ROOM-1){1'b0}}, m_beat_valid};"),
    ("rlc_replay_server_write", "prove", "last   = remaining_q == 9'd1;", "last   = remaining_q == 9'd2;"),
    ("rlc_replay_server_weights", "prove", "before_area_q  <= 2'd1;", "before_area_q  <= 2'd0;"),
    ("rlc_replay_server_split", "prove_8", "if (gone)    first_q <= last_q;", "if (gone)    first_q <= 1'b1;"),
    ("rlc_replay_server_split", "prove_16", "(!valid_q || gone);", "(!valid_q || |m_ready);"),
    ("rlc_replay_server_join", "prove", "turn    = inside_q ? turn_q : next;", "turn    = next;"),
    ("rlc_replay_server_join", "prove", "asks    = (after != {BANKS{1'b0}}) ? after : s_valid;", "asks    = s_valid;"),
    ("rlc_env", "", ".take(issue || issue_first)", ".take(issue)"),
    ("rlc_env", "", "if (rst || start || stop) running_q <= 1'b0;", "if (rst || stop) running_q <= 1'b0;"),
]


def test_the_handshake_primitives_have_proofs() -> None:
    assert {p.name for p in PROOFS} >= {
        "rlc_skid", "rlc_fifo", "rlc_mfifo", "rlc_axil_regs", "rlc_sync_pulse", "rlc_fifo_async",
    }  # fmt: skip


# One proof of each promise of the sum tree in `make test`; its others, and those that take longer, in `make regress`.
QUICK = {
    ("rlc_sumtree_sums", "prove_2"), ("rlc_sumtree_pick", "prove_2_leaf"), ("rlc_sumtree_slots", "prove"),
    ("rlc_sumtree_tree", "prove_4"),
}  # fmt: skip


# Of the buses and the primitives, those that take longer.
LONG = {
    ("rlc_fifo_async", "cover"), ("rlc_replay_server_emit", "prove_keyed"),
    ("rlc_replay_reader_rules", "pdr"), ("rlc_sumtree_axi_rules", "pdr"), ("rlc_learner_axi_rules", "pdr"),
    ("rlc_heppo_axil_rules", "real"), ("rlc_policy_axi_rules", "pdr"), ("rlc_mlp_rules", "pdr"),
    ("rlc_ppo_axi_rules", "pdr"), ("rlc_replay_server_read", "prove"),
}  # fmt: skip


# Modules that `make test` proves again with a line broken, here and in the files beside this one. The proof fails then,
# so its assumptions leave something to prove: what is reached in these (the tasks `cover`) is for the long run.
BROKEN_TOO = {
    "rlc_skid", "rlc_abort_out", "rlc_fifo", "rlc_mfifo", "rlc_axil_regs", "rlc_sync_pulse", "rlc_gae_readout",
    "rlc_learner_columns", "rlc_learner_prio", "rlc_learner_join", "rlc_learners_join", "rlc_policy_versions",
    "rlc_replay_server_emit", "rlc_replay_server_rx", "rlc_replay_server_bursts", "rlc_replay_server_read",
    "rlc_replay_server_write", "rlc_replay_server_weights", "rlc_replay_server_split", "rlc_replay_server_join",
}  # fmt: skip


def by_length() -> list:
    """Every proof; the sum tree's, but for the quick ones, and the long ones of buses, only in the long run."""
    slow = [p for p in PROOFS if (p.name, p.task) in LONG or (p.core == "sumtree" and (p.name, p.task) not in QUICK)]
    slow += [p for p in PROOFS if p.task.startswith("cover") and p.name in BROKEN_TOO]
    return [pytest.param(p, id=f"{p.name}-{p.task}", marks=[pytest.mark.slow] if p in slow else []) for p in PROOFS]


@pytest.mark.parametrize("proof", by_length())
def test_proof_holds(proof: formal.Proof) -> None:
    outcome = formal.run(proof)
    said = f"{outcome.status}: rlcores formal {proof.core} {proof.name}"
    assert outcome.passed, f"{said}\n{outcome.tools}\n{outcome.log[-3000:]}"


# In `make test` the first of each primitive.
FIRST = {module: case for case in reversed(BROKEN) for module in case[:1]}


@pytest.mark.parametrize(
    ("module", "task", "line", "broken"),
    [pytest.param(*case, marks=pytest.mark.slow if FIRST[case[0]] is not case else []) for case in BROKEN],
)
def test_a_broken_primitive_fails_its_proof(
    failed_proof: Callable[..., str], module: str, task: str, line: str, broken: str
) -> None:
    failed_proof(module, task, f"rtl/*/{module}.*v", line, broken)


def test_each_line_to_break_is_there(file_with: Callable[[str, str], Path]) -> None:
    for module, _, line, _ in BROKEN:
        file_with(f"rtl/*/{module}.*v", line)


@pytest.mark.parametrize("sby", sorted({p.file for p in PROOFS}), ids=lambda sby: sby.stem)
def test_every_file_that_a_proof_includes_is_listed(sby: Path) -> None:
    listed = [sby.parent / name for name in sby.read_text().partition("[files]\n")[2].split()]
    names = {file.name for file in listed}
    included = {name for file in listed for name in re.findall(r'^\s*`include "(\S+)"', file.read_text(), re.MULTILINE)}
    assert included <= names, included - names
