// rlc_nn_forward.v — one layer of forward propagation: y = f(W x + b), with its own copy of the weights.
// SPDX-License-Identifier: Apache-2.0
//
// idle, initial_open, vectors, updated   gate in front of a batch (rlc_nn_weights_ready)
// cfg_bias_shift   fraction bits of x: the bias moves up to the fraction of the products
// cfg_shift     fraction bits to drop from the sum
// s_*           words of x; kind: any bit, comes out with y
// bus_*         weight bus; loads while no vector is inside
// m_*           words of y: sat(round((sum W x + b 2^cfg_bias_shift) / 2^cfg_shift))
// saturated     a bit an element, for one clock: y was clipped. acc_overflow: a |sum| of this word reached 2^46
// equation      Meng et al. (2022), section 3.2, FW
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_check.vh"
`include "rlc_nn_words.vh"
module rlc_nn_forward #(
    parameter DP           = 1,  // columns
    parameter LANES_IN     = 4,  // lanes of x
    parameter LANES_OUT    = 4,  // lanes of y
    parameter GROUPS       = 1,  // row groups of the tensor unit (rlc_nn_matvec)
    parameter WORDS_IN     = 1,  // words of x
    parameter WORDS_OUT    = 2,  // words of y
    parameter JB           = 1,  // outputs of a group of the weight bus
    parameter IB           = 1,  // inputs of a group of the weight bus
    parameter RELU         = 1,  // 1: f is max(0, x); 0: f is the identity
    parameter OUT_WIDTH    = 18, // bits of y
    parameter WEIGHT_WIDTH = 27, // bits of a weight
    parameter X_WIDTH      = 18  // bits of x
) (
    input  wire                              clk,
    input  wire                              rst,
    input  wire                              idle,
    input  wire                              initial_open,
    input  wire [16:0]                       vectors,
    input  wire                              updated,
    input  wire [4:0]                        cfg_bias_shift,
    input  wire [5:0]                        cfg_shift,

    `RLC_STREAM_SLAVE(s, DP*LANES_IN*X_WIDTH),
    input  wire                              s_kind,

    input  wire                              bus_valid,
    input  wire `RLC_NN_WEIGHT_ADDR           bus_addr,
    input  wire [JB*IB*WEIGHT_WIDTH-1:0]     bus_data,

    `RLC_STREAM_MASTER(m, DP*LANES_OUT*OUT_WIDTH),
    output wire                              m_kind,
    output wire [DP*LANES_OUT-1:0]           saturated,
    output reg                               acc_overflow,
    output wire                              busy,
    output wire                              waiting
);
    localparam ACC_WIDTH = 48;
    localparam LANES     = DP * LANES_OUT;
    localparam FOLDS     = (WORDS_OUT + GROUPS - 1) / GROUPS;
    localparam NARROW    = 3;                                            // clocks from a sum to the queue
    localparam LATENCY   = LANES_IN + 5 + (GROUPS > 1 ? 1 : 0) + NARROW + 4; // from the last word to the place free again
    localparam PLACES    = 2 * GROUPS + (LATENCY * GROUPS) / WORDS_IN + 2;

    // Gate and replay.
    wire                             gated_valid, gated_ready, x_valid, x_ready;
    wire [DP*LANES_IN*X_WIDTH:0]     x_data;
    rlc_nn_weights_ready #(.WORDS(WORDS_IN)) u_weights_ready (
        .clk(clk), .idle(idle), .initial_open(initial_open), .vectors(vectors), .grant(updated),
        .s_valid(s_valid), .s_ready(s_ready), .m_valid(gated_valid), .m_ready(gated_ready)
    );
    rlc_nn_vector #(.WIDTH(DP * LANES_IN * X_WIDTH + 1), .WORDS(WORDS_IN), .TIMES(FOLDS)) u_replay (
        .clk(clk), .rst(rst), .s_valid(gated_valid), .s_ready(gated_ready), .s_data({s_kind, s_data}),
        .m_valid(x_valid), .m_ready(x_ready), .m_data(x_data)
    );

    // Tensor unit.
    wire `RLC_NN_WEIGHT_ADDR weight_addr = bus_addr;
    `include "rlc_nn_weight_addr.vh"
    wire                       sum_valid;
    wire [LANES*ACC_WIDTH-1:0] sum_data;
    wire                       sum_kind, at_last_word, at_last_fold;
    wire [9:0]                 at_word;
    wire unused = &{1'b0, at_word, at_last_word, at_last_fold};
    rlc_nn_matvec #(
        .DP(DP), .LANES_IN(LANES_IN), .LANES_OUT(LANES_OUT), .GROUPS(GROUPS), .WORDS_IN(WORDS_IN),
        .WORDS_OUT(WORDS_OUT), .BIAS(1), .PLACES(PLACES), .OUT_BLOCK(JB), .IN_BLOCK(IB), .OUT_STRIDE(IB), .IN_STRIDE(1),
        .WEIGHT_WIDTH(WEIGHT_WIDTH), .X_WIDTH(X_WIDTH), .ACC_WIDTH(ACC_WIDTH)
    ) u_matvec (
        .clk(clk), .rst(rst), .cfg_bias_shift(cfg_bias_shift),
        .s_valid(x_valid), .s_ready(x_ready), .s_data(x_data[DP*LANES_IN*X_WIDTH-1:0]), .s_bank(10'd0),
        .s_tag(x_data[DP*LANES_IN*X_WIDTH]), .at_word(at_word), .at_last_word(at_last_word),
        .at_last_fold(at_last_fold),
        .w_valid(bus_valid), .w_bias(at_bias), .w_bank(10'd0), .w_fold(at_jof), .w_group(at_jg), .w_out(at_js),
        .w_word(at_iw), .w_in(at_is), .w_data(bus_data),
        .m_valid(sum_valid), .m_data(sum_data), .m_tag(sum_kind), .m_pop(m_valid && m_ready),
        .busy(busy), .waiting(waiting)
    );

    // Narrowed, with valid and kind beside. A negative sum of a rectified layer is 0.
    wire [LANES*OUT_WIDTH-1:0] y_s3;
    wire [LANES-1:0]           saturated_s3, overflow;
    wire                       kind_s3;
    reg  [NARROW-1:0]          valid_q;
    wire                       valid_s3 = valid_q[NARROW-1];
    rlc_nn_narrow #(.LANES(LANES), .RELU(RELU), .ACC_WIDTH(ACC_WIDTH), .OUT_WIDTH(OUT_WIDTH)) u_narrow (
        .clk(clk), .shift(cfg_shift), .s_data(sum_data), .acc_overflow(overflow), .m_data(y_s3), .saturated(saturated_s3)
    );
    rlc_delay #(.WIDTH(1), .CLOCKS(NARROW)) u_kind (.clk(clk), .d(sum_kind), .q(kind_s3));
    always @(posedge clk) begin
        valid_q <= rst ? {NARROW{1'b0}} : {valid_q[NARROW-2:0], sum_valid};
        acc_overflow <= sum_valid && |overflow && !rst;
    end
    assign saturated = saturated_s3 & {LANES{valid_s3}};

    rlc_queue #(.WIDTH(LANES * OUT_WIDTH + 1), .DEPTH(PLACES)) u_queue (
        .clk(clk), .rst(rst), .s_valid(valid_s3), .s_data({kind_s3, y_s3}),
        .m_valid(m_valid), .m_ready(m_ready), .m_data({m_kind, m_data})
    );
endmodule
`default_nettype wire
