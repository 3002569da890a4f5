// rlc_log2.v — log2 of an unsigned integer, by table and linear interpolation.
// SPDX-License-Identifier: Apache-2.0
//
// y          log2(x) as ufix(OUT_WIDTH, 20); the same number for the same x at every IN_WIDTH
// zero       x is 0; y is 0 then
// error      below 2^-19.9; monotone; exact for powers of two. Bound and model: docs/sumtree_maths.md
// latency    4 + ceil(log4(IN_WIDTH)) clocks (IN_WIDTH 17..64: 7, 5..16: 6), one a clock, no stall, no reset
// cost       one DSP slice (15 x 18), one table of 512 x 36 (rlc_log2_rom)
`default_nettype none
`include "rlc_check.vh"
module rlc_log2 #(
    parameter IN_WIDTH  = 32,      // bits of x, 1..64
    parameter STYLE     = "block", // memory of the table: "block", "distributed" or "auto"
    parameter OUT_WIDTH = $clog2(IN_WIDTH + 1) + 20 // derived; leave it alone
) (
    input  wire                 clk,
    input  wire [IN_WIDTH-1:0]  x,
    output wire [OUT_WIDTH-1:0] y,
    output wire                 zero
);
    `RLC_CHECK(IN_WIDTH >= 1 && IN_WIDTH <= 64, rlc_log2_illegal_IN_WIDTH_must_be_1_to_64)

    localparam FRAC  = 26;                     // mantissa bits used: 9 choose the segment, 17 the place in it
    localparam LEGAL = (IN_WIDTH >= 1 && IN_WIDTH <= 64) ? IN_WIDTH : 1;
    localparam STEPS = (LEGAL <= 4) ? 1 : (LEGAL <= 16) ? 2 : 3;
    localparam WIDE  = 1 << (2 * STEPS);
    localparam AFTER = 4;                      // clocks of table and multiplier

    // Stages 1..STEPS: shift the leading one to the top, one digit of the exponent (base 4) a stage. A stage keeps
    // the mantissa and what the later stages may still shift in.
    wire [WIDE+FRAC-1:0] padded = {{(WIDE-LEGAL){1'b0}}, x[LEGAL-1:0], {FRAC{1'b0}}};
    genvar k;
    for (k = 0; k < STEPS; k = k + 1) begin : g_step
        localparam GROUP = WIDE >> (2 * (k + 1));
        localparam KEEP  = GROUP + FRAC;
        wire [KEEP+3*GROUP-1:0] from;
        reg  [KEEP-1:0]         v_q;
        reg  [2*k+1:0]          e_q;
        wire hit3 = |from[KEEP+3*GROUP-1 -: GROUP];
        wire hit2 = |from[KEEP+2*GROUP-1 -: GROUP];
        wire hit1 = |from[KEEP+GROUP-1 -: GROUP];
        wire [1:0] digit = {hit3 || hit2, hit3 || (hit1 && !hit2)};
        always @(posedge clk)
            case (digit)
                2'd3:    v_q <= from[3*GROUP +: KEEP];
                2'd2:    v_q <= from[2*GROUP +: KEEP];
                2'd1:    v_q <= from[GROUP +: KEEP];
                default: v_q <= from[0 +: KEEP];
            endcase
        if (k == 0) begin : g_first
            assign from = padded;
            always @(posedge clk) e_q <= digit;
        end else begin : g_next
            assign from = g_step[k-1].v_q;
            always @(posedge clk) e_q <= {g_step[k-1].e_q, digit};
        end
    end
    wire [FRAC:0]        mantissa = g_step[STEPS-1].v_q;
    wire [2*STEPS-1:0]   exponent = g_step[STEPS-1].e_q;

    // Stages +1, +2: table.
    wire [35:0]        row;
    wire [16:0]        rest_s2;
    wire [2*STEPS-1:0] exponent_s2;
    rlc_log2_rom #(.STYLE(STYLE)) u_rom (.clk(clk), .addr(mantissa[25:17]), .data(row));
    rlc_delay #(.WIDTH(17 + 2*STEPS), .CLOCKS(2)) u_beside (
        .clk(clk), .d({mantissa[16:0], exponent}), .q({rest_s2, exponent_s2})
    );

    // Stages +3, +4: node + step * rest, with 39 fraction bits. The table's node includes the rounding.
    wire signed [14:0] step   = {1'b0, row[13:0]};
    wire signed [17:0] rest   = {1'b0, rest_s2};
    wire signed [47:0] addend = {{(48-39-2*STEPS){1'b0}}, exponent_s2, row[35:14], 17'd0};
    wire signed [47:0] sum;
    rlc_mac #(.A_WIDTH(15), .B_WIDTH(18), .C_WIDTH(48), .P_WIDTH(48)) u_mac (
        .clk(clk), .a(step), .b(rest), .c(addend), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(sum)
    );
    assign y = sum[19 +: OUT_WIDTH];

    rlc_delay #(.WIDTH(1), .CLOCKS(AFTER)) u_zero (.clk(clk), .d(!mantissa[FRAC]), .q(zero));

    wire unused = &{1'b0, sum[47:19+OUT_WIDTH], sum[18:0]};
endmodule
`default_nettype wire
