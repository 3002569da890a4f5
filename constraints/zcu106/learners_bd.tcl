# The block design rlc_bd for rlcores:learners:learners on the ZCU106, all on one clock (board.yaml; assumed: no
# vendor tool was run). board.tcl draws it.
# SPDX-License-Identifier: Apache-2.0

proc rlc::design {} {
    rlc::replay_design rlc_learners 2M {m_axi_0 m_axi_1}
}
