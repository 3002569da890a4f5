// rlc_nn_sgd.v — the optimiser SGD: each step is the rate times the gradient. It keeps no state.
// SPDX-License-Identifier: Apache-2.0
//
// ports      rlc_nn_slot.vh
// settings   rate, rate_exp: the rate is rate / 2^rate_exp; grad_frac + rate_exp - WEIGHT_FRAC must be 0 .. 63
// latency    6 clocks from a gradient to its step
`default_nettype none
`include "rlc_check.vh"
`include "rlc_nn_optimisers.vh"
`include "rlc_nn_slot.vh"
module rlc_nn_sgd #(
    `RLC_NN_SLOT_PARAMETERS
) (
    `RLC_NN_SLOT_PORTS
);
    `RLC_CHECK(SQUARES == 0, rlc_nn_sgd_illegal_SQUARES_are_not_made_by_SGD)

    localparam       STEP = 6;
    localparam [7:0] WF   = WEIGHT_FRAC;
    wire signed [17:0] rate     = settings[`RLC_NN_RATE];
    wire [5:0]         rate_exp = settings[`RLC_NN_RATE_EXP];
    reg  [7:0]         shift_q;
    always @(posedge clk) shift_q <= {2'd0, grad_frac} + {2'd0, rate_exp} - WF;
    assign settings_fit = shift_q < 8'd64;

    // The weights come with the step; the random bits a clock before it.
    localparam TAP = `RLC_NN_SOON + STEP - `RLC_NN_READ;
    reg  [TAP:1] soon_q;
    wire [TAP:0] soon = {soon_q, s_soon};
    always @(posedge clk) soon_q <= rst ? {TAP{1'b0}} : soon[TAP-1:0];
    assign w_soon      = soon[TAP];
    assign m_soon      = soon[TAP];
    assign dither_next = soon[TAP];
    assign m_w         = w;

    genvar k;
    for (k = 0; k < LANES; k = k + 1) begin : g_lane
        wire signed [GRAD_WIDTH-1:0] g = s_grad[k*GRAD_WIDTH +: GRAD_WIDTH];
        rlc_nn_sgd_lane #(.WEIGHT_WIDTH(WEIGHT_WIDTH), .GRAD_WIDTH(GRAD_WIDTH), .ROUND(ROUND)) u_lane (
            .clk(clk), .g(g), .rate(rate), .shift(shift_q[5:0]), .dither(dither[k*16 +: 16]),
            .add(m_add[k*(WEIGHT_WIDTH+1) +: WEIGHT_WIDTH+1]), .carry(m_carry[k])
        );
    end
    assign m_over      = {LANES{1'b0}};
    assign m_grad_over = s_over & {LANES{s_counted}};
    assign m_tag       = 2'd0;
    assign m_squares   = {(LANES*34){1'b0}};
    assign host_q      = {(LANES*WORD){1'b0}};
    assign host_sign   = 1'b1;

    wire unused = &{1'b0, restart, first, settings, s_tag, host_word, host_load, host_data, host_fetch};
endmodule
`default_nettype wire
