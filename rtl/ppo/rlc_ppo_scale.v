// rlc_ppo_scale.v — mean and inverse deviation of a minibatch's advantages, without a divider or a root.
// SPDX-License-Identifier: Apache-2.0
//
//   n = B * sum a^2 - (sum a)^2, exact;  h = max(log2 n + log2 (B / (B - 1)), 2 b);  2^(-h/2) = mantissa * 2^(exponent - 16)
//
// s_*        advantages, sfix(27,16), any number of clocks apart; last with the minibatch's last one. The next minibatch may
//            begin after done
// cfg_count  B, 2..65535, and cfg_bits b = ceil(log2 B); cfg_log = log2 B - log2 (B - 1), 20 fraction bits
// done       pulse: total, exponent and mantissa (ufix(17,16), 0 if n is 0) are those of the minibatch, and stay until the
//            next done
// latency    83 clocks from the last advantage to done
// cost       4 DSP slices, 2 tables
// model      rlcores.cores.ppo.standardise.scale_of
`default_nettype none
module rlc_ppo_scale (
    input  wire               clk,
    input  wire               rst,
    input  wire [15:0]        cfg_count,
    input  wire [4:0]         cfg_bits,
    input  wire [20:0]        cfg_log,
    input  wire               s_valid,
    input  wire signed [26:0] s_data,
    input  wire               s_last,
    output wire               done,
    output reg  signed [42:0] total,
    output reg  [16:0]        mantissa,
    output reg  signed [6:0]  exponent
);
    localparam SUM    = 3;                       // clocks from an advantage to the sum of squares
    localparam TIMES  = 16;                      // of the product with B
    localparam SQUARE = 43;                      // of the square of the sum
    localparam LOG    = 7;
    localparam EXP    = 8;
    localparam AT_N   = SUM + TIMES + SQUARE + 1;
    localparam AFTER  = AT_N + 1 + LOG + 3 + EXP + 1;

    // Sums. A square is two products, of the upper and the lower part of one factor.
    reg                 first_q;                 // the next one is a minibatch's first
    reg  [AFTER:1]      after_q;                 // bit n: n clocks after the last one
    reg  [1:0]          valid_q, start_q;
    reg  signed [42:0]  sum_q;
    reg         [69:0]  squares_q;
    wire signed [14:0]  low   = {1'b0, s_data[13:0]};
    wire signed [12:0]  high  = s_data[26:14];
    wire signed [41:0]  low_s2;
    wire signed [39:0]  high_s2;
    wire signed [54:0]  square = {{13{low_s2[41]}}, low_s2} + {high_s2[39], high_s2, 14'd0};
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(15), .C_WIDTH(1), .P_WIDTH(42), .C_REG(0)) u_low (
        .clk(clk), .a(s_data), .b(low), .c(1'b0), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(low_s2)
    );
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(13), .C_WIDTH(1), .P_WIDTH(40), .C_REG(0)) u_high (
        .clk(clk), .a(s_data), .b(high), .c(1'b0), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(high_s2)
    );
    wire [69:0] square_wide = {15'd0, square};
    always @(posedge clk) begin
        if (rst)          first_q <= 1'b1;
        else if (s_valid) first_q <= s_last;
        valid_q <= rst ? 2'b00 : {valid_q[0], s_valid};
        start_q <= {start_q[0], first_q};
        after_q <= rst ? {AFTER{1'b0}} : {after_q[AFTER-1:1], s_valid && s_last};
        if (s_valid)    sum_q     <= (first_q ? 43'sd0 : sum_q) + {{16{s_data[26]}}, s_data};
        if (valid_q[1]) squares_q <= (start_q[1] ? 70'd0 : squares_q) + square_wide;
    end

    // n, one shifted number a clock: B times the sum of squares, less the square of the sum.
    reg  [85:0] n_q, shifted_q;
    reg  [42:0] bits_q;
    reg         less_q;
    wire [42:0] size = sum_q[42] ? -sum_q : sum_q;
    always @(posedge clk) begin
        if (after_q[SUM]) begin
            n_q       <= 86'd0;
            shifted_q <= {16'd0, squares_q};
            bits_q    <= {27'd0, cfg_count};
            less_q    <= 1'b0;
        end else if (after_q[SUM+TIMES]) begin
            n_q       <= bits_q[0] ? n_q + shifted_q : n_q;
            shifted_q <= {43'd0, size};
            bits_q    <= size;
            less_q    <= 1'b1;
        end else begin
            n_q       <= !bits_q[0] ? n_q : less_q ? n_q - shifted_q : n_q + shifted_q;
            shifted_q <= shifted_q << 1;
            bits_q    <= bits_q >> 1;
        end
    end

    // Its logarithm, of the upper bits where it is long: all that a logarithm looks at are its first 27.
    wire                too_long = |n_q[85:63];
    reg  [63:0]         x_q;
    reg                 long_q;
    wire [26:0]         log;
    wire                zero;
    always @(posedge clk) begin
        x_q    <= too_long ? {10'd0, n_q[85:32]} : n_q[63:0];
        long_q <= too_long;
    end
    rlc_log2 #(.IN_WIDTH(64)) u_log (.clk(clk), .x(x_q), .y(log), .zero(zero));

    // h, not below 2 b; minus a half of it with 26 fraction bits: its whole part and what is left.
    localparam AT_LOG = AT_N + 1 + LOG;
    reg  [27:0]         h_s1, h_s2;
    reg                 zero_s1, zero_s2;
    reg  signed [33:0]  y_s3;
    reg                 zero_s3;
    wire [27:0]         least = {2'b00, cfg_bits, 21'd0};
    wire [16:0]         power;
    wire                unused_over;
    wire signed [34:0]  fraction = {9'd0, y_s3[25:0]};
    rlc_exp2 #(.IN_WIDTH(35), .OUT_WIDTH(17), .OUT_FRAC(16)) u_power (
        .clk(clk), .x(fraction), .y(power), .saturated(unused_over)
    );
    always @(posedge clk) begin
        h_s1    <= {1'b0, log} + {7'd0, cfg_log} + (long_q ? 28'd33554432 : 28'd0);
        zero_s1 <= zero;
        h_s2    <= (h_s1 < least) ? least : h_s1;
        zero_s2 <= zero_s1;
        y_s3    <= 34'd0 - {1'b0, h_s2, 5'd0};
        zero_s3 <= zero_s2;
        if (after_q[AFTER-1]) begin
            total    <= sum_q;
            mantissa <= zero_s3 ? 17'd0 : power;
            exponent <= zero_s3 ? 7'sd0 : {y_s3[33], y_s3[31:26]};
        end
    end
    assign done = after_q[AFTER];
    wire unused = &{1'b0, unused_over, square[54], y_s3[32], after_q[AT_LOG]};
endmodule
`default_nettype wire
