// rlc_nn_adam.v — the optimiser Adam (Kingma and Ba, 2015), without a divider: docs/learner_update.md.
// SPDX-License-Identifier: Apache-2.0
//
// ports      rlc_nn_slot.vh
// state      m, GRAD_WIDTH + 6 bits; v, 48 bits without a sign
// settings   log_rate, log_eps, log_clip: units of 1/2048 octave
// latency    STEP_DONE clocks (rlc_nn_adam.vh) from a gradient to its step
`default_nettype none
`include "rlc_nn_optimisers.vh"
`include "rlc_nn_slot.vh"
module rlc_nn_adam #(
    `RLC_NN_SLOT_PARAMETERS,
    parameter W_LEAD = 0          // clocks that the weights are wanted before the step
) (
    `RLC_NN_SLOT_PORTS
);
    `include "rlc_nn_adam.vh"

    localparam M_WIDTH = GRAD_WIDTH + 6;
    localparam V_WIDTH = 48;

    // Settings as the lanes want them.
    wire signed [19:0] log_rate = settings[`RLC_NN_LOG_RATE];
    wire        [19:0] log_eps  = settings[`RLC_NN_LOG_EPS];
    wire signed [19:0] log_clip = settings[`RLC_NN_LOG_CLIP];
    reg  signed [19:0] log_eps_q;
    reg         [15:0] eps_q;
    reg  signed [20:0] clip_rate_q;
    always @(posedge clk) begin
        log_eps_q   <= log_eps + {3'd0, grad_frac, 11'd0} - 20'd4096;
        eps_q       <= (log_eps_q < 20'sd0) ? 16'd0 : (log_eps_q > 20'sd49151) ? 16'd49151 : log_eps_q[15:0];
        clip_rate_q <= log_rate + log_clip;
    end
    assign settings_fit = 1'b1;

    localparam TAP = `RLC_NN_SOON + STEP_DONE - `RLC_NN_READ;
    reg  [TAP:1] soon_q;
    wire [TAP:0] soon = {soon_q, s_soon};
    always @(posedge clk) soon_q <= rst ? {TAP{1'b0}} : soon[TAP-1:0];
    assign w_soon      = soon[TAP-W_LEAD];
    assign m_soon      = soon[TAP];
    assign dither_next = soon[TAP];
    assign m_w         = w;

    // A moment is written as soon as it is there.
    wire [LANES*M_WIDTH-1:0] m_old, m_new, m_loaded;
    wire [LANES*V_WIDTH-1:0] v_old, v_new, v_loaded;
    wire                     m_loads = host_load && !host_word;
    wire                     v_loads = host_load && host_word;
    rlc_nn_param_bank #(.WIDTH(LANES * M_WIDTH), .GROUPS(GROUPS), .STYLE(STYLE)) u_m (
        .clk(clk), .restart(restart), .first(first),
        .rd_en(soon[`RLC_NN_SOON+M_READ-`RLC_NN_READ] || host_fetch), .rd_data(m_old),
        .wr_en(soon[`RLC_NN_SOON+M_DONE] || m_loads), .wr_data(m_loads ? m_loaded : m_new)
    );
    rlc_nn_param_bank #(.WIDTH(LANES * V_WIDTH), .GROUPS(GROUPS), .STYLE(STYLE)) u_v (
        .clk(clk), .restart(restart), .first(first),
        .rd_en(soon[`RLC_NN_SOON+V_READ-`RLC_NN_READ] || host_fetch), .rd_data(v_old),
        .wr_en(soon[`RLC_NN_SOON+V_DONE] || v_loads), .wr_data(v_loads ? v_loaded : v_new)
    );

    wire [LANES-1:0] over;
    reg              counted_q;
    genvar k;
    for (k = 0; k < LANES; k = k + 1) begin : g_lane
        wire signed [GRAD_WIDTH-1:0] g = s_grad[k*GRAD_WIDTH +: GRAD_WIDTH];
        wire signed [M_WIDTH-1:0]    m = m_old[k*M_WIDTH +: M_WIDTH];
        rlc_nn_adam_lane #(
            .WEIGHT_WIDTH(WEIGHT_WIDTH), .GRAD_WIDTH(GRAD_WIDTH), .ROUND(ROUND), .BETA1_NUM(BETA1_NUM),
            .BETA1_SHIFT(BETA1_SHIFT), .BETA2_NUM(BETA2_NUM), .BETA2_SHIFT(BETA2_SHIFT)
        ) u_lane (
            .clk(clk), .g(g), .m(m), .v(v_old[k*V_WIDTH +: V_WIDTH]), .log_rate(log_rate), .log_clip(log_clip),
            .clip_rate(clip_rate_q), .eps(eps_q), .dither(dither[k*16 +: 16]), .new_m(m_new[k*M_WIDTH +: M_WIDTH]),
            .new_v(v_new[k*V_WIDTH +: V_WIDTH]), .g_over(over[k]), .squared(m_squares[k*34 +: 34]),
            .add(m_add[k*(WEIGHT_WIDTH+1) +: WEIGHT_WIDTH+1]), .carry(m_carry[k]), .saturated(m_over[k])
        );
        assign m_loaded[k*M_WIDTH +: M_WIDTH] = host_data[k*WORD +: M_WIDTH];
        assign v_loaded[k*V_WIDTH +: V_WIDTH] = host_data[k*WORD +: V_WIDTH];
        wire [WORD-1:0] m_word, v_word;
        assign m_word = {{(WORD-M_WIDTH+1){m[M_WIDTH-1]}}, m[M_WIDTH-2:0]};
        assign v_word = v_old[k*V_WIDTH +: WORD];
        assign host_q[k*WORD +: WORD] = host_word ? v_word : m_word;
    end
    assign host_sign = !host_word;

    // The square takes fewer bits than a gradient has: what was saturated before is saturated there too.
    reg [2*SQUARE-1:0] tag_q;
    always @(posedge clk) begin
        counted_q <= s_counted;
        tag_q     <= rst ? {(2*SQUARE){1'b0}} : {tag_q[2*SQUARE-3:0], s_tag};
    end
    assign m_grad_over = over & {LANES{counted_q}};
    assign m_tag       = tag_q[2*SQUARE-1 -: 2];

    wire unused = &{1'b0, settings, s_over};
endmodule
`default_nettype wire
