// rlc_sync_level.v — brings one slowly changing bit into the clock domain of clk.
// SPDX-License-Identifier: Apache-2.0
//
// level_in    must come straight from a flip-flop of its own domain (no logic behind it, which could
//             glitch), and keep a value longer than one period of clk for it to be seen
// latency     STAGES clocks, one more or less as metastability resolves
// cost        STAGES flip-flops; several bits that belong together need a handshake, not several of these
// reset       none
`default_nettype none
`include "rlc_check.vh"
module rlc_sync_level #(
    parameter STAGES  = 2, // flip-flops in the chain, 2..4
    parameter INITIAL = 0  // value of level_out before the first clocks, 0 or 1
) (
    input  wire clk,
    input  wire level_in,
    output wire level_out
);
    `RLC_CHECK(STAGES >= 2 && STAGES <= 4, rlc_sync_level_illegal_STAGES_must_be_2_or_3_or_4)
    `RLC_CHECK(INITIAL == 0 || INITIAL == 1, rlc_sync_level_illegal_INITIAL_must_be_0_or_1)

    // Icarus takes no empty range, so an illegal STAGES has a stand-in until the check ends the run.
    localparam LENGTH = (STAGES >= 2) ? STAGES : 2;

    (* ASYNC_REG = "TRUE" *)
    reg [LENGTH-1:0] chain_q;
    initial chain_q = (INITIAL != 0) ? {LENGTH{1'b1}} : {LENGTH{1'b0}};

    always @(posedge clk) chain_q <= {chain_q[LENGTH-2:0], level_in};

    assign level_out = chain_q[LENGTH-1];
endmodule
`default_nettype wire
