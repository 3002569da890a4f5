// rlc_policy_layer.v — one layer of the forward pass at a fixed latency: y = f(W x + b), two versions of the weights.
// SPDX-License-Identifier: Apache-2.0
//
// The array is the learner's, rlc_nn_matvec, and the numbers are rlc_nn_forward's. Nothing stalls in here, so there are
// no queues and no clocks for them: the sender leaves room between vectors.
//
// cfg_*         as rlc_nn_forward's
// s_*           words of x; s_bank, with the first word of a vector: the version that it meets. A vector's first word comes
//               at least (folds - 1) * WORDS_IN + 1 clocks after the last word of the one before
// w_*           a group of the weight bus for version w_bank, which must not be the version of a vector inside; w_addr is what
//               rlc_nn_weight_addr_gen counts with FORWARD = GROUPS
// m_*           words of y in order; m_bank: the vector's version. A fold's words leave one per clock
// saturated     one bit per element, with m_valid: y was clipped. acc_overflow: a sum of a vector reached 2^46, at most once per
//               vector
// latency       LANES_IN + 5 clocks from a fold's last word to its first result, one more with several groups, one more with
//               OPERANDS
// throughput    one input word a clock
// equation      Meng et al. (2022), section 3.2, FW
`default_nettype none
`include "rlc_check.vh"
`include "rlc_learner_ports.vh"
module rlc_policy_layer #(
    parameter LANES_IN     = 4,  // elements of a word of x
    parameter LANES_OUT    = 4,  // elements of a word of y
    parameter GROUPS       = 1,  // groups of LANES_OUT rows: GROUPS * LANES_OUT * LANES_IN multipliers
    parameter WORDS_IN     = 1,  // words of x
    parameter WORDS_OUT    = 2,  // words of y
    parameter JB           = 1,  // outputs of a group of the weight bus; it divides LANES_OUT
    parameter IB           = 1,  // inputs of a group of the weight bus; it divides LANES_IN
    parameter RELU         = 1,  // 1: f is max(0, x); 0: f is the identity
    parameter OUT_WIDTH    = 18, // bits of y
    parameter WEIGHT_WIDTH = 27, // bits of a weight
    parameter X_WIDTH      = 18, // bits of x
    parameter OPERANDS     = 0   // 1: registers between the memories and the multipliers
) (
    input  wire                           clk,
    input  wire                           rst,
    input  wire [4:0]                     cfg_bias_shift,
    input  wire [5:0]                     cfg_shift,

    input  wire                           s_valid,
    input  wire                           s_bank,
    input  wire [LANES_IN*X_WIDTH-1:0]    s_data,

    input  wire                           w_valid,
    input  wire                           w_bank,
    input  wire `RLC_NN_WEIGHT_ADDR        w_addr,
    input  wire [JB*IB*WEIGHT_WIDTH-1:0]  w_data,

    output wire                           m_valid,
    output wire                           m_bank,
    output wire [LANES_OUT*OUT_WIDTH-1:0] m_data,
    output wire [LANES_OUT-1:0]           saturated,
    output reg                            acc_overflow
);
    `RLC_CHECK(GROUPS >= 1 && GROUPS <= WORDS_IN && GROUPS <= WORDS_OUT,
               rlc_policy_layer_illegal_row_groups_are_1_to_the_words_of_inputs_and_outputs)
    `RLC_CHECK(LANES_OUT % JB == 0 && LANES_IN % IB == 0, rlc_policy_layer_illegal_JB_and_IB_must_divide_the_lanes)

    localparam ACC_WIDTH = 48;
    localparam FOLDS     = (WORDS_OUT + GROUPS - 1) / GROUPS;
    localparam NARROW    = 3;

    // A word that comes, or one that is played again for the next fold.
    wire [9:0]                  word;
    wire                        last_word, last_fold, valid;
    wire [LANES_IN*X_WIDTH-1:0] x;
    if (FOLDS > 1) begin : g_again
        localparam WORD_BITS = (WORDS_IN > 1) ? $clog2(WORDS_IN) : 1;
        `RLC_LUT_RAM
        reg  [LANES_IN*X_WIDTH-1:0] mem [0:(1<<WORD_BITS)-1];
        reg                         again_q;
        always @(posedge clk) begin
            if (s_valid) mem[word[WORD_BITS-1:0]] <= s_data;
            if (rst)                      again_q <= 1'b0;
            else if (valid && last_word)  again_q <= !last_fold;
        end
        assign valid = s_valid || again_q;
        assign x     = again_q ? mem[word[WORD_BITS-1:0]] : s_data;
        rlc_assert_never u_never (.clk(clk), .rst(rst), .bad(s_valid && again_q));
        wire unused = &{1'b0, word};
    end else begin : g_once
        assign valid = s_valid;
        assign x     = s_data;
        wire unused = &{1'b0, word, last_word, last_fold};
    end

    wire `RLC_NN_WEIGHT_ADDR weight_addr = w_addr;
    `include "rlc_nn_weight_addr.vh"
    wire                           sum_valid, sum_bank, s_ready, busy, waiting;
    wire [LANES_OUT*ACC_WIDTH-1:0] sum_data;
    rlc_nn_matvec #(
        .LANES_IN(LANES_IN), .LANES_OUT(LANES_OUT), .GROUPS(GROUPS), .WORDS_IN(WORDS_IN), .WORDS_OUT(WORDS_OUT), .BANKS(2),
        .BIAS(1), .CREDIT(0), .OPERANDS(OPERANDS), .OUT_BLOCK(JB), .IN_BLOCK(IB), .OUT_STRIDE(IB), .IN_STRIDE(1),
        .WEIGHT_WIDTH(WEIGHT_WIDTH), .X_WIDTH(X_WIDTH), .ACC_WIDTH(ACC_WIDTH)
    ) u_matvec (
        .clk(clk), .rst(rst), .cfg_bias_shift(cfg_bias_shift), .s_valid(valid), .s_ready(s_ready), .s_data(x),
        .s_bank({9'd0, s_bank}), .s_tag(s_bank), .at_word(word), .at_last_word(last_word), .at_last_fold(last_fold),
        .w_valid(w_valid), .w_bias(at_bias), .w_bank({9'd0, w_bank}), .w_fold(at_jof), .w_group(at_jg), .w_out(at_js),
        .w_word(at_iw), .w_in(at_is), .w_data(w_data), .m_valid(sum_valid), .m_data(sum_data), .m_tag(sum_bank),
        .m_pop(1'b0), .busy(busy), .waiting(waiting)
    );
    wire unused_flow = &{1'b0, s_ready, busy, waiting};

    // 3 clocks to narrow. A negative sum of a rectified layer is 0.
    wire [LANES_OUT-1:0] saturated_now, overflow;
    reg  [NARROW-1:0]    valid_q;
    rlc_nn_narrow #(.LANES(LANES_OUT), .RELU(RELU), .ACC_WIDTH(ACC_WIDTH), .OUT_WIDTH(OUT_WIDTH)) u_narrow (
        .clk(clk), .shift(cfg_shift), .s_data(sum_data), .acc_overflow(overflow), .m_data(m_data), .saturated(saturated_now)
    );
    rlc_delay #(.WIDTH(1), .CLOCKS(NARROW)) u_version (.clk(clk), .d(sum_bank), .q(m_bank));
    always @(posedge clk) valid_q <= rst ? {NARROW{1'b0}} : {valid_q[NARROW-2:0], sum_valid};
    assign m_valid = valid_q[NARROW-1];

    // Once a vector, behind its last word.
    wire whole_end;
    reg  overflow_q;
    wire any_overflow = overflow_q || |overflow;
    rlc_mod_counter #(.COUNT(WORDS_OUT)) u_whole (.clk(clk), .restart(rst), .step(sum_valid), .at(), .last(whole_end));
    always @(posedge clk) begin
        acc_overflow <= sum_valid && whole_end && any_overflow && !rst;
        if (rst)              overflow_q <= 1'b0;
        else if (sum_valid) overflow_q <= any_overflow && !whole_end;
    end
    assign saturated = saturated_now & {LANES_OUT{m_valid}};
endmodule
`default_nettype wire
