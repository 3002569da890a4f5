// rlc_rl_quantile.v — a normal or a Gumbel number from a word of 32 random bits: the quantile by table and line.
// SPDX-License-Identifier: Apache-2.0
//
// y        GUMBEL 0: a standard normal number, sfix(18,14); 1: -ln(-ln u), sfix(22,16), for logits
// error    normal 2^-12.8, Gumbel 2^-11.9; 2^-33 from either end of (0, 1) is reached. Bit-exact model:
//          rlcores.cores.policy.noise
// latency  8 clocks, one per clock, no stall, no reset
// cost     one DSP slice (18 x 15), one table
`default_nettype none
module rlc_rl_quantile #(
    parameter GUMBEL    = 0,                    // 1: Gumbel numbers
    parameter OUT_WIDTH = (GUMBEL != 0) ? 22 : 18 // derived; leave it alone
) (
    input  wire                        clk,
    input  wire        [31:0]          word,
    output wire signed [OUT_WIDTH-1:0] y
);
    // Stages 1 to 3: the distance from the nearer end, 2 bits + 1 in units of 2^-33, its leading one shifted to the top.
    // It is odd, so that there is one.
    wire [31:0] t = {word[30:0], 1'b1};
    reg  [31:0] t_s1, t_s2, t_s3;
    reg  [1:0]  by8_s1, by8_s2, by8_s3, by2_s2, by2_s3;
    reg         by1_s3;
    reg         above_s1, above_s2, above_s3;
    wire [1:0]  by8 = (t[31:24] != 0) ? 2'd0 : (t[23:16] != 0) ? 2'd1 : (t[15:8] != 0) ? 2'd2 : 2'd3;
    wire [1:0]  by2 = (t_s1[31:30] != 0) ? 2'd0 : (t_s1[29:28] != 0) ? 2'd1 : (t_s1[27:26] != 0) ? 2'd2 : 2'd3;
    always @(posedge clk) begin
        above_s1 <= word[31];
        by8_s1   <= by8;
        case (by8)
            2'd0:    t_s1 <= t;
            2'd1:    t_s1 <= t << 8;
            2'd2:    t_s1 <= t << 16;
            default: t_s1 <= t << 24;
        endcase
        above_s2 <= above_s1;
        by8_s2   <= by8_s1;
        by2_s2   <= by2;
        case (by2)
            2'd0:    t_s2 <= t_s1;
            2'd1:    t_s2 <= t_s1 << 2;
            2'd2:    t_s2 <= t_s1 << 4;
            default: t_s2 <= t_s1 << 6;
        endcase
        above_s3 <= above_s2;
        by8_s3   <= by8_s2;
        by2_s3   <= by2_s2;
        by1_s3   <= !t_s2[31];
        t_s3     <= t_s2[31] ? t_s2 : t_s2 << 1;
    end

    // Stages 4, 5: the table; beside it the place in the segment, with the sign of the step.
    wire [8:0]  row = {~{by8_s3, by2_s3, by1_s3}, t_s3[30:27]};
    wire [35:0] line;
    if (GUMBEL != 0) begin : g_gumbel
        rlc_rl_gumbel_rom u_rom (.clk(clk), .addr({above_s3, row}), .data(line));
    end else begin : g_normal
        rlc_rl_normal_rom u_rom (.clk(clk), .addr(row), .data(line));
    end
    reg signed [17:0] rest_s4, rest_s5;
    reg               above_s4;
    always @(posedge clk) begin
        above_s4 <= above_s3;
        rest_s4  <= {1'b0, t_s3[26:10]};
        rest_s5  <= (GUMBEL == 0 || above_s4) ? -rest_s4 : rest_s4;
    end

    // Stages 6, 7: node + step * rest. The rounding of a normal number is in its node.
    localparam [16:0] HALF = (GUMBEL != 0) ? 17'h10000 : 17'h0;
    wire signed [14:0] step   = {1'b0, line[13:0]};
    wire signed [38:0] addend = {line[35:14], HALF};
    wire signed [38:0] sum;
    rlc_mac #(.A_WIDTH(15), .B_WIDTH(18), .C_WIDTH(39), .P_WIDTH(39)) u_mac (
        .clk(clk), .a(step), .b(rest_s5), .c(addend), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(sum)
    );

    // Stage 8: a normal number's sign.
    wire above_s7;
    rlc_delay #(.WIDTH(1), .CLOCKS(3)) u_above (.clk(clk), .d(above_s4), .q(above_s7));
    reg signed [OUT_WIDTH-1:0] y_s8;
    if (GUMBEL != 0) begin : g_whole
        always @(posedge clk) y_s8 <= sum[38:17];
        wire unused = &{1'b0, above_s7, sum[16:0]};
    end else begin : g_sign
        wire signed [17:0] size = sum[38:21];
        always @(posedge clk) y_s8 <= above_s7 ? size : -size;
        wire unused = &{1'b0, sum[20:0]};
    end
    assign y = y_s8;

    wire unused_low = &{1'b0, t_s3[31], t_s3[9:0]};
endmodule
`default_nettype wire
