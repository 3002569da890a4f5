// rlc_nn_tanh.v — tanh of a number of any fraction, or of its half: rlc_tanh behind a shift that saturates.
// SPDX-License-Identifier: Apache-2.0
//
// x        sfix(18,FRAC)
// y        tanh(x), or tanh(x / 2) with HALF, as rlc_tanh gives it: sfix(18,16). Beyond ±8 the argument counts as the end
// latency  6 clocks, one a clock, no reset
// cost     that of rlc_tanh: one DSP slice and one table
`default_nettype none
`include "rlc_check.vh"
module rlc_nn_tanh #(
    parameter FRAC = 14, // fraction bits of x, 0 to 14
    parameter HALF = 0   // 1: of x / 2
) (
    input  wire               clk,
    input  wire signed [17:0] x,
    output wire signed [17:0] y
);
    `RLC_CHECK(FRAC >= 0 && FRAC <= 14, rlc_nn_tanh_illegal_FRAC_must_be_0_to_14)
    `RLC_CHECK(HALF == 0 || HALF == 1, rlc_nn_tanh_illegal_HALF_must_be_0_or_1)
    localparam UP = 14 - ((FRAC <= 14) ? FRAC : 14);

    // Half of a number is the number with one fraction bit more, of which a table of 14 may have no use.
    wire signed [32:0] wide  = {{15{x[17]}}, x};
    wire signed [32:0] moved = (HALF != 0) ? ((wide <<< UP) >>> 1) : (wide <<< UP);
    wire        [17:0] argument;
    wire               saturated;
    rlc_round_sat #(.WIN(33), .FRAC(0), .WOUT(18)) u_limit (.in_data(moved), .out_data(argument), .saturated(saturated));
    rlc_tanh u_tanh (.clk(clk), .x(argument), .y(y));

    wire unused = &{1'b0, saturated};
endmodule
`default_nettype wire
