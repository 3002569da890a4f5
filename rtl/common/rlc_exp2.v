// rlc_exp2.v — 2 to a signed fixed-point power, by table and linear interpolation, rounded and saturated.
// SPDX-License-Identifier: Apache-2.0
//
// y          2^x as ufix(OUT_WIDTH, OUT_FRAC), rounded half up; all ones when that is too large
// saturated  y was too large
// error      relative, before rounding, below 2^-22; monotone; exact for whole x. Bound: docs/sumtree_maths.md
// latency    5 + ceil(clog2(OUT_WIDTH + 2)/2) clocks (OUT_WIDTH 15..39: 8), one a clock, no stall, no reset
// cost       one DSP slice (15 x 18), one table of 512 x 36 (rlc_exp2_rom), a barrel shifter of OUT_WIDTH + 1 bits
`default_nettype none
`include "rlc_check.vh"
module rlc_exp2 #(
    parameter IN_WIDTH  = 35,      // bits of x, sfix(IN_WIDTH, 26), 28..48
    parameter OUT_WIDTH = 18,      // bits of y, 1..39
    parameter OUT_FRAC  = 0,       // fraction bits of y, 0..OUT_WIDTH
    parameter STYLE     = "block"  // memory of the table: "block", "distributed" or "auto"
) (
    input  wire                       clk,
    input  wire signed [IN_WIDTH-1:0] x,
    output wire [OUT_WIDTH-1:0]       y,
    output reg                        saturated
);
    `RLC_CHECK(IN_WIDTH >= 28 && IN_WIDTH <= 48, rlc_exp2_illegal_IN_WIDTH_must_be_28_to_48)
    `RLC_CHECK(OUT_WIDTH >= 1 && OUT_WIDTH <= 39, rlc_exp2_illegal_OUT_WIDTH_must_be_1_to_39)
    `RLC_CHECK(OUT_FRAC >= 0 && OUT_FRAC <= OUT_WIDTH, rlc_exp2_illegal_OUT_FRAC_must_be_0_to_OUT_WIDTH)

    localparam LEGAL      = (IN_WIDTH >= 28 && IN_WIDTH <= 48) ? IN_WIDTH : 28;
    localparam OUT        = (OUT_WIDTH >= 1 && OUT_WIDTH <= 39) ? OUT_WIDTH : 1;
    localparam WHOLE      = LEGAL - 26;        // bits of floor(x)
    localparam MARGIN     = (WHOLE > 7) ? WHOLE + 1 : 8;  // and of its difference to OUT - 1 - OUT_FRAC
    localparam SHIFT_BITS = $clog2(OUT + 2);   // shifts 0..OUT + 1
    localparam STEPS      = (SHIFT_BITS + 1) / 2;
    localparam BEFORE     = 3;                 // from the shift's register to the mantissa
    localparam [31:0] TOP_BIT   = OUT - 1 - OUT_FRAC;
    localparam [31:0] ALL_SHIFT = OUT + 1;
    localparam signed [MARGIN-1:0] TOP     = TOP_BIT[MARGIN-1:0];
    localparam signed [MARGIN-1:0] LARGEST = ALL_SHIFT[MARGIN-1:0];

    // Stages 1, 2: table. Beside it, how far the mantissa's leading one is from the output's top bit.
    wire [35:0] row;
    wire [16:0] rest_s2;
    rlc_exp2_rom #(.STYLE(STYLE)) u_rom (.clk(clk), .addr(x[25:17]), .data(row));
    rlc_delay #(.WIDTH(17), .CLOCKS(2)) u_rest (.clk(clk), .d(x[16:0]), .q(rest_s2));

    wire signed [MARGIN-1:0] whole    = {{(MARGIN-WHOLE){x[LEGAL-1]}}, x[LEGAL-1:26]};
    wire signed [MARGIN-1:0] distance = TOP - whole;
    reg                      over_q;
    reg  [2*STEPS-1:0]       shift_q;
    always @(posedge clk) begin
        over_q  <= distance < 0;
        shift_q <= (distance < 0) ? 0 : (distance > LARGEST) ? LARGEST[2*STEPS-1:0] : distance[2*STEPS-1:0];
    end
    wire               over_s4;
    wire [2*STEPS-1:0] shift_s4;
    rlc_delay #(.WIDTH(1 + 2*STEPS), .CLOCKS(BEFORE)) u_beside (
        .clk(clk), .d({over_q, shift_q}), .q({over_s4, shift_s4})
    );

    // Stages 3, 4: mantissa = node + step * rest, 1.0 is 2^39.
    wire signed [14:0] step   = {1'b0, row[13:0]};
    wire signed [17:0] rest   = {1'b0, rest_s2};
    wire signed [41:0] addend = {2'b0, 1'b1, row[35:14], 17'd0};
    wire signed [41:0] mantissa;
    rlc_mac #(.A_WIDTH(15), .B_WIDTH(18), .C_WIDTH(42), .P_WIDTH(42)) u_mac (
        .clk(clk), .a(step), .b(rest), .c(addend), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(mantissa)
    );

    // Next STEPS stages: shift right, one digit (base 4) a stage, one bit for rounding below the output.
    genvar k;
    for (k = 0; k < STEPS; k = k + 1) begin : g_step
        wire [OUT:0]       from;
        wire [2*STEPS-1:0] shift;
        wire               over;
        reg  [OUT:0]       v_q;
        reg  [2*STEPS-1:0] remaining_q;
        reg                large_q;
        always @(posedge clk) begin
            remaining_q <= shift;
            large_q  <= over;
            case (shift[2*k +: 2])
                2'd3:    v_q <= from >> (3 << (2 * k));
                2'd2:    v_q <= from >> (2 << (2 * k));
                2'd1:    v_q <= from >> (1 << (2 * k));
                default: v_q <= from;
            endcase
        end
        if (k == 0) begin : g_first
            assign {from, shift, over} = {mantissa[39 -: OUT+1], shift_s4, over_s4};
        end else begin : g_next
            assign {from, shift, over} = {g_step[k-1].v_q, g_step[k-1].remaining_q, g_step[k-1].large_q};
        end
    end

    // Last stage: round half up, saturate.
    wire [OUT:0] last    = g_step[STEPS-1].v_q;
    wire         last_over = g_step[STEPS-1].large_q;
    wire [OUT:0] rounded = {1'b0, last[OUT:1]} + {{OUT{1'b0}}, last[0]};
    reg  [OUT-1:0] y_q;
    always @(posedge clk) begin
        y_q       <= (last_over || rounded[OUT]) ? {OUT{1'b1}} : rounded[OUT-1:0];
        saturated <= last_over || rounded[OUT];
    end
    assign y         = y_q;

    wire unused = &{1'b0, mantissa, g_step[STEPS-1].remaining_q};
endmodule
`default_nettype wire
