// rlc_sumtree_priority.v — turns TD errors into priorities on their way into the tree; numbers pass beside, in order.
// SPDX-License-Identifier: Apache-2.0
//
// cfg_alpha       ufix(16,15), 0..1.0 (32768); larger ones are computed as they stand
// cfg_eps         ufix(32,20)
// cfg_scale       sfix(16,8): log2 of the priority that |delta| + eps = 1 becomes
// cfg_*           stable from two clocks before a word is taken until it has left
// s_*, m_*        valid/ready; s_ready is a register, m_valid is one
// s_td            1: s_value is a TD error delta, sfix(32,20), and
//                    m_priority = 2^(alpha*log2(|delta|+eps) + scale), rounded half up, at least 1, at most 2^W - 1;
//                    where |delta|+eps is 0: 1, or 2^scale when alpha is 0 as well
//                 0: s_value is an unsigned priority, saturated to 2^W - 1
// m_saturated     the upper limit changed this word's priority; collect it in a sticky flag
// latency         21 clocks for W of 15 and more, a clock less for each base-4 digit of shift saved; one word a clock
// error           before rounding, relative: below 2^-20. Bound and model: docs/sumtree_maths.md
// cost            3 DSP slices, 2 tables, two FIFOs of 32 words in LUT memory
`default_nettype none
`include "rlc_check.vh"
module rlc_sumtree_priority #(
    parameter PRIORITY_WIDTH = 18,      // W, bits of a priority, 1..32
    parameter PAYLOAD_WIDTH  = 1,       // bits that travel with a word, >= 1
    parameter STYLE          = "block"  // memory of the two tables, as rlc_log2
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire [15:0]               cfg_alpha,
    input  wire [31:0]               cfg_eps,
    input  wire [15:0]               cfg_scale,
    input  wire                      s_valid,
    output wire                      s_ready,
    input  wire                      s_td,
    input  wire [31:0]               s_value,
    input  wire [PAYLOAD_WIDTH-1:0]  s_payload,
    output wire                      m_valid,
    input  wire                      m_ready,
    output wire [PRIORITY_WIDTH-1:0] m_priority,
    output wire                      m_saturated,
    output wire [PAYLOAD_WIDTH-1:0]  m_payload
);
    `RLC_CHECK(PRIORITY_WIDTH >= 1 && PRIORITY_WIDTH <= 32, rlc_sumtree_priority_illegal_PRIORITY_WIDTH_must_be_1_to_32)
    `RLC_CHECK(PAYLOAD_WIDTH >= 1 && PAYLOAD_WIDTH <= 1024,
               rlc_sumtree_priority_illegal_PAYLOAD_WIDTH_must_be_1_to_1024)

    localparam W       = (PRIORITY_WIDTH >= 1 && PRIORITY_WIDTH <= 32) ? PRIORITY_WIDTH : 1;
    localparam MAC     = 3;                               // clocks of alpha * log2 + constant
    localparam EXP     = 5 + ($clog2(W + 2) + 1) / 2;     // of rlc_exp2
    localparam LATENCY = 2 + 7 + MAC + EXP;               // 7: of rlc_log2
    localparam DEPTH   = 32;                              // more than the words inside at full rate

    // The pipeline never stalls: a word is taken only when there is room for its answer.
    wire         take = s_valid && s_ready;
    wire         direct_over = (s_value >> W) != 32'd0;
    wire [W-1:0] direct      = direct_over ? {W{1'b1}} : s_value[W-1:0];

    wire         td, beside_over;
    wire [W-1:0] beside;
    wire         beside_valid;
    rlc_fifo #(.WIDTH(2 + W + PAYLOAD_WIDTH), .DEPTH(DEPTH)) u_beside (
        .clk(clk), .rst(rst),
        .s_valid(s_valid), .s_ready(s_ready), .s_data({s_td, direct_over, direct, s_payload}),
        .m_valid(beside_valid), .m_ready(m_valid && m_ready), .m_data({td, beside_over, beside, m_payload}),
        .count()
    );

    // Stage 1: |delta|, 2^31 included. Stage 2: + eps.
    reg [31:0] magnitude_s1;
    reg [32:0] magnitude_s2;
    always @(posedge clk) begin
        magnitude_s1 <= s_value[31] ? ~s_value + 32'd1 : s_value;
        magnitude_s2 <= {1'b0, magnitude_s1} + {1'b0, cfg_eps};
    end

    // Stages 3..9.
    wire [25:0] log_s9;
    wire        zero_s9;
    rlc_log2 #(.IN_WIDTH(33), .STYLE(STYLE)) u_log2 (.clk(clk), .x(magnitude_s2), .y(log_s9), .zero(zero_s9));

    // The 20 fraction bits of delta are a constant after the logarithm: alpha*(log - 20) + scale, and half of what is
    // dropped, with 35 fraction bits.
    wire        [20:0] alpha20 = {1'b0, cfg_alpha, 4'd0} + {3'd0, cfg_alpha, 2'd0};
    wire signed [43:0] constant = {cfg_scale[15], cfg_scale, 27'd0} - {3'd0, alpha20, 20'd0};
    reg  signed [43:0] constant_q;
    reg                power_q;                           // alpha is not 0
    always @(posedge clk) begin
        constant_q <= constant + 44'sd256;
        power_q    <= |cfg_alpha;
    end

    // Stages 10..12.
    wire signed [26:0] log   = {1'b0, log_s9};
    wire signed [17:0] alpha = {2'b0, cfg_alpha};
    wire signed [43:0] exponent_s12;
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(44), .P_WIDTH(44), .A_REG(1), .B_REG(1)) u_power (
        .clk(clk), .a(log), .b(alpha), .c(constant_q), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(exponent_s12)
    );

    // Stages 13..LATENCY.
    wire signed [34:0] exponent = exponent_s12[43:9];
    wire [W-1:0]       power;
    wire               saturated;
    wire               nothing;
    wire               done;
    rlc_exp2 #(.IN_WIDTH(35), .OUT_WIDTH(W), .OUT_FRAC(0), .STYLE(STYLE)) u_exp2 (
        .clk(clk), .x(exponent), .y(power), .saturated(saturated)
    );
    rlc_delay #(.WIDTH(1), .CLOCKS(MAC + EXP)) u_nothing (.clk(clk), .d(zero_s9 && power_q), .q(nothing));

    reg [LATENCY-1:0] valid_q;
    always @(posedge clk)
        if (rst) valid_q <= {LATENCY{1'b0}};
        else     valid_q <= {valid_q[LATENCY-2:0], take};
    assign done = valid_q[LATENCY-1];

    localparam [W-1:0] ONE = 1;
    wire [W-1:0] found   = (nothing || !(|power)) ? ONE : power;
    wire [W-1:0] result;
    wire         result_over;
    rlc_queue #(.WIDTH(1 + W), .DEPTH(DEPTH)) u_result (
        .clk(clk), .rst(rst), .s_valid(done), .s_data({saturated && !nothing, found}),
        .m_valid(m_valid), .m_ready(m_ready), .m_data({result_over, result})
    );
    assign m_priority  = td ? result : beside;
    assign m_saturated = td ? result_over : beside_over;

    rlc_assert_never u_never (.clk(clk), .rst(rst), .bad(m_valid && !beside_valid));
    wire unused = &{1'b0, exponent_s12[8:0]};
endmodule
`default_nettype wire
