// rlc_gae_rel.v — rewards loader: de-quantises the reward of a record and passes the record on.
// SPDX-License-Identifier: Apache-2.0
//
// r = q_r << shift, in u (u = 2^-shift of a quantisation step of the reward; docs/gae.md "Numbers")
// latency     1 clock, one record a clock, no back-pressure
`default_nettype none
module rlc_gae_rel #(
    parameter DEPTH     = 1024,                 // records per lane, 2 to 4096
    parameter QBITS     = 8,                    // bits of a reward or value code, 3 to 16
    parameter OUT_BITS  = 8,                    // bits of a result code: QBITS, 16 or 24
    parameter TAG_WIDTH = 10,                   // bits of a place: handed along, given back with the result
    parameter WIDE      = (QBITS > 10) ? 1 : 0  // follows from QBITS: two DSP slices per product, longer sums
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [3:0]           cfg_shift,  // 0..SHIFT_MAX
    input  wire                 s_valid,
    input  wire [1:0]           s_kind,
    input  wire [QBITS-1:0]     s_q_r,
    input  wire [QBITS-1:0]     s_q_v,
    input  wire [TAG_WIDTH-1:0] s_tag,
    output reg                  m_valid,
    output reg  [1:0]           m_kind,
    output wire [24+8*WIDE-$clog2(DEPTH):0] m_r,
    output reg  [QBITS-1:0]     m_q_v,
    output reg  [TAG_WIDTH-1:0] m_tag
);
    `include "rlc_gae_defs.vh"

    // Bits of the shift that matter; the rest of cfg_shift is 0 for a legal configuration.
    localparam USED = (SHIFT_MAX > 7) ? 4 : (SHIFT_MAX > 3) ? 3 : 2;

    wire [REW_WIDTH-1:0] extended = {{(REW_WIDTH-QBITS){s_q_r[QBITS-1]}}, s_q_r};

    reg [REW_WIDTH-1:0] r_q;

    always @(posedge clk) begin
        m_valid <= s_valid && !rst;
        m_kind  <= s_kind;
        r_q     <= extended << cfg_shift[USED-1:0];
        m_q_v   <= s_q_v;
        m_tag   <= s_tag;
    end

    assign m_r     = r_q;
endmodule
`default_nettype wire
