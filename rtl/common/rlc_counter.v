// rlc_counter.v — a counter of events, as software reads it.
// SPDX-License-Identifier: Apache-2.0
//
// count     one more in the next clock
// clear     from 0 again; an event in the same clock counts
`default_nettype none
`include "rlc_check.vh"
module rlc_counter #(
    parameter WIDTH    = 32, // bits, >= 2
    parameter SATURATE = 0   // 1: it stays at its largest; 0: it goes on from 0
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             clear,
    input  wire             count,
    output reg  [WIDTH-1:0] q
);
    `RLC_CHECK(WIDTH >= 2, rlc_counter_illegal_WIDTH_must_be_at_least_2)
    `RLC_CHECK(SATURATE == 0 || SATURATE == 1, rlc_counter_illegal_SATURATE_must_be_0_or_1)

    wire [WIDTH-1:0] from = clear ? {WIDTH{1'b0}} : q;
    wire             more = count && !(SATURATE != 0 && from == {WIDTH{1'b1}});
    always @(posedge clk) begin
        if (rst) q <= {WIDTH{1'b0}};
        else     q <= from + {{(WIDTH-1){1'b0}}, more};
    end
endmodule
`default_nettype wire
