// rlc_ppo_lr_schedule.v — Adam's rate of every step: bias correction, and a learning rate that falls from iteration to iteration.
// SPDX-License-Identifier: Apache-2.0
//
//   p = p - floor(p * NUM / 2^SHIFT), from 1.0, for both betas: the powers beta^n of step n
//   log_rate = first + log2(1 - p2) / 2 - log2(1 - p1) + log2 remaining - log2 iterations, rounded to 11 fraction bits
//
// restart         pulse, not while busy: both powers are 1.0 again, so the next step is the first one
// start           pulse, not while busy: computes the next step's rate
// cfg_first       log2(rate * 2^22), 20 fraction bits, signed
// cfg_iterations  iterations over which the rate falls to 0; 0: it does not fall. remaining: how many are left, this one
//                 included, at least 1
// done            pulse: log_rate, in the learner's format, has the new value, and keeps it until the next one
// latency         14 clocks plus those of the longer product (rlc_nn_csd.vh) from start to done
// cost            one DSP slice, one table
// model           rlcores.cores.ppo.rates
`default_nettype none
`include "rlc_check.vh"
module rlc_ppo_lr_schedule #(
    parameter BETA1_NUM   = 205, // 1 - beta1 = BETA1_NUM / 2^BETA1_SHIFT
    parameter BETA1_SHIFT = 11,  // see BETA1_NUM
    parameter BETA2_NUM   = 131, // 1 - beta2 = BETA2_NUM / 2^BETA2_SHIFT
    parameter BETA2_SHIFT = 17   // see BETA2_NUM
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               restart,
    input  wire               start,
    input  wire signed [27:0] cfg_first,
    input  wire [31:0]        cfg_iterations,
    input  wire [31:0]        remaining,
    output reg  [19:0]        log_rate,
    output wire               done
);
    `include "rlc_nn_csd.vh"
    `RLC_CHECK(BETA1_SHIFT >= 1 && BETA1_SHIFT <= 20 && BETA1_NUM >= 1 && BETA1_NUM <= (1 << BETA1_SHIFT)
               && BETA1_NUM < 16384 && BETA2_SHIFT >= 1 && BETA2_SHIFT <= 20 && BETA2_NUM >= 1
               && BETA2_NUM <= (1 << BETA2_SHIFT) && BETA2_NUM < 16384,
               rlc_ppo_lr_schedule_illegal_BETA1_NUM_and_BETA2_NUM_must_be_1_to_16383_and_at_most_2_to_BETA1_SHIFT_and_BETA2_SHIFT_of_1_to_20)

    localparam LOG     = 7;
    localparam B1      = csd_clocks(BETA1_NUM);
    localparam B2      = csd_clocks(BETA2_NUM);
    localparam POWERS  = ((B1 > B2) ? B1 : B2) + 1;  // clocks from start to the new powers
    localparam FIRST   = POWERS + 1 + LOG;           // .. to the first logarithm
    localparam AFTER   = FIRST + 5;                  // .. to the new rate

    reg  [AFTER:1] after_q;
    wire [AFTER:0] at = {after_q, start};            // bit n: n clocks after start
    always @(posedge clk) after_q <= rst ? {AFTER{1'b0}} : at[AFTER-1:0];
    assign done = at[AFTER];

    // The powers, ufix(33,32).
    localparam W1 = 34 + $clog2(BETA1_NUM + 1);
    localparam W2 = 34 + $clog2(BETA2_NUM + 1);
    reg         [32:0]   power1_q, power2_q;
    wire signed [33:0]   power1 = {1'b0, power1_q};
    wire signed [33:0]   power2 = {1'b0, power2_q};
    wire signed [W1-1:0] part1;
    wire signed [W2-1:0] part2;
    wire signed [W1-1:0] whole1 = part1 >>> BETA1_SHIFT;
    wire signed [W2-1:0] whole2 = part2 >>> BETA2_SHIFT;
    rlc_nn_const_mult #(.WIDTH(34), .NUMBER(BETA1_NUM)) u_beta1 (.clk(clk), .x(power1), .product(part1));
    rlc_nn_const_mult #(.WIDTH(34), .NUMBER(BETA2_NUM)) u_beta2 (.clk(clk), .x(power2), .product(part2));
    always @(posedge clk)
        if (rst || restart) begin
            power1_q <= {1'b1, 32'd0};
            power2_q <= {1'b1, 32'd0};
        end else if (at[POWERS-1]) begin
            power1_q <= power1_q - whole1[32:0];
            power2_q <= power2_q - whole2[32:0];
        end

    // Four logarithms, one after the other, each added with its weight.
    reg  [32:0] x_q;
    always @(posedge clk)
        x_q <= at[POWERS]   ? {1'b1, 32'd0} - power2_q
             : at[POWERS+1] ? {1'b1, 32'd0} - power1_q
             : at[POWERS+2] ? {1'b0, remaining} : {1'b0, cfg_iterations};
    wire        [25:0] log;
    wire               zero;
    reg  signed [31:0] sum_q;
    wire signed [31:0] one  = {6'd0, log};
    wire signed [31:0] two  = {5'd0, log, 1'b0};
    wire               fall = cfg_iterations != 32'd0;
    wire signed [31:0] begins = {{3{cfg_first[27]}}, cfg_first, 1'b0} + 32'sd33554432;   // 32 octaves: half of both powers'
    rlc_log2 #(.IN_WIDTH(33)) u_log (.clk(clk), .x(x_q), .y(log), .zero(zero));
    always @(posedge clk)
        if (at[FIRST])               sum_q <= begins + one;
        else if (at[FIRST+1])        sum_q <= sum_q - two;
        else if (at[FIRST+2] && fall) sum_q <= sum_q + two;
        else if (at[FIRST+3] && fall) sum_q <= sum_q - two;

    // Rounded half up.
    wire [31:0] half = sum_q + 32'd512;
    always @(posedge clk) if (at[AFTER-1]) log_rate <= half[29:10];
    wire unused = &{1'b0, zero, half[31:30], half[9:0], whole1[W1-1:33], whole2[W2-1:33]};
endmodule
`default_nettype wire
