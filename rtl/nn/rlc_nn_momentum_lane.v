// rlc_nn_momentum_lane.v — gradient descent with momentum on one lane: m' = g + mu*m, the step rate * m' / 2^shift.
// SPDX-License-Identifier: Apache-2.0
//
// m              the old momentum, a clock before g
// new_m          3 clocks after g; round half up, symmetric range
// mu, rate       0 .. 2^17 - 1; with shift they are settings that stand still while gradients pass
// dither         16 bits for ROUND 2, a clock before the result
// add, carry     9 clocks after g: the weight's change is add + carry
// saturated      beside them: new_m was clipped
// cost           two DSP slices
`default_nettype none
module rlc_nn_momentum_lane #(
    parameter WEIGHT_WIDTH = 27, // bits of a weight, 19..27
    parameter GRAD_WIDTH   = 27, // bits of a gradient, 19..27
    parameter ROUND        = 0   // of the step: 0 nearest, 1 floor, 2 stochastic
) (
    input  wire                         clk,
    input  wire signed [GRAD_WIDTH-1:0] m,
    input  wire signed [GRAD_WIDTH-1:0] g,
    input  wire signed [17:0]           mu,
    input  wire signed [17:0]           rate,
    input  wire [5:0]                   shift,
    input  wire [15:0]                  dither,
    output wire [GRAD_WIDTH-1:0]        new_m,
    output wire [WEIGHT_WIDTH:0]        add,
    output wire                         carry,
    output wire                         saturated
);
    // Stages 1, 2: g * 2^17 + mu * m + the half that rounds.
    wire signed [47:0] addend = {{(31-GRAD_WIDTH){g[GRAD_WIDTH-1]}}, g, 17'h10000};
    wire signed [47:0] sum;
    rlc_mac #(.A_WIDTH(GRAD_WIDTH), .B_WIDTH(18), .C_WIDTH(48), .P_WIDTH(48), .A_REG(1), .B_REG(1)) u_decay (
        .clk(clk), .a(m), .b(mu), .c(addend), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(sum)
    );

    // Stage 3: limit.
    wire [GRAD_WIDTH-1:0] clipped;
    wire                  over;
    reg  [GRAD_WIDTH-1:0] m_s3;
    reg                   over_s3;
    rlc_round_sat #(.WIN(GRAD_WIDTH + 1), .FRAC(0), .WOUT(GRAD_WIDTH), .SYMMETRIC(1)) u_limit (
        .in_data(sum[17 +: GRAD_WIDTH + 1]), .out_data(clipped), .saturated(over)
    );
    always @(posedge clk) begin
        m_s3    <= clipped;
        over_s3 <= over;
    end
    assign new_m = m_s3;

    // Stages 4..9: the step.
    wire signed [GRAD_WIDTH-1:0] moved = m_s3;
    rlc_nn_sgd_lane #(.WEIGHT_WIDTH(WEIGHT_WIDTH), .GRAD_WIDTH(GRAD_WIDTH), .ROUND(ROUND)) u_step (
        .clk(clk), .g(moved), .rate(rate), .shift(shift), .dither(dither), .add(add), .carry(carry)
    );
    rlc_delay #(.WIDTH(1), .CLOCKS(6)) u_over (.clk(clk), .d(over_s3), .q(saturated));

    wire unused = &{1'b0, sum[47:18+GRAD_WIDTH], sum[16:0]};
endmodule
`default_nettype wire
