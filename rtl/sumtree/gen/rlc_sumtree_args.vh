// rlc_sumtree_args.vh — the parameters of a module handed on to an instance in it.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration sumtree.yaml; do not edit.

    .LEAVES_LOG2(LEAVES_LOG2), .RADIX_LOG2(RADIX_LOG2), .CAPACITY(CAPACITY), .PRIORITY_WIDTH(PRIORITY_WIDTH),
    .DRAW_WIDTH(DRAW_WIDTH), .GENERATION_WIDTH(GENERATION_WIDTH), .SHARED(SHARED), .HEAD_STYLE(HEAD_STYLE),
    .HEAD_LATENCY(HEAD_LATENCY), .NARROW_STYLE(NARROW_STYLE), .NARROW_LATENCY(NARROW_LATENCY),
    .WIDE_STYLE(WIDE_STYLE), .WIDE_LATENCY(WIDE_LATENCY), .BYPASS(BYPASS), .ADDS(ADDS)
