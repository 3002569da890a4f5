// rlc_gae_outq.v — output quantiser: advantage and reward-to-go to OUT_BITS codes.
// SPDX-License-Identifier: Apache-2.0
//
// code = saturate(round(x / 2^drop)); one code is 2^(drop - shift) reward steps, a power of two
// drop        OUT_DROP; WIDE: cfg_drop
// m_write     the record is a step: its codes replace reward and value in the stack
// m_saturated one of the two codes was clipped
// latency     2 clocks (WIDE 4), one record a clock, no back-pressure
`default_nettype none
module rlc_gae_outq #(
    parameter DEPTH     = 1024,                 // records per lane, 2 to 4096
    parameter QBITS     = 8,                    // bits of a reward or value code, 3 to 16
    parameter OUT_BITS  = 8,                    // bits of a result code: QBITS, 16 or 24
    parameter TAG_WIDTH = 10,                   // bits of a place: handed along, given back with the result
    parameter WIDE      = (QBITS > 10) ? 1 : 0  // follows from QBITS: two DSP slices per product, longer sums
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [4:0]           cfg_drop,
    input  wire                 s_valid,
    input  wire [1:0]           s_kind,
    input  wire signed [26+8*WIDE:0] s_adv,
    input  wire signed [24+8*WIDE:0] s_v,
    input  wire [TAG_WIDTH-1:0] s_tag,
    output wire                 m_write,
    output wire                 m_saturated,
    output wire [1:0]           m_kind,
    output wire [OUT_BITS-1:0]  m_adv,
    output wire [OUT_BITS-1:0]  m_rtg,
    output wire [TAG_WIDTH-1:0] m_tag
);
    `include "rlc_gae_defs.vh"

    // Stage 1: reward-to-go = A + v.
    reg signed [ACC_WIDTH-1:0] adv_s1;
    reg signed [ACC_WIDTH:0]   rtg_s1;
    reg                        step_s1;
    always @(posedge clk) begin
        adv_s1  <= s_adv;
        rtg_s1  <= s_adv + s_v;
        step_s1 <= s_valid && s_kind[0] && !rst;
    end

    if (WIDE == 0) begin : g_narrow
        // Stage 2: round and saturate.
        wire [OUT_BITS-1:0] adv_code, rtg_code;
        wire                adv_saturated, rtg_saturated;
        rlc_round_sat #(.WIN(ACC_WIDTH), .FRAC(OUT_DROP), .WOUT(OUT_BITS)) u_adv (
            .in_data(adv_s1), .out_data(adv_code), .saturated(adv_saturated)
        );
        rlc_round_sat #(.WIN(ACC_WIDTH+1), .FRAC(OUT_DROP), .WOUT(OUT_BITS)) u_rtg (
            .in_data(rtg_s1), .out_data(rtg_code), .saturated(rtg_saturated)
        );
        reg                write_q;
        reg                saturated_q;
        reg [OUT_BITS-1:0] adv_q;
        reg [OUT_BITS-1:0] rtg_q;
        always @(posedge clk) begin
            write_q     <= step_s1 && !rst;
            saturated_q <= step_s1 && (adv_saturated || rtg_saturated);
            adv_q       <= adv_code;
            rtg_q       <= rtg_code;
        end
        assign m_write     = write_q;
        assign m_saturated = saturated_q;
        assign m_adv       = adv_q;
        assign m_rtg       = rtg_q;
        wire unused = &{1'b0, cfg_drop};
    end else begin : g_wide
        // Stages 2 to 4: shift, round and saturate.
        wire       adv_saturated, rtg_saturated;
        reg  [2:0] write_q;
        rlc_shift_sat #(.WIN(ACC_WIDTH), .WOUT(OUT_BITS), .SHIFT_WIDTH(5)) u_adv (
            .clk(clk), .s_data(adv_s1), .shift(cfg_drop), .m_data(m_adv), .m_saturated(adv_saturated)
        );
        rlc_shift_sat #(.WIN(ACC_WIDTH+1), .WOUT(OUT_BITS), .SHIFT_WIDTH(5)) u_rtg (
            .clk(clk), .s_data(rtg_s1), .shift(cfg_drop), .m_data(m_rtg), .m_saturated(rtg_saturated)
        );
        always @(posedge clk) write_q <= {write_q[1:0], step_s1} & {3{!rst}};
        assign m_write     = write_q[2];
        assign m_saturated = write_q[2] && (adv_saturated || rtg_saturated);
    end
    rlc_delay #(.WIDTH(2 + TAG_WIDTH), .CLOCKS(2 + 2*WIDE)) u_tag (
        .clk(clk), .d({s_kind, s_tag}), .q({m_kind, m_tag})
    );
endmodule
`default_nettype wire
