// rlc_gae_dadd.v — discounted add, the one operation of the recurrence: y = x + c*a.
// SPDX-License-Identifier: Apache-2.0
//
// keep = 1: y = round(x + c*a), computed as (x + a) + (c - 1)*a, because c - 1 in -1..0 fits a signed port of a DSP
//           for every discount including 1
// keep = 0: y = x, the episode ended between the two
// b         c - 1, sfix(18,17); WIDE: sfix(27,26)
// latency   STAGES clocks (2, WIDE 3; less for a loop that has no room for a product register), one result a clock
// range     the caller guarantees that y fits (docs/gae.md, "Numbers")
// cost      one DSP and one 28-bit adder; WIDE: two DSPs and two adders of 36 and 45 bits
`default_nettype none
module rlc_gae_dadd #(
    parameter WIDE   = 0,  // 1: sums of 35 bits and a discount of 26, in two DSP slices; 0: 27 and 17, in one
    parameter STAGES = 2   // clocks: 2, WIDE 3; less for a loop that has no room for a product register
) (
    input  wire                       clk,
    input  wire signed [26+8*WIDE:0]  x,
    input  wire signed [26+8*WIDE:0]  a,
    input  wire                       keep,
    input  wire signed [17+9*WIDE:0]  b,
    output wire signed [26+8*WIDE:0]  y
);
    localparam WIDTH   = 27 + 8 * WIDE;
    localparam FRAC    = 17 + 9 * WIDE;
    localparam P_WIDTH = WIDTH + 1 + FRAC;

    wire signed [WIDTH-1:0]   kept = keep ? a : {WIDTH{1'b0}};
    wire signed [WIDTH:0]     sum  = x + kept;
    wire        [P_WIDTH-1:0] c    = {sum, 1'b1, {(FRAC-1){1'b0}}};
    wire        [P_WIDTH-1:0] p;
    if (WIDE == 0) begin : g_narrow
        rlc_mac #(
            .A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(P_WIDTH), .P_WIDTH(P_WIDTH),
            .A_REG(0), .B_REG(0), .C_REG(STAGES - 1), .M_REG(STAGES - 1)
        ) u_mac (
            .clk(clk), .a(a), .b(b), .c(c), .m_clear(!keep), .c_clear(1'b0), .acc(1'b0), .p(p)
        );
    end else begin : g_wide
        rlc_gae_mac2 #(
            .A_WIDTH(27), .B_WIDTH(WIDTH), .C_WIDTH(P_WIDTH), .P_WIDTH(P_WIDTH), .STAGES(STAGES)
        ) u_mac (
            .clk(clk), .a(b), .b(a), .c(c), .m_clear(!keep), .c_clear(1'b0), .p(p)
        );
    end
    assign y = p[FRAC +: WIDTH];
endmodule
`default_nettype wire
