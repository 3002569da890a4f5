// rlc_policy_args.vh — the parameters of a module handed on to an instance in it.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration policy.yaml; do not edit.

    .SIZES(SIZES), .LANES(LANES), .FORWARD(FORWARD), .UPDATE_ROWS(UPDATE_ROWS), .UPDATE_COLS(UPDATE_COLS),
    .OUT_WIDTH(OUT_WIDTH), .CONTINUOUS(CONTINUOUS), .OPERANDS(OPERANDS), .LOGP(LOGP)
