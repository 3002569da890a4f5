// rlc_nn_step.v — divides a signed number by 2^shift and rounds it: R of docs/learner_update.md, for SGD.
// SPDX-License-Identifier: Apache-2.0
//
// value   signed
// shift   a setting, 0..63: it must stand still from the clock of value until the result is out
// dither  16 bits for ROUND 2, LATENCY - 1 = 2 clocks after value
// whole, carry
//         the result is whole + carry: carry comes from rounding 16 fraction bits, and is left to an adder that the
//         caller has anyway. What does not fit is saturated to +-2^(WOUT-1), which carry makes possible: a weight of
// latency 3 clocks, one a clock, no reset
`default_nettype none
`include "rlc_check.vh"
module rlc_nn_step #(
    parameter WIN   = 44, // bits of the value, signed
    parameter WOUT  = 28, // bits of the result, signed
    parameter ROUND = 0   // 0 nearest, 1 floor, 2 stochastic
) (
    input  wire            clk,
    input  wire [WIN-1:0]  value,
    input  wire [5:0]      shift,
    input  wire [15:0]     dither,
    output wire [WOUT-1:0] whole,
    output wire            carry
);
    `RLC_CHECK(WIN >= 2 && WOUT >= 2, rlc_nn_step_illegal_WIN_and_WOUT_must_be_at_least_2)
    `RLC_CHECK(ROUND >= 0 && ROUND <= 2, rlc_nn_step_illegal_ROUND_must_be_0_or_1_or_2)

    localparam INT  = (WIN > WOUT) ? WIN : WOUT + 1;   // integer bits while shifting, more than the output's
    localparam TOP  = INT + 15;                        // index of the sign
    localparam SIGN = WOUT + 15;                       // index of the output's sign
    localparam HIGH = TOP - SIGN;

    // Stage 1: shift right by the multiple of 4.
    wire signed [TOP:0] wide = {{(INT-WIN+1){value[WIN-1]}}, value[WIN-2:0], 16'd0};
    reg  signed [TOP:0] coarse_s1;
    always @(posedge clk) coarse_s1 <= wide >>> {shift[5:2], 2'b00};

    // Stage 2: shift by the rest, and see whether it fits.
    wire [1:0]          fine = shift[1:0];
    wire signed [TOP:0] near = coarse_s1 >>> fine;
    reg                 overflow;
    integer             i;
    always @* begin
        overflow = 1'b0;
        for (i = 0; i < HIGH; i = i + 1)
            if (i >= fine && coarse_s1[SIGN+i] != coarse_s1[TOP]) overflow = 1'b1;
    end
    reg [SIGN:0] near_s2;
    reg          overflow_s2, minus_s2;
    always @(posedge clk) begin
        near_s2     <= near[SIGN:0];
        overflow_s2 <= overflow;
        minus_s2    <= coarse_s1[TOP];
    end

    // Stage 3: limit, round.
    reg [WOUT-1:0] whole_s3;
    reg            carry_s3;
    wire           up;
    rlc_nn_round_carry #(.ROUND(ROUND)) u_round_carry (.fraction(near_s2[15:0]), .dither(dither), .carry(up));
    always @(posedge clk) begin
        whole_s3 <= overflow_s2 ? {minus_s2, {(WOUT-1){!minus_s2}}} : near_s2[SIGN:16];
        carry_s3 <= overflow_s2 ? !minus_s2 : up;
    end
    assign whole = whole_s3;
    assign carry = carry_s3;

    wire unused = &{1'b0, near[TOP:SIGN+1]};
endmodule
`default_nettype wire
