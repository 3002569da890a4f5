// rlc_gae_quant.v — quantises the input stream: rewards and values of a beat of elements to codes.
// SPDX-License-Identifier: Apache-2.0
//
// s_*, m_*    one beat a clock, no back-pressure in or out
// mean, mant, sh, limit  as rlc_gae_code; stable from 2 clocks before a pass until its last beat is out
// m_kind      0 (NONE) passes as it is; the codes of NONE and the reward code of a BOOT mean nothing
// m_clip_*    this element's code was saturated; only where the element has that number, only while m_valid
// latency     7 clocks
// cost        two DSP slices an element
`default_nettype none
`include "rlc_gae_words.vh"
module rlc_gae_quant #(
    parameter BEAT      = 2,   // elements per clock
    parameter RAW_WIDTH = 24,  // bits of a raw reward or value, at most 24
    parameter QBITS     = 8    // bits of a reward or value code, 3 to 16
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [26:0]           mean_r,
    input  wire [16:0]           mant_r,
    input  wire [5:0]            sh_r,
    input  wire [26:0]           mean_v,
    input  wire [16:0]           mant_v,
    input  wire [5:0]            sh_v,
    input  wire [QBITS-2:0]      limit,
    input  wire                  s_valid,
    input  wire                  s_last,
    input  wire [BEAT*64-1:0]    s_data,
    output wire                  m_valid,
    output wire                  m_last,
    output wire [BEAT*2-1:0]     m_kind,
    output wire [BEAT*14-1:0]    m_lane,
    output wire [BEAT*QBITS-1:0] m_q_r,
    output wire [BEAT*QBITS-1:0] m_q_v,
    output wire [BEAT-1:0]       m_clip_r,
    output wire [BEAT-1:0]       m_clip_v
);
    localparam LATENCY = 7;  // of rlc_gae_code

    // Half of what a shift drops; a shift of 44 or more leaves nothing to round.
    reg [44:0] round_r_q;
    reg [44:0] round_v_q;
    reg [QBITS-2:0] limit_q;
    always @(posedge clk) begin
        limit_q   <= limit;
        round_r_q <= (sh_r == 6'd0 || sh_r >= 6'd44) ? 45'd0 : 45'd1 << (sh_r - 6'd1);
        round_v_q <= (sh_v == 6'd0 || sh_v >= 6'd44) ? 45'd0 : 45'd1 << (sh_v - 6'd1);
    end

    reg [LATENCY-1:0] valid_q;
    reg [LATENCY-1:0] last_q;
    always @(posedge clk)
        if (rst) begin
            valid_q <= {LATENCY{1'b0}};
            last_q  <= {LATENCY{1'b0}};
        end else begin
            valid_q <= {valid_q[LATENCY-2:0], s_valid};
            last_q  <= {last_q[LATENCY-2:0], s_valid && s_last};
        end
    assign m_valid = valid_q[LATENCY-1];
    assign m_last  = last_q[LATENCY-1];

    genvar g;
    for (g = 0; g < BEAT; g = g + 1) begin : g_element
        wire [63:0]           element = s_data[g*64 +: 64];
        wire [23:0]           reward  = element[`RLC_GAE_ELEMENT_REWARD];
        wire [23:0]           value   = element[`RLC_GAE_ELEMENT_VALUE];
        reg  [LATENCY*16-1:0] tag_q;
        wire [15:0]           tag = tag_q[LATENCY*16-1 -: 16];
        wire [1:0]            kind = tag[`RLC_GAE_TAG_KIND];
        wire                  clipped_r, clipped_v;
        always @(posedge clk) tag_q <= {tag_q[(LATENCY-1)*16-1:0], element[`RLC_GAE_ELEMENT_LANE], element[`RLC_GAE_ELEMENT_KIND]};
        rlc_gae_code #(.RAW_WIDTH(RAW_WIDTH), .QBITS(QBITS)) u_reward (
            .clk(clk), .x(reward[RAW_WIDTH-1:0]), .mean(mean_r), .mant(mant_r), .shift(sh_r), .round(round_r_q),
            .limit(limit_q), .code(m_q_r[g*QBITS +: QBITS]), .clipped(clipped_r)
        );
        rlc_gae_code #(.RAW_WIDTH(RAW_WIDTH), .QBITS(QBITS)) u_value (
            .clk(clk), .x(value[RAW_WIDTH-1:0]), .mean(mean_v), .mant(mant_v), .shift(sh_v), .round(round_v_q),
            .limit(limit_q), .code(m_q_v[g*QBITS +: QBITS]), .clipped(clipped_v)
        );
        assign m_kind[g*2 +: 2]   = kind;
        assign m_lane[g*14 +: 14] = tag[`RLC_GAE_TAG_LANE];
        assign m_clip_r[g] = m_valid && kind[0] && clipped_r;
        assign m_clip_v[g] = m_valid && |kind && clipped_v;
    end
endmodule
`default_nettype wire
