// rlc_nn_backward.v — one layer of backward propagation: the deltas of the layer below, f'(h) (W^T delta).
// SPDX-License-Identifier: Apache-2.0
//
// cfg_shift     fraction bits to drop from the sum
// s_*           words of deltas
// s_mask_*      a bit an element that leaves: h > 0. Its word is there before the word of the sum; the caller sees to it
// bus_*         weight bus; loads while no vector is inside
// m_*           words of deltas: sat(round(sum W^T delta / 2^cfg_shift)), or 0 where masked
// saturated     a bit an element, for one clock: it was clipped and passed
// equation      Meng et al. (2022), section 3.2, BW
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_check.vh"
`include "rlc_nn_words.vh"
module rlc_nn_backward #(
    parameter DP           = 1,  // columns
    parameter LANES_IN     = 4,  // lanes of the deltas that enter, of the layer's outputs
    parameter LANES_OUT    = 4,  // lanes of the deltas that leave, of the layer's inputs
    parameter GROUPS       = 1,  // row groups of the tensor unit (rlc_nn_matvec), on the transposed weights
    parameter WORDS_IN     = 1,  // words of the deltas that enter
    parameter WORDS_OUT    = 2,  // words of the deltas that leave
    parameter JB           = 1,  // outputs of a group of the weight bus
    parameter IB           = 1,  // inputs of a group of the weight bus
    parameter FIRST        = 0,  // first word of the layer's inputs that is wanted; weights of earlier words are not kept
    parameter MASK         = 1,  // 1: an element passes where its bit in s_mask is set; 0: all pass
    parameter WEIGHT_WIDTH = 27, // bits of a weight
    parameter X_WIDTH      = 18  // bits of a delta
) (
    input  wire                             clk,
    input  wire                             rst,
    input  wire [5:0]                       cfg_shift,

    `RLC_STREAM_SLAVE(s, DP*LANES_IN*X_WIDTH),

    `RLC_STREAM_SLAVE(s_mask, DP*LANES_OUT),

    input  wire                             bus_valid,
    input  wire `RLC_NN_WEIGHT_ADDR          bus_addr,
    input  wire [JB*IB*WEIGHT_WIDTH-1:0]    bus_data,

    `RLC_STREAM_MASTER(m, DP*LANES_OUT*X_WIDTH),
    output wire [DP*LANES_OUT-1:0]          saturated,
    output wire                             busy,
    output wire                             waiting
);
    // A layer of which only the last words are wanted counts folds and groups from there.
    `RLC_CHECK(FIRST == 0 || GROUPS == 1, rlc_nn_backward_illegal_FIRST_needs_GROUPS_of_1)

    localparam ACC_WIDTH = 48;
    localparam LANES     = DP * LANES_OUT;
    localparam FOLDS     = (WORDS_OUT + GROUPS - 1) / GROUPS;
    localparam NARROW    = 3;                                            // clocks from a sum to the queue
    localparam LATENCY   = LANES_IN + 5 + (GROUPS > 1 ? 1 : 0) + NARROW + 4; // from the last word to the place free again
    localparam PLACES    = 2 * GROUPS + (LATENCY * GROUPS) / WORDS_IN + 2;
    localparam [31:0] FIRST_32 = FIRST;

    wire                           x_valid, x_ready;
    wire [DP*LANES_IN*X_WIDTH-1:0] x_data;
    rlc_nn_vector #(.WIDTH(DP * LANES_IN * X_WIDTH), .WORDS(WORDS_IN), .TIMES(FOLDS)) u_replay (
        .clk(clk), .rst(rst), `RLC_STREAM_JOIN(s, s), `RLC_STREAM_JOIN(m, x)
    );

    wire                       sum_valid, sum_kind, at_last_word, at_last_fold;
    wire [9:0]                 at_word;
    wire [LANES*ACC_WIDTH-1:0] sum_data;
    wire `RLC_NN_WEIGHT_ADDR weight_addr = bus_addr;
    `include "rlc_nn_weight_addr.vh"
    wire [10:0] from_first = {1'b0, at_iw} - {1'b0, FIRST_32[9:0]};   // negative: a word that is not kept
    wire wanted = bus_valid && !at_bias && !from_first[10];
    rlc_nn_matvec #(
        .DP(DP), .LANES_IN(LANES_IN), .LANES_OUT(LANES_OUT), .GROUPS(GROUPS), .WORDS_IN(WORDS_IN),
        .WORDS_OUT(WORDS_OUT), .PLACES(PLACES), .OUT_BLOCK(IB), .IN_BLOCK(JB), .OUT_STRIDE(1), .IN_STRIDE(IB),
        .WEIGHT_WIDTH(WEIGHT_WIDTH), .X_WIDTH(X_WIDTH), .ACC_WIDTH(ACC_WIDTH)
    ) u_matvec (
        .clk(clk), .rst(rst), .cfg_bias_shift(5'd0), `RLC_STREAM_JOIN(s, x), .s_bank(10'd0), .s_tag(1'b0), .at_word(at_word),
        .at_last_word(at_last_word), .at_last_fold(at_last_fold), .w_valid(wanted), .w_bias(1'b0), .w_bank(10'd0),
        .w_fold(FIRST == 0 ? at_iof : from_first[9:0]), .w_group(FIRST == 0 ? at_ig : 10'd0), .w_out(at_is),
        .w_word(at_jw), .w_in(at_js), .w_data(bus_data), .m_valid(sum_valid), .m_data(sum_data), .m_tag(sum_kind),
        .m_pop(m_valid && m_ready), .busy(busy), .waiting(waiting)
    );

    // Narrowed, with the mask beside.
    wire [LANES-1:0] pass = (MASK != 0) ? s_mask_data : {LANES{1'b1}};
    wire [LANES-1:0] pass_s3;
    reg  [NARROW-1:0] valid_q;
    wire             valid_s3 = valid_q[NARROW-1];
    always @(posedge clk) valid_q <= rst ? {NARROW{1'b0}} : {valid_q[NARROW-2:0], sum_valid};
    assign s_mask_ready = sum_valid;
    rlc_delay #(.WIDTH(LANES), .CLOCKS(NARROW)) u_pass (.clk(clk), .d(pass), .q(pass_s3));

    wire [LANES*X_WIDTH-1:0] y_s3, out_s3;
    wire [LANES-1:0]         saturated_s3, overflow;
    rlc_nn_narrow #(.LANES(LANES), .RELU(0), .ACC_WIDTH(ACC_WIDTH), .OUT_WIDTH(X_WIDTH)) u_narrow (
        .clk(clk), .shift(cfg_shift), .s_data(sum_data), .acc_overflow(overflow), .m_data(y_s3), .saturated(saturated_s3)
    );
    genvar e;
    for (e = 0; e < LANES; e = e + 1) begin : g_element
        assign out_s3[e*X_WIDTH +: X_WIDTH] = y_s3[e*X_WIDTH +: X_WIDTH] & {X_WIDTH{pass_s3[e]}};
    end
    assign saturated = saturated_s3 & pass_s3 & {LANES{valid_s3}};

    rlc_queue #(.WIDTH(LANES * X_WIDTH), .DEPTH(PLACES)) u_queue (
        .clk(clk), .rst(rst), .s_valid(valid_s3), .s_data(out_s3), `RLC_STREAM_JOIN(m, m)
    );
    wire unused = &{1'b0, s_mask_valid, sum_kind, overflow, at_word, at_last_word, at_last_fold};
endmodule
`default_nettype wire
