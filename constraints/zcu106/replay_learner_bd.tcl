# The block design rlc_bd for rlcores:system:replay_learner on the ZCU106, all on one clock (board.yaml; assumed: no
# vendor tool was run). board.tcl draws it.
# SPDX-License-Identifier: Apache-2.0

proc rlc::design {} {
    rlc::replay_design rlc_replay_learner 64K {m_axi}
}
