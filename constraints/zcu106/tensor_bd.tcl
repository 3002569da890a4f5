# The block design rlc_bd for rlcores:tensor:tensor on the ZCU106, all on one clock (board.yaml; assumed: no
# vendor tool was run). board.tcl draws it.
# SPDX-License-Identifier: Apache-2.0

proc rlc::design {} {
    rlc::streams_design rlc_tensor 4K in out
}
