// rlc_sincos.v — sine and cosine of an angle, by table and second-order correction.
// SPDX-License-Identifier: Apache-2.0
//
// angle    in units of 2^-26 turns: unsigned, or signed, as it wraps by itself
// sine     sfix(27,25), rounded; -1.0 and 1.0 are reached
// cosine   the same
// error    below 2^-24.9 for every angle (tests compare all 2^26); exact at quarter turns, odd and even; neighbours may
//          step back by one unit. Bit-exact model: rlcores.cores.common.sincos
// latency  8 clocks, one a clock, no stall, no reset
// cost     three DSP slices (18 x 18), one table of 512 x 60 (rlc_sincos_rom)
`default_nettype none
module rlc_sincos #(
    parameter STYLE = "block"  // memory of the table: "block", "distributed" or "auto"
) (
    input  wire               clk,
    input  wire        [25:0] angle,
    output wire signed [26:0] sine,
    output wire signed [26:0] cosine
);
    // Radians of rho in a unit of the angle: 4 pi with 13 fraction bits.
    localparam signed [17:0] TURN = 18'sd102944;

    // Stage 1: fold into an eighth of a turn, whose end is reached; distance to the centre of its segment.
    wire [23:0] opposite = 24'h800000 - {1'b0, angle[22:0]};
    wire [23:0] place    = angle[23] ? opposite : {1'b0, angle[22:0]};
    reg  [8:0]         segment_s1;
    reg  signed [14:0] rest_s1;
    always @(posedge clk) begin
        segment_s1 <= place[23] ? 9'd511 : place[22:14];
        rest_s1    <= place[23] ? 15'sd8192 : {{2{~place[13]}}, place[12:0]};
    end

    // Stages 2, 3: table; the distance in radians, sfix(18,27).
    wire [59:0] row;
    rlc_sincos_rom #(.STYLE(STYLE)) u_rom (.clk(clk), .addr(segment_s1), .data(row));
    wire signed [32:0] radians;
    rlc_mac #(.A_WIDTH(15), .B_WIDTH(18), .C_WIDTH(33), .P_WIDTH(33)) u_rho (
        .clk(clk), .a(rest_s1), .b(TURN), .c(33'sd4096), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(radians)
    );
    wire signed [17:0] rho_s3 = radians[30:13];

    // Stage 4: half of rho times the node, from a few bits of both: too small for a slice.
    wire signed [12:0] steps = {{6{rho_s3[17]}}, rho_s3[17:11]};
    wire [5:0] cosine_top = row[59:54];
    wire [5:0] sine_top   = row[29:24];
    reg signed [12:0] bend_cosine_s4;
    reg signed [12:0] bend_sine_s4;
    always @(posedge clk) begin
        bend_cosine_s4 <= (steps & {13{cosine_top[0]}}) + ((steps & {13{cosine_top[1]}}) << 1)
                        + ((steps & {13{cosine_top[2]}}) << 2) + ((steps & {13{cosine_top[3]}}) << 3)
                        + ((steps & {13{cosine_top[4]}}) << 4) + ((steps & {13{cosine_top[5]}}) << 5);
        bend_sine_s4   <= (steps & {13{sine_top[0]}}) + ((steps & {13{sine_top[1]}}) << 1)
                        + ((steps & {13{sine_top[2]}}) << 2) + ((steps & {13{sine_top[3]}}) << 3)
                        + ((steps & {13{sine_top[4]}}) << 4) + ((steps & {13{sine_top[5]}}) << 5);
    end
    wire signed [17:0] rho_s4;
    wire [59:0] row_s4;
    rlc_delay #(.WIDTH(78), .CLOCKS(1)) u_wait_s4 (.clk(clk), .d({rho_s3, row}), .q({rho_s4, row_s4}));

    // Stage 5: the slopes, sfix(18,17); 1.0 does not fit.
    wire signed [24:0] bend_cosine = {{12{bend_cosine_s4[12]}}, bend_cosine_s4};
    wire signed [24:0] bend_sine   = {{12{bend_sine_s4[12]}}, bend_sine_s4};
    wire signed [24:0] rise = $signed({2'b00, row_s4[59:37]}) - bend_sine + 25'sd32;
    wire signed [24:0] fall = $signed({2'b00, row_s4[29:7]}) + bend_cosine + 25'sd32;
    reg signed [17:0] rise_s5;
    reg signed [17:0] fall_s5;
    reg signed [17:0] rho_s5;
    reg signed [17:0] back_s5;
    always @(posedge clk) begin
        rise_s5 <= rise[23] ? 18'sd131071 : rise[23:6];
        fall_s5 <= fall[23:6];
        rho_s5  <= rho_s4;
        back_s5 <= -rho_s4;
    end
    wire [59:0] row_s5;
    rlc_delay #(.WIDTH(60), .CLOCKS(1)) u_wait_s5 (.clk(clk), .d(row_s4), .q(row_s5));

    // Stages 6, 7: node + slope * rho, with 44 fraction bits. The table's nodes include the rounding.
    wire signed [45:0] lesser;
    wire signed [45:0] greater;
    rlc_mac #(.A_WIDTH(18), .B_WIDTH(18), .C_WIDTH(46), .P_WIDTH(46)) u_lesser (
        .clk(clk), .a(rise_s5), .b(rho_s5), .c({2'b00, row_s5[29:0], 14'd0}),
        .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(lesser)
    );
    rlc_mac #(.A_WIDTH(18), .B_WIDTH(18), .C_WIDTH(46), .P_WIDTH(46)) u_greater (
        .clk(clk), .a(fall_s5), .b(back_s5), .c({2'b00, row_s5[59:30], 14'd0}),
        .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(greater)
    );

    // Stage 8: which is which, and the signs.
    wire [2:0] eighth_s7;
    rlc_delay #(.WIDTH(3), .CLOCKS(7)) u_eighth (.clk(clk), .d(angle[25:23]), .q(eighth_s7));
    wire swap = eighth_s7[1] ^ eighth_s7[0];
    wire signed [26:0] lesser_s7 = lesser[45:19];
    wire signed [26:0] greater_s7 = greater[45:19];
    wire signed [26:0] sine_s7   = swap ? greater_s7 : lesser_s7;
    wire signed [26:0] cosine_s7 = swap ? lesser_s7 : greater_s7;
    reg signed [26:0] sine_s8;
    reg signed [26:0] cosine_s8;
    always @(posedge clk) begin
        sine_s8   <= eighth_s7[2] ? -sine_s7 : sine_s7;
        cosine_s8 <= (eighth_s7[2] ^ eighth_s7[1]) ? -cosine_s7 : cosine_s7;
    end
    assign sine   = sine_s8;
    assign cosine = cosine_s8;

    wire unused = &{1'b0, radians[32:31], radians[12:0], rise[24], rise[5:0], fall[24], fall[5:0], lesser[18:0],
                    greater[18:0]};
endmodule
`default_nettype wire
