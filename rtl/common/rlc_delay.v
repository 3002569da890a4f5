// rlc_delay.v — a bus delayed by a fixed number of clocks.
// SPDX-License-Identifier: Apache-2.0
//
// reset    none: whoever needs a defined start resets the valid bit that travels beside
// cost     WIDTH*CLOCKS flip-flops; shreg_extract keeps them out of LUT shift registers, which cost LUTs
`default_nettype none
`include "rlc_check.vh"
module rlc_delay #(
    parameter WIDTH  = 8, // bits, >= 1
    parameter CLOCKS = 1  // clocks of delay, >= 0 (0 is a wire)
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] d,
    output wire [WIDTH-1:0] q
);
    `RLC_CHECK(WIDTH >= 1, rlc_delay_illegal_WIDTH_must_be_at_least_1)
    `RLC_CHECK(CLOCKS >= 0, rlc_delay_illegal_CLOCKS_must_be_0_or_more)

    // Icarus takes no empty slice, so an illegal WIDTH or CLOCKS makes a wire until the check ends the run.
    genvar i;
    if (CLOCKS < 1 || WIDTH < 1) begin : g_wire
        wire unused = clk;
        assign q = d;
    end else begin : g_chain
        (* shreg_extract = "no" *)
        reg [WIDTH*CLOCKS-1:0] chain_q;
        always @(posedge clk) chain_q[WIDTH-1:0] <= d;
        for (i = 1; i < CLOCKS; i = i + 1) begin : g_stage
            always @(posedge clk) chain_q[WIDTH*i +: WIDTH] <= chain_q[WIDTH*(i-1) +: WIDTH];
        end
        assign q = chain_q[WIDTH*(CLOCKS-1) +: WIDTH];
    end
endmodule
`default_nettype wire
