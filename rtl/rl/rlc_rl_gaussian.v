// rlc_rl_gaussian.v — log2 of the density of a sample: a Gaussian of independent dimensions, or the tanh of one.
// SPDX-License-Identifier: Apache-2.0
//
//   x_k = (u_k - mean_k) / deviation_k
//   m   = -sum(x_k^2 log2(e) / 2 + log2(deviation_k) + log2(2 pi) / 2 [+ log2(1 - tanh(u_k)^2)])
//
// cfg_squashed  the density is that of tanh(u); steady while anything is inside
// s_*           u and mean, sfix(27,16), and c = log2(deviation), sfix(24,20), -8 to 8: COUNT elements per vector, at most
//               one per clock, no ready
// m_*           log2 of the density, sfix(27,20), saturated; m_valid one pulse per vector
// m_scaled      x of an element, sfix(18,14), 14 clocks after it; m_square: x^2, ufix(23,16), 21 clocks after it
// saturated     three bits: u - mean, x, and the sum did not fit
// latency       25 clocks from a vector's last element
// cost          7 DSP slices, three tables (two rlc_exp2, rlc_log2). Bit-exact model: rlcores.cores.policy.density
`default_nettype none
`include "rlc_check.vh"
module rlc_rl_gaussian #(
    parameter COUNT = 1 // elements per vector, 1 to 256
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               cfg_squashed,
    input  wire               s_valid,
    input  wire signed [26:0] s_sample,
    input  wire signed [26:0] s_mean,
    input  wire signed [23:0] s_c,
    output wire               m_valid,
    output wire signed [26:0] m_data,
    output wire signed [17:0] m_scaled,
    output wire        [22:0] m_square,
    output wire [2:0]         saturated
);
    `RLC_CHECK(COUNT >= 1 && COUNT <= 256, rlc_rl_gaussian_illegal_COUNT_must_be_1_to_256)

    // Stage k of the marks: an element, k clocks ago.
    localparam LATENCY = 25;
    reg  [LATENCY-1:0] valid_q, last_q;
    wire [LATENCY:0]   valid = {valid_q, s_valid};
    wire [LATENCY:0]   last_line;
    wire               last;
    rlc_mod_counter #(.COUNT(COUNT)) u_at (.clk(clk), .restart(rst), .step(s_valid), .at(), .last(last));
    assign last_line = {last_q, s_valid && last};
    always @(posedge clk) begin
        valid_q <= rst ? {LATENCY{1'b0}} : valid[LATENCY-1:0];
        last_q  <= rst ? {LATENCY{1'b0}} : last_line[LATENCY-1:0];
    end

    // Stage 1: how far from the mean.
    wire signed [27:0] apart = {s_sample[26], s_sample} - {s_mean[26], s_mean};
    wire        [26:0] held;
    wire               cut_apart;
    reg         [26:0] held_s1;
    reg                cut_apart_s1;
    rlc_round_sat #(.WIN(28), .FRAC(0), .WOUT(27)) u_held (.in_data(apart), .out_data(held), .saturated(cut_apart));
    always @(posedge clk) begin
        held_s1      <= held;
        cut_apart_s1 <= cut_apart;
    end

    // Stages 1 to 9: 1 / deviation = mantissa 2^exponent.
    reg signed  [24:0] power_s1;
    wire        [16:0] mantissa_s9;
    wire               exp_saturated;
    always @(posedge clk) power_s1 <= -{s_c[23], s_c};
    rlc_exp2 #(.IN_WIDTH(28), .OUT_WIDTH(17), .OUT_FRAC(16)) u_power (
        .clk(clk), .x({2'b00, power_s1[19:0], 6'd0}), .y(mantissa_s9), .saturated(exp_saturated)
    );
    wire signed [26:0] held_s9;
    wire        [5:0]  shift = 6'd18 - {power_s1[24], power_s1[24:20]};
    wire        [5:0]  shift_s11;
    reg         [1:0]  shift_low_s12;
    rlc_delay #(.WIDTH(27), .CLOCKS(8)) u_held_late (.clk(clk), .d(held_s1), .q(held_s9));
    rlc_delay #(.WIDTH(6), .CLOCKS(10)) u_shift (.clk(clk), .d(shift), .q(shift_s11));
    always @(posedge clk) shift_low_s12 <= shift_s11[1:0];

    // Stages 10 to 14: x. The shift is each number's own, so its lower bits come a clock later.
    wire signed [44:0] product_s11;
    wire signed [17:0] x_s14;
    wire               cut_x;
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(1), .P_WIDTH(45), .A_REG(0), .B_REG(0)) u_product (
        .clk(clk), .a(held_s9), .b({1'b0, mantissa_s9}), .c(1'b0), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0),
        .p(product_s11)
    );
    rlc_shift_sat #(.WIN(45), .WOUT(18)) u_scale (
        .clk(clk), .s_data(product_s11), .shift({shift_s11[5:2], shift_low_s12}), .m_data(x_s14), .m_saturated(cut_x)
    );
    assign m_scaled = x_s14;

    // The slope of tanh, beside it. Stages 1, 2: 2 |u|, less than 32; to 12: e^-2|u|; to 20: log2(1 + it).
    localparam [27:0] NORMALISER = 28'd1390148;     // log2(2 pi) / 2
    localparam [27:0] FIFTY      = 28'd50 << 20;    // 2, and twice the 24 that log2 has too much
    reg  [26:0] size_s1;
    reg  [20:0] twice_s2;
    wire [25:0] t_s4;
    wire [24:0] e_s12;
    reg  [25:0] sum_s13;
    wire [24:0] log_s20;
    wire        zero;
    always @(posedge clk) begin
        size_s1  <= s_sample[26] ? -s_sample : s_sample;
        twice_s2 <= (size_s1[26:20] != 7'd0) ? {21{1'b1}} : {size_s1[19:0], 1'b0};
        sum_s13  <= {1'b0, e_s12} + 26'h1000000;
    end
    rlc_rl_fall u_fall (.clk(clk), .d(twice_s2), .t(t_s4), .e(e_s12));
    rlc_log2 #(.IN_WIDTH(26)) u_log (.clk(clk), .x(sum_s13), .y(log_s20), .zero(zero));

    // Stage 5: what does not wait for the logarithm. Stage 21: all but the square.
    wire signed [23:0] c_s4;
    reg  signed [27:0] known_s5;
    wire signed [27:0] known_s20;
    reg  signed [27:0] rest_s21;
    rlc_delay #(.WIDTH(24), .CLOCKS(4)) u_c (.clk(clk), .d(s_c), .q(c_s4));
    wire signed [27:0] plain = {{4{c_s4[23]}}, c_s4} + NORMALISER;
    always @(posedge clk) begin
        known_s5 <= cfg_squashed ? plain + (FIFTY - {2'b00, t_s4}) : plain;
        rest_s21 <= cfg_squashed ? known_s20 - {2'b00, log_s20, 1'b0} : known_s20;
    end
    rlc_delay_ram #(.WIDTH(28), .CLOCKS(15)) u_known (.clk(clk), .rst(rst), .d(known_s5), .q(known_s20));

    // Stages 20, 21: the square, with the half that rounds it. Stages 22, 23: a dimension's term.
    wire signed [17:0] x_s19;
    wire signed [36:0] square_s21;
    wire signed [23:0] narrow_s21 = square_s21[35:12];
    wire signed [47:0] term_s23;
    rlc_delay #(.WIDTH(18), .CLOCKS(5)) u_x (.clk(clk), .d(x_s14), .q(x_s19));
    rlc_mac #(.A_WIDTH(18), .B_WIDTH(18), .C_WIDTH(13), .P_WIDTH(37), .A_REG(0), .B_REG(0)) u_square (
        .clk(clk), .a(x_s19), .b(x_s19), .c(13'h0800), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(square_s21)
    );
    assign m_square = narrow_s21[22:0];
    rlc_mac #(.A_WIDTH(24), .B_WIDTH(18), .C_WIDTH(41), .P_WIDTH(48), .A_REG(0), .B_REG(0)) u_term (
        .clk(clk), .a(narrow_s21), .b(18'sd94548), .c({rest_s21, 13'h1000}), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0),
        .p(term_s23)
    );

    // Stage 24: the sum over the dimensions. Stage 25: its opposite, saturated.
    reg                first_q;
    reg  signed [35:0] sum_s24;
    wire signed [35:0] term    = {{8{term_s23[40]}}, term_s23[40:13]};
    wire signed [36:0] total   = -{sum_s24[35], sum_s24};
    wire        [26:0] narrow;
    wire               cut_sum;
    reg  signed [26:0] m_s25;
    reg                cut_sum_s25;
    rlc_round_sat #(.WIN(37), .FRAC(0), .WOUT(27)) u_sum (.in_data(total), .out_data(narrow), .saturated(cut_sum));
    always @(posedge clk) begin
        if (rst)            first_q <= 1'b1;
        else if (valid[23]) first_q <= last_line[23];
        if (valid[23]) sum_s24 <= (first_q ? 36'sd0 : sum_s24) + term;
        m_s25       <= narrow;
        cut_sum_s25 <= cut_sum;
    end
    assign m_valid   = last_line[LATENCY];
    assign m_data    = m_s25;
    assign saturated = {cut_sum_s25 && last_line[LATENCY], cut_x && valid[14], cut_apart_s1 && valid[1]};
    wire unused = &{1'b0, exp_saturated, zero, valid[LATENCY], square_s21[36], square_s21[11:0], term_s23[47:41], term_s23[12:0]};
endmodule
`default_nettype wire
