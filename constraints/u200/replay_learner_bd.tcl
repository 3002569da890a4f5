# The block design rlc_bd for rlcores:system:replay_learner on the U200: XDMA at 250 MHz, the core on its own clock
# (board.yaml), memory's port at 300 MHz (assumed: no vendor tool was run). board.tcl draws it.
# SPDX-License-Identifier: Apache-2.0

proc rlc::design {} {
    rlc::replay_design rlc_replay_learner 64K {m_axi}
}
