// rlc_nn_exp.v — the step of Adam from its logarithm: 2^(x / 2048), rounded, by a table and shifts.
// SPDX-License-Identifier: Apache-2.0
//
// x       units of 1/2048, signed; its lowest 3 bits are not looked at
// dither  16 bits for ROUND 2, LATENCY - 1 = 4 clocks after x
// whole, carry
//         the step is whole + carry: carry comes from rounding the 16 fraction bits, and is left to an adder that
//         the caller has anyway
// beyond   the step did not fit; whole is the largest step then, and carry 0
// latency 5 clocks, one a clock, no reset
`default_nettype none
`include "rlc_check.vh"
module rlc_nn_exp #(
    parameter WIDTH = 27, // bits of the weight that moves; the step has one bit less and no sign
    parameter ROUND = 0   // 0 nearest, 1 floor, 2 stochastic
) (
    input  wire               clk,
    input  wire signed [20:0] x,
    input  wire [15:0]        dither,
    output wire [WIDTH-2:0]   whole,
    output wire               carry,
    output wire               beyond
);
    `RLC_CHECK(WIDTH >= 19 && WIDTH <= 27, rlc_nn_exp_illegal_WIDTH_must_be_19_to_27)
    `RLC_CHECK(ROUND >= 0 && ROUND <= 2, rlc_nn_exp_illegal_ROUND_must_be_0_or_1_or_2)

    localparam KEEP = WIDTH - 1 + 16;          // the step with its fraction
    localparam signed [9:0] TOP = WIDTH - 2;   // the largest exponent whose steps all fit
    localparam signed [9:0] LOW = -17;         // below it nothing is left but zeros

    // Stage 1: table; the exponent as the shift that puts the mantissa, 11 bits, LOW places too high.
    wire signed [9:0] e = x[20:11];
    wire [9:0]        fraction;
    reg  [5:0]        shift_s1;
    wire [9:0]        by = e - LOW;
    rlc_nn_exp_rom u_rom (.clk(clk), .addr(x[10:3]), .data(fraction));
    always @(posedge clk) shift_s1 <= by[5:0];

    // Stages 2..4: shift, the small steps first, for then the wide one is cheap.
    reg [13:0]     fine_s2;
    reg [3:0]      shift_s2;
    reg [25:0]     middle_s3;
    reg [1:0]      shift_s3;
    reg [KEEP-1:0] value_s4;
    wire           tiny_s3, beyond_s4;
    rlc_delay #(.WIDTH(1), .CLOCKS(3)) u_tiny (.clk(clk), .d(e < LOW), .q(tiny_s3));
    rlc_delay #(.WIDTH(1), .CLOCKS(4)) u_beyond (.clk(clk), .d(e > TOP), .q(beyond_s4));
    wire [13:0]    mantissa = {3'd0, 1'b1, fraction};
    wire [25:0]    fine     = {12'd0, fine_s2};
    wire [73:0]    coarse   = {48'd0, middle_s3} << {shift_s3, 4'd0};
    always @(posedge clk) begin
        fine_s2   <= mantissa << shift_s1[1:0];
        shift_s2  <= shift_s1[5:2];
        middle_s3 <= fine << {shift_s2[1:0], 2'd0};
        shift_s3  <= shift_s2[3:2];
        value_s4  <= tiny_s3 ? {KEEP{1'b0}} : coarse[11 +: KEEP];
    end

    // Stage 5: round.
    reg [WIDTH-2:0] whole_s5;
    reg             carry_s5, beyond_s5;
    wire            up;
    rlc_nn_round_carry #(.ROUND(ROUND)) u_round_carry (.fraction(value_s4[15:0]), .dither(dither), .carry(up));
    always @(posedge clk) begin
        whole_s5 <= beyond_s4 ? {(WIDTH-1){1'b1}} : value_s4[KEEP-1:16];
        carry_s5 <= up && !beyond_s4;
        beyond_s5 <= beyond_s4;
    end
    assign whole = whole_s5;
    assign carry = carry_s5;
    assign beyond = beyond_s5;

    wire unused = &{1'b0, by[9:6], x[2:0], coarse[73:11+KEEP], coarse[10:0]};
endmodule
`default_nettype wire
