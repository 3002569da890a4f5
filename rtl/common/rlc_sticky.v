// rlc_sticky.v — flags: bits that events set and software clears.
// SPDX-License-Identifier: Apache-2.0
//
// sets     an event of each bit; q shows it in the next clock
// clears   clears each bit; an event in the same clock wins
`default_nettype none
`include "rlc_check.vh"
module rlc_sticky #(
    parameter WIDTH = 1  // bits
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [WIDTH-1:0] sets,
    input  wire [WIDTH-1:0] clears,
    output reg  [WIDTH-1:0] q
);
    `RLC_CHECK(WIDTH >= 1, rlc_sticky_illegal_WIDTH_must_be_at_least_1)

    always @(posedge clk) begin
        if (rst) q <= {WIDTH{1'b0}};
        else     q <= (q & ~clears) | sets;
    end
endmodule
`default_nettype wire
