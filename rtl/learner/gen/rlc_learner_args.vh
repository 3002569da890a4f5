// rlc_learner_args.vh — the parameters of a module handed on to an instance in it.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration learner.yaml; do not edit.

    .SIZES(SIZES), .LANES(LANES), .FORWARD(FORWARD), .BACKWARD(BACKWARD), .UPDATE_ROWS(UPDATE_ROWS),
    .UPDATE_COLS(UPDATE_COLS), .DP(DP), .BATCH_MAX(BATCH_MAX), .RECORDS(RECORDS), .OPTIMISER(OPTIMISER),
    .ROUND(ROUND), .POLYAK(POLYAK), .BETA1_NUM(BETA1_NUM), .BETA1_SHIFT(BETA1_SHIFT), .BETA2_NUM(BETA2_NUM),
    .BETA2_SHIFT(BETA2_SHIFT), .WEIGHT_WIDTH(WEIGHT_WIDTH), .WEIGHT_FRAC(WEIGHT_FRAC), .ACT_WIDTH(ACT_WIDTH),
    .VALUE_WIDTH(VALUE_WIDTH), .GRAD_WIDTH(GRAD_WIDTH)
