// rlc_nn_momentum.v — the optimiser SGD with momentum: m' = gradient + mu * m; each step is the rate times m'.
// SPDX-License-Identifier: Apache-2.0
//
// ports      rlc_nn_slot.vh
// state      m, in the gradient's format
// settings   momentum, mu as ufix(17,17); rate, rate_exp: the rate is rate / 2^rate_exp; grad_frac + rate_exp - WEIGHT_FRAC
//            must be 0 .. 63
// latency    9 clocks from a gradient to its step
`default_nettype none
`include "rlc_check.vh"
`include "rlc_nn_optimisers.vh"
`include "rlc_nn_slot.vh"
module rlc_nn_momentum #(
    `RLC_NN_SLOT_PARAMETERS
) (
    `RLC_NN_SLOT_PORTS
);
    `RLC_CHECK(SQUARES == 0, rlc_nn_momentum_illegal_SQUARES_are_not_made_by_momentum)

    // Stages, counted from the gradient: the old m is wanted a clock before it.
    localparam       M_READ = -1;
    localparam       M_DONE = 3;
    localparam       STEP   = M_DONE + 6;
    localparam [7:0] WF     = WEIGHT_FRAC;
    wire signed [17:0] rate     = settings[`RLC_NN_RATE];
    wire signed [17:0] mu       = settings[`RLC_NN_MOMENTUM];
    wire [5:0]         rate_exp = settings[`RLC_NN_RATE_EXP];
    reg  [7:0]         shift_q;
    always @(posedge clk) shift_q <= {2'd0, grad_frac} + {2'd0, rate_exp} - WF;
    assign settings_fit = shift_q < 8'd64;

    localparam TAP = `RLC_NN_SOON + STEP - `RLC_NN_READ;
    reg  [TAP:1] soon_q;
    wire [TAP:0] soon = {soon_q, s_soon};
    always @(posedge clk) soon_q <= rst ? {TAP{1'b0}} : soon[TAP-1:0];
    assign w_soon      = soon[TAP];
    assign m_soon      = soon[TAP];
    assign dither_next = soon[TAP];
    assign m_w         = w;

    wire [LANES*GRAD_WIDTH-1:0] old, moved, loaded;
    wire                        loads = host_load && !host_word;
    rlc_nn_param_bank #(.WIDTH(LANES * GRAD_WIDTH), .GROUPS(GROUPS), .STYLE(STYLE)) u_m (
        .clk(clk), .restart(restart), .first(first),
        .rd_en(soon[`RLC_NN_SOON+M_READ-`RLC_NN_READ] || host_fetch), .rd_data(old),
        .wr_en(soon[`RLC_NN_SOON+M_DONE] || loads), .wr_data(loads ? loaded : moved)
    );

    genvar k;
    for (k = 0; k < LANES; k = k + 1) begin : g_lane
        wire signed [GRAD_WIDTH-1:0] g = s_grad[k*GRAD_WIDTH +: GRAD_WIDTH];
        wire signed [GRAD_WIDTH-1:0] m = old[k*GRAD_WIDTH +: GRAD_WIDTH];
        rlc_nn_momentum_lane #(.WEIGHT_WIDTH(WEIGHT_WIDTH), .GRAD_WIDTH(GRAD_WIDTH), .ROUND(ROUND)) u_lane (
            .clk(clk), .m(m), .g(g), .mu(mu), .rate(rate), .shift(shift_q[5:0]), .dither(dither[k*16 +: 16]),
            .new_m(moved[k*GRAD_WIDTH +: GRAD_WIDTH]), .add(m_add[k*(WEIGHT_WIDTH+1) +: WEIGHT_WIDTH+1]),
            .carry(m_carry[k]), .saturated(m_over[k])
        );
        assign loaded[k*GRAD_WIDTH +: GRAD_WIDTH] = host_data[k*WORD +: GRAD_WIDTH];
        assign host_q[k*WORD +: WORD] = host_word ? {WORD{1'b0}} : {{(WORD-GRAD_WIDTH+1){m[GRAD_WIDTH-1]}}, m[GRAD_WIDTH-2:0]};
    end
    assign m_grad_over = s_over & {LANES{s_counted}};
    assign m_tag       = 2'd0;
    assign m_squares   = {(LANES*34){1'b0}};
    assign host_sign   = 1'b1;

    wire unused = &{1'b0, settings, s_tag, host_data};
endmodule
`default_nettype wire
