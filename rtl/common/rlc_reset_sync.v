// rlc_reset_sync.v — makes the library's synchronous active-high reset from a reset of any origin.
// SPDX-License-Identifier: Apache-2.0
//
// rst_in      active-high, asynchronous to clk; even a pulse shorter than a period of clk is caught; it
//             must be free of glitches
// rst_out     both edges synchronous to clk; high from power-up; lasts at least one clock
// latency     1 to STAGES + 1 clocks to rise, STAGES + 1 clocks to fall, one more as metastability resolves
// cost        STAGES + 1 flip-flops
`default_nettype none
`include "rlc_check.vh"
module rlc_reset_sync #(
    parameter STAGES = 2  // flip-flops in the synchroniser, 2..4
) (
    input  wire clk,
    input  wire rst_in,
    output wire rst_out
);
    `RLC_CHECK(STAGES >= 2 && STAGES <= 4, rlc_reset_sync_illegal_STAGES_must_be_2_or_3_or_4)

    // The only flip-flop with an asynchronous set: it catches the pulse. What follows samples it, so that
    // no register of the core sees an asynchronous edge.
    (* ASYNC_REG = "TRUE" *)
    reg caught_q;
    initial caught_q = 1'b1;
    always @(posedge clk or posedge rst_in) begin
        if (rst_in) caught_q <= 1'b1;
        else caught_q <= 1'b0;
    end

    rlc_sync_level #(.STAGES(STAGES), .INITIAL(1)) u_sync (.clk(clk), .level_in(caught_q), .level_out(rst_out));
endmodule
`default_nettype wire
