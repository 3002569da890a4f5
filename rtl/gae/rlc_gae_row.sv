// rlc_gae_row.sv — one row of the systolic array: rewards loader, values loader, processing element and
// output quantiser (Taha and Abdelhadi, 2025, figure 5).
// SPDX-License-Identifier: Apache-2.0
//
//   s_* record ──► rel ──► val ──► pe ──► outq ──► m_* codes, written back at the place of the record
//
// latency     9 + 2*LOOKAHEAD clocks (one less when LOOKAHEAD*INTERLEAVE = 1); WIDE 10 + 3*LOOKAHEAD +
//             min(LOOKAHEAD*INTERLEAVE, 3); a record a clock, no back-pressure
`default_nettype none
module rlc_gae_row #(
    parameter DEPTH      = 1024,                 // records per lane, 2 to 4096
    parameter QBITS      = 8,                    // bits of a reward or value code, 3 to 16
    parameter OUT_BITS   = 8,                    // bits of a result code: QBITS, 16 or 24
    parameter LOOKAHEAD  = 2,                    // steps of look-ahead, 1 to 4
    parameter INTERLEAVE = 1,                    // lanes that take turns on a row, 1 to 8
    parameter TAG_WIDTH  = 10,                   // bits of a record's place, given back with its result
    parameter TRACE      = 0,                    // 1: q_v is the code of the step's coefficient (rlc_gae_pe)
    parameter WIDE       = (QBITS > 10) ? 1 : 0  // follows from QBITS: longer sums
) (
    input  wire                 clk,
    input  wire                 rst,
    `include "rlc_gae_cfg.vh"
    input  wire                 s_valid,
    input  wire [1:0]           s_kind,
    input  wire [QBITS-1:0]     s_q_r,
    input  wire [QBITS-1:0]     s_q_v,
    input  wire [TAG_WIDTH-1:0] s_tag,
    output wire                 m_write,
    output wire                 m_saturated,
    output wire [1:0]           m_kind,
    output wire [OUT_BITS-1:0]  m_adv,
    output wire [OUT_BITS-1:0]  m_rtg,
    output wire [TAG_WIDTH-1:0] m_tag
);
    localparam REW_WIDTH = 25 + 8 * WIDE - $clog2(DEPTH);

    wire                 rel_valid, val_valid, pe_valid;
    wire [1:0]           rel_kind, val_kind, pe_kind;
    wire [REW_WIDTH-1:0] rel_r, val_r;
    wire [QBITS-1:0]     rel_q_v, val_q_v;
    wire [TAG_WIDTH-1:0] rel_tag, val_tag, pe_tag;
    wire signed [24+8*WIDE:0] val_v, pe_v;
    wire signed [26+8*WIDE:0] pe_adv;
    wire                      pe_saturated, outq_saturated;

    rlc_gae_rel #(.DEPTH(DEPTH), .QBITS(QBITS), .OUT_BITS(OUT_BITS), .TAG_WIDTH(TAG_WIDTH)) u_rel (
        .*, .m_valid(rel_valid), .m_kind(rel_kind), .m_r(rel_r), .m_q_v(rel_q_v), .m_tag(rel_tag)
    );
    rlc_gae_val #(.DEPTH(DEPTH), .QBITS(QBITS), .OUT_BITS(OUT_BITS), .TAG_WIDTH(TAG_WIDTH)) u_val (
        .*, .s_valid(rel_valid), .s_kind(rel_kind), .s_r(rel_r), .s_q_v(rel_q_v), .s_tag(rel_tag),
        .m_valid(val_valid), .m_kind(val_kind), .m_r(val_r), .m_q_v(val_q_v), .m_v(val_v), .m_tag(val_tag)
    );
    rlc_gae_pe #(
        .DEPTH(DEPTH), .QBITS(QBITS), .OUT_BITS(OUT_BITS),
        .LOOKAHEAD(LOOKAHEAD), .INTERLEAVE(INTERLEAVE), .TAG_WIDTH(TAG_WIDTH), .TRACE(TRACE)
    ) u_pe (
        .*, .s_valid(val_valid), .s_kind(val_kind), .s_r(val_r), .s_q_v(val_q_v), .s_v(val_v), .s_tag(val_tag),
        .m_valid(pe_valid), .m_kind(pe_kind), .m_adv(pe_adv), .m_v(pe_v), .m_saturated(pe_saturated), .m_tag(pe_tag)
    );
    rlc_gae_outq #(.DEPTH(DEPTH), .QBITS(QBITS), .OUT_BITS(OUT_BITS), .TAG_WIDTH(TAG_WIDTH)) u_outq (
        .*, .s_valid(pe_valid), .s_kind(pe_kind), .s_adv(pe_adv), .s_v(pe_v), .s_tag(pe_tag),
        .m_saturated(outq_saturated)
    );
    // Beside the output quantiser: the step's coefficient was saturated.
    if (TRACE == 0) begin : g_value
        assign m_saturated = outq_saturated;
        wire unused = pe_saturated;
    end else begin : g_trace
        wire saturated;
        rlc_delay #(.WIDTH(1), .CLOCKS(2 + 2*WIDE)) u_saturated (.clk(clk), .d(pe_saturated), .q(saturated));
        assign m_saturated = outq_saturated || saturated;
    end
endmodule
`default_nettype wire
