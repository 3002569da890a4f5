// rlc_tensor_args.vh — the parameters of a module handed on to an instance in it.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration tensor.yaml; do not edit.

    .SIDE(SIDE), .BLOCKS(BLOCKS), .WEIGHT_BLOCKS(WEIGHT_BLOCKS), .TARGET_BLOCKS(TARGET_BLOCKS),
    .BIAS_ROWS(BIAS_ROWS), .A_TILES(A_TILES), .E_TILES(E_TILES), .PASS_SUMS(PASS_SUMS), .ROWS(ROWS),
    .GROUPS(GROUPS), .TARGET_GROUPS(TARGET_GROUPS), .GRAD_WORDS(GRAD_WORDS), .GRAD_ROWS(GRAD_ROWS),
    .WORDS(WORDS), .OUTPUT_WORDS(OUTPUT_WORDS), .STEPS(STEPS), .TILE_STYLE(TILE_STYLE),
    .WEIGHT_STYLE(WEIGHT_STYLE), .GROUP_STYLE(GROUP_STYLE)
