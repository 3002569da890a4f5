// rlc_gae_dadd.v — discounted add, the one operation of the recurrence: y = x + c*a.
//
// keep = 1: y = round(x + c*a), computed as (x + a) + (c - 1)*a, because c - 1 in -1..0 fits the signed
//           18-bit port for every discount including 1
// keep = 0: y = x, the episode ended between the two
// b         c - 1, sfix(18,17)
// latency   STAGES clocks (2; or 1 for a loop that has no room for a product register), one result a clock
// range     the caller guarantees |y| < 2^26 (docs/gae.md, "Numbers")
// cost      one DSP and one 28-bit adder
`default_nettype none
module rlc_gae_dadd #(
    parameter STAGES = 2
) (
    input  wire               clk,
    input  wire signed [26:0] x,
    input  wire signed [26:0] a,
    input  wire               keep,
    input  wire signed [17:0] b,
    output wire signed [26:0] y
);
    localparam FRAC    = 17;
    localparam P_WIDTH = 28 + FRAC;

    wire signed [27:0] sum = x + (keep ? a : 27'sd0);
    wire signed [P_WIDTH-1:0] p;
    rlc_mac #(
        .A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(P_WIDTH), .P_WIDTH(P_WIDTH),
        .A_REG(0), .B_REG(0), .C_REG(STAGES - 1), .M_REG(STAGES - 1)
    ) u_mac (
        .clk(clk), .a(a), .b(b), .c({sum, 1'b1, {(FRAC-1){1'b0}}}), .m_clear(!keep), .c_clear(1'b0), .acc(1'b0), .p(p)
    );
    assign y = p[FRAC +: 27];
endmodule
`default_nettype wire
