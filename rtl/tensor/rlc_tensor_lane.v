// rlc_tensor_lane.v — one lane of the vector unit: what a command does with one number of x, y and z.
// SPDX-License-Identifier: Apache-2.0
//
//   MAC      round((z 2^up +- x y) / 2^shift), saturated to `width` bits        TANH   tanh of f, 14 fraction bits, as sfix(18,16)
//   MIN, MAX of x and y                                                       EXP2   2^f, f sfix(35,20), as a whole of 26 bits
//   IF_*     z, kept where x and y are equal, not equal, x < y, x <= y        LOG2   log2 of f, a whole of 34 bits, sfix(27,20)
//   DRAW     the number at draw                                               f = +-x + z
//
// cfg_*    fields of the command; they stand still from a number's clock to its result
// draw     a normal number, with its result: DRAW takes it as it is
// m_data   LATENCY = 10 clocks later; m_keep: it is written; m_saturated: it was saturated
// cost     6 DSP slices: two of the product, one of each function; three tables
`default_nettype none
`include "rlc_tensor_words.vh"
module rlc_tensor_lane (
    input  wire               clk,
    input  wire [3:0]         cfg_op,
    input  wire               cfg_negate,
    input  wire [4:0]         cfg_up,
    input  wire [5:0]         cfg_shift,
    input  wire [5:0]         cfg_width,
    input  wire               cfg_symmetric,
    input  wire signed [34:0] x,
    input  wire signed [26:0] y,
    input  wire signed [34:0] z,
    input  wire signed [17:0] draw,
    output reg  signed [34:0] m_data,
    output reg                m_keep,
    output reg                m_saturated
);
    // Stages 1 to 4: the product. 5: the sum. 6 to 8: rounded.
    wire signed [61:0] product_s4;
    wire signed [34:0] z_s4;
    reg  signed [62:0] sum_s5;
    wire signed [34:0] rounded_s8;
    wire               over_s8;
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(35)) u_product (.clk(clk), .a(y), .b(x), .p(product_s4));
    rlc_delay #(.WIDTH(35), .CLOCKS(4)) u_z (.clk(clk), .d(z), .q(z_s4));
    wire signed [62:0] addend_s4 = {{28{z_s4[34]}}, z_s4} <<< cfg_up;
    wire signed [62:0] wide_s4   = {product_s4[61], product_s4};
    always @(posedge clk) sum_s5 <= cfg_negate ? addend_s4 - wide_s4 : addend_s4 + wide_s4;
    rlc_shift_sat #(.WIN(63), .WOUT(35)) u_round (
        .clk(clk), .s_data(sum_s5), .shift(cfg_shift), .m_data(rounded_s8), .m_saturated(over_s8)
    );

    // Stage 9: saturated to its width.
    wire signed [34:0] top    = ~(35'h7_FFFFFFFF << (cfg_width - 6'd1));
    wire signed [34:0] bottom = cfg_symmetric ? -top : ~top;
    wire               above  = rounded_s8 > top;
    wire               below  = rounded_s8 < bottom;
    reg signed  [34:0] mac_s9;
    reg                saturated_s9;
    always @(posedge clk) begin
        mac_s9       <= above ? top : below ? bottom : rounded_s8;
        saturated_s9 <= over_s8 || above || below;
    end

    // Stage 1: the argument of a function; what is compared, and what the comparison chooses.
    wire signed [34:0] y_wide = {{8{y[26]}}, y};
    wire               less   = x < y_wide;
    wire               equal  = x == y_wide;
    wire               conditional = cfg_op >= `RLC_TENSOR_IF_EQ;
    reg signed  [34:0] f_s1, chosen_s1;
    reg                keep_s1;
    always @(posedge clk) begin
        f_s1 <= (cfg_negate ? -x : x) + z;
        chosen_s1 <= conditional ? z : (less == (cfg_op == `RLC_TENSOR_MIN)) ? x : y_wide;
        case (cfg_op)
            `RLC_TENSOR_IF_EQ: keep_s1 <= equal;
            `RLC_TENSOR_IF_NE: keep_s1 <= !equal;
            `RLC_TENSOR_IF_LT: keep_s1 <= less;
            `RLC_TENSOR_IF_LE: keep_s1 <= less || equal;
            default:           keep_s1 <= 1'b1;
        endcase
    end
    wire signed [34:0] chosen_s9;
    wire               keep_s9;
    rlc_delay #(.WIDTH(36), .CLOCKS(8)) u_chosen (.clk(clk), .d({keep_s1, chosen_s1}), .q({keep_s9, chosen_s9}));

    // Stages 2 to 7, 9, 8: the functions.
    wire signed [17:0] tanh_s7, tanh_s9;
    wire        [25:0] power_s9, log_s8;
    reg         [25:0] log_s9;
    wire               power_over_s9, zero;
    wire        [17:0] held_s1;                      // beyond +-8 the end counts
    wire               unused_over;
    rlc_round_sat #(.WIN(35), .FRAC(0), .WOUT(18)) u_held (.in_data(f_s1), .out_data(held_s1), .saturated(unused_over));
    rlc_tanh u_tanh (.clk(clk), .x(held_s1), .y(tanh_s7));
    rlc_delay #(.WIDTH(18), .CLOCKS(2)) u_tanh_late (.clk(clk), .d(tanh_s7), .q(tanh_s9));
    rlc_exp2 #(.IN_WIDTH(41), .OUT_WIDTH(26), .OUT_FRAC(0)) u_power (
        .clk(clk), .x({f_s1, 6'd0}), .y(power_s9), .saturated(power_over_s9)
    );
    rlc_log2 #(.IN_WIDTH(34)) u_log (.clk(clk), .x(f_s1[33:0]), .y(log_s8), .zero(zero));
    always @(posedge clk) log_s9 <= log_s8;

    // Stage 10: the result.
    always @(posedge clk) begin
        case (cfg_op)
            `RLC_TENSOR_MAC:  m_data <= mac_s9;
            `RLC_TENSOR_TANH: m_data <= {{17{tanh_s9[17]}}, tanh_s9};
            `RLC_TENSOR_EXP2: m_data <= {9'd0, power_s9};
            `RLC_TENSOR_LOG2: m_data <= {9'd0, log_s9};
            `RLC_TENSOR_DRAW: m_data <= {{17{draw[17]}}, draw};
            default:          m_data <= chosen_s9;
        endcase
        m_keep      <= keep_s9;
        m_saturated <= (cfg_op == `RLC_TENSOR_MAC && saturated_s9) || (cfg_op == `RLC_TENSOR_EXP2 && power_over_s9);
    end
    wire unused = &{1'b0, zero, unused_over};
endmodule
`default_nettype wire
