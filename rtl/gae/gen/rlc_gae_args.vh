// rlc_gae_args.vh — the parameters of a module handed on to an instance in it.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration gae.yaml; do not edit.

    .ROWS(ROWS), .LANES(LANES), .DEPTH(DEPTH), .LOOKAHEAD(LOOKAHEAD), .INTERLEAVE(INTERLEAVE), .SPAN(SPAN),
    .QBITS(QBITS), .OUT_BITS(OUT_BITS), .BEAT(BEAT), .STACKS(STACKS), .TRACE(TRACE)
