// rlc_gae_val.v — values loader: de-quantises and de-standardises the value of a record.
// SPDX-License-Identifier: Apache-2.0
//
// v = floor(q_v * value_scale + value_offset), in u; value_offset includes the half that makes this a rounding.
// The reward, the code and the tag travel beside it.
// latency     3 clocks (WIDE 4), one record a clock, no back-pressure
// cost        one DSP (WIDE two)
`default_nettype none
module rlc_gae_val #(
    parameter DEPTH     = 1024,                 // records per lane, 2 to 4096
    parameter QBITS     = 8,                    // bits of a reward or value code, 3 to 16
    parameter OUT_BITS  = 8,                    // bits of a result code: QBITS, 16 or 24
    parameter TAG_WIDTH = 10,                   // bits of a place: handed along, given back with the result
    parameter WIDE      = (QBITS > 10) ? 1 : 0  // follows from QBITS: two DSP slices per product, longer sums
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire signed [26+5*WIDE:0]  cfg_value_scale,   // sfix(27,10), u per code; WIDE sfix(32,15)
    input  wire signed [34+13*WIDE:0] cfg_value_offset,  // sfix(35,10), u, half a u included; WIDE sfix(48,15)
    input  wire                      s_valid,
    input  wire [1:0]                s_kind,
    input  wire [24+8*WIDE-$clog2(DEPTH):0] s_r,
    input  wire [QBITS-1:0]          s_q_v,
    input  wire [TAG_WIDTH-1:0]      s_tag,
    output wire                      m_valid,
    output wire [1:0]                m_kind,
    output wire [24+8*WIDE-$clog2(DEPTH):0] m_r,
    output wire [QBITS-1:0]          m_q_v,
    output wire signed [24+8*WIDE:0] m_v,
    output wire [TAG_WIDTH-1:0]      m_tag
);
    `include "rlc_gae_defs.vh"

    localparam LATENCY = 3 + WIDE;

    // Stages 1..3: operand, product, sum. WIDE: operand, and three of a product in two slices.
    wire signed [OFS_WIDTH-1:0] p;
    if (WIDE == 0) begin : g_narrow
        rlc_mac #(
            .A_WIDTH(SCL_WIDTH), .B_WIDTH(QBITS), .C_WIDTH(OFS_WIDTH), .P_WIDTH(OFS_WIDTH),
            .A_REG(0), .B_REG(1), .C_REG(0), .M_REG(1)
        ) u_mac (
            .clk(clk), .a(cfg_value_scale), .b(s_q_v), .c(cfg_value_offset),
            .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(p)
        );
    end else begin : g_wide
        wire [QBITS-1:0] q_v_s1;
        rlc_delay #(.WIDTH(QBITS), .CLOCKS(1)) u_operand (.clk(clk), .d(s_q_v), .q(q_v_s1));
        rlc_gae_mac2 #(
            .A_WIDTH(QBITS), .B_WIDTH(SCL_WIDTH), .C_WIDTH(OFS_WIDTH), .P_WIDTH(OFS_WIDTH), .STAGES(3), .C_STILL(1)
        ) u_mac (
            .clk(clk), .a(q_v_s1), .b(cfg_value_scale), .c(cfg_value_offset), .m_clear(1'b0), .c_clear(1'b0), .p(p)
        );
    end
    assign m_v = p[OFS_WIDTH-1:WORD_FRAC];

    reg [LATENCY-1:0] valid_q;
    always @(posedge clk)
        if (rst) valid_q <= {LATENCY{1'b0}};
        else     valid_q <= {valid_q[LATENCY-2:0], s_valid};
    assign m_valid = valid_q[LATENCY-1];

    rlc_delay #(.WIDTH(2 + REW_WIDTH + QBITS + TAG_WIDTH), .CLOCKS(LATENCY)) u_beside (
        .clk(clk), .d({s_kind, s_r, s_q_v, s_tag}), .q({m_kind, m_r, m_q_v, m_tag})
    );
endmodule
`default_nettype wire
