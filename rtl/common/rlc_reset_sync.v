// rlc_reset_sync.v — makes the library's synchronous active-high reset from a reset of any origin.
// SPDX-License-Identifier: Apache-2.0
//
// rst_in      active-high resets of SOURCES origins, each asynchronous to clk and to the others; even a pulse shorter
//             than a period of clk is caught. Each bit must be free of glitches, so it is a signal as it comes, or
//             inverted: what a gate makes of two of them may glitch. Give it both instead
// rst_out     both edges synchronous to clk; high from power-up; lasts at least one clock
// latency     1 to STAGES + 1 clocks to rise, STAGES + 1 clocks to fall, one more as metastability resolves
// cost        (STAGES + 1) * SOURCES flip-flops
`default_nettype none
`include "rlc_check.vh"
module rlc_reset_sync #(
    parameter STAGES  = 2, // flip-flops in the synchroniser, 2..4
    parameter SOURCES = 1  // resets that are put together, >= 1
) (
    input  wire               clk,
    input  wire [SOURCES-1:0] rst_in,
    output wire               rst_out
);
    `RLC_CHECK(STAGES >= 2 && STAGES <= 4, rlc_reset_sync_illegal_STAGES_must_be_2_or_3_or_4)
    `RLC_CHECK(SOURCES >= 1, rlc_reset_sync_illegal_SOURCES_must_be_at_least_1)

    // The only flip-flop with an asynchronous set: it catches the pulse. What follows samples it, so that
    // no register of the core sees an asynchronous edge.
    localparam COUNT = (SOURCES >= 1) ? SOURCES : 1;  // an illegal one has a stand-in until the check ends the run
    wire [COUNT-1:0] level;
    genvar i;
    for (i = 0; i < COUNT; i = i + 1) begin : g_source
        wire rst_one = rst_in[i];
        (* ASYNC_REG = "TRUE" *)
        reg caught_q;
        initial caught_q = 1'b1;
        always @(posedge clk or posedge rst_one) begin
            if (rst_one) caught_q <= 1'b1;
            else caught_q <= 1'b0;
        end
        rlc_sync_level #(.STAGES(STAGES), .INITIAL(1)) u_sync (
            .clk(clk), .level_in(caught_q), .level_out(level[i])
        );
    end
    assign rst_out = |level;
endmodule
`default_nettype wire
