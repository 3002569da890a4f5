// rlc_nn_log.v — 1024 * log2 of an unsigned integer, by its leading one and a table: L of docs/learner_update.md.
// SPDX-License-Identifier: Apache-2.0
//
// y         1024 * e + table[f]: e the place of x's leading one, f the 8 bits after it (zeros where x has fewer)
// zero      x is 0; y is a number without meaning then
// error     below 3.4 units of 1/1024
// latency   1 + ceil(log4(WIDTH)) clocks (17..64 bits: 4), one a clock, no reset
// cost      no multiplier, no memory block
`default_nettype none
`include "rlc_check.vh"
module rlc_nn_log #(
    parameter WIDTH = 48 // bits of x, 1..64
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] x,
    output wire [15:0]      y,
    output reg              zero
);
    `RLC_CHECK(WIDTH >= 1 && WIDTH <= 64, rlc_nn_log_illegal_WIDTH_must_be_1_to_64)

    localparam FRAC  = 8;
    localparam LEGAL = (WIDTH >= 1 && WIDTH <= 64) ? WIDTH : 1;
    localparam STEPS = (LEGAL <= 4) ? 1 : (LEGAL <= 16) ? 2 : 3;
    localparam WIDE  = 1 << (2 * STEPS);

    // Stages 1..STEPS: shift the leading one to the top, one digit of its place (base 4) a stage. A stage keeps the
    // fraction and what the later stages may still shift in.
    wire [WIDE+FRAC:0] padded = {{(WIDE-LEGAL+1){1'b0}}, x[LEGAL-1:0], {FRAC{1'b0}}};
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
            assign from = padded[WIDE+FRAC-1:0];
            always @(posedge clk) e_q <= digit;
        end else begin : g_next
            assign from = g_step[k-1].v_q;
            always @(posedge clk) e_q <= {g_step[k-1].e_q, digit};
        end
    end
    wire [FRAC:0]      mantissa = g_step[STEPS-1].v_q;
    wire [2*STEPS-1:0] exponent = g_step[STEPS-1].e_q;

    // Last stage: table. The logarithm of the fraction stays below 1024, so the exponent goes in front of it.
    wire [9:0]         fraction;
    reg  [2*STEPS-1:0] exponent_q;
    rlc_nn_log_rom u_rom (.clk(clk), .addr(mantissa[FRAC-1:0]), .data(fraction));
    always @(posedge clk) begin
        exponent_q <= exponent;
        zero       <= !mantissa[FRAC];
    end
    wire [5:0] place = {{(6-2*STEPS){1'b0}}, exponent_q};
    assign y    = {place, fraction};

    wire unused = padded[WIDE+FRAC];
endmodule
`default_nettype wire
