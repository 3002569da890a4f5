// rlc_nn_matvec.v — the array of multiply-adds: a matrix, which stays, multiplied by vectors that stream.
// SPDX-License-Identifier: Apache-2.0
//
//            word of the input, one a clock          row group 0   [w]-[w]-[w]-> sum
//            lane c is delayed by c clocks        v  row group 1   [w]-[w]-[w]-> sum   one clock later
//                                                 v  row group 2   [w]-[w]-[w]-> sum   two clocks later
//   Every [w] is one multiplier with its own small memory of weights. Partial sums move right through the cascade, which
//   a bias may head; the last MAC of a row keeps the row's sum over the words. Words move down from group to group, so
//   that one group at a time has its sums ready and the results leave in order through one OR.
//
// s_*          words of the input vector, the whole vector FOLDS = ceil(WORDS_OUT / GROUPS) times. With its first word, bank:
//              the weights that it meets, and tag: any bit, which comes out with its results
// at_*         the word that is next, and whether it is the last one, of the last fold
// w_*          write of OUT_BLOCK x IN_BLOCK weights to a bank that no vector inside meets: fold and group of the output word
//              (word = fold*GROUPS + group), its block w_out; the input word w_word, its block w_in. w_bias: of OUT_BLOCK
//              biases, which w_data keeps in lanes out*OUT_STRIDE
// cfg_bias_shift  how far a bias moves up, to the fraction of the products
// m_*          output words in order, no ready: with CREDIT m_pop says that one left the queue behind, of which PLACES are
//              known, and s_ready waits for places; without, s_ready is 1, and who sends leaves room between vectors
// range        the sums are exact modulo 2^ACC_WIDTH; nothing saturates here
// latency      LANES_IN + 2 + OPERANDS + CREDIT clocks from a fold's last word to its first result, one more with several
//              groups
// throughput   one input word a clock
// busy, waiting  a word is taken; a word is there but the queue behind has no room
`default_nettype none
`include "rlc_check.vh"
module rlc_nn_matvec #(
    parameter DP           = 1,  // columns: vectors multiplied side by side by the same matrix
    parameter LANES_IN     = 4,  // elements of the input vector a word and column; the length of a row's cascade
    parameter LANES_OUT    = 4,  // elements of the output vector a word and column
    parameter GROUPS       = 2,  // groups of LANES_OUT rows: MACs = DP * GROUPS * LANES_OUT * LANES_IN; GROUPS <= WORDS_IN
    parameter WORDS_IN     = 2,  // words of the input vector; padding elements are zero
    parameter WORDS_OUT    = 2,  // words of the output vector
    parameter BANKS        = 1,  // matrices: versions of the weights, or networks of one shape
    parameter BIAS         = 0,  // 1: the sums begin with biases, 0: with 0
    parameter CREDIT       = 1,  // 1: by credit of the queue behind, 0: nothing stalls
    parameter PLACES       = 8,  // with CREDIT, places of the queue that takes the results, >= GROUPS
    parameter OPERANDS     = 1,  // registers between the memories and the multipliers, 0 or 1
    parameter OUT_BLOCK    = 1,  // outputs that one write carries; it divides LANES_OUT
    parameter IN_BLOCK     = 1,  // inputs that one write carries; it divides LANES_IN
    parameter OUT_STRIDE   = 1,  // w_data keeps them in lane out*OUT_STRIDE + in*IN_STRIDE
    parameter IN_STRIDE    = 1,  // see OUT_STRIDE
    parameter WEIGHT_WIDTH = 27, // bits of a weight
    parameter X_WIDTH      = 18, // bits of an element
    parameter ACC_WIDTH    = 48  // bits of a sum
) (
    input  wire                              clk,
    input  wire                              rst,
    input  wire [4:0]                        cfg_bias_shift,

    input  wire                              s_valid,
    output wire                              s_ready,
    input  wire [DP*LANES_IN*X_WIDTH-1:0]    s_data,
    input  wire [9:0]                        s_bank,
    input  wire                              s_tag,
    output wire [9:0]                        at_word,
    output wire                              at_last_word,
    output wire                              at_last_fold,

    input  wire                              w_valid,
    input  wire                              w_bias,
    input  wire [9:0]                        w_bank,
    input  wire [9:0]                        w_fold,
    input  wire [9:0]                        w_group,
    input  wire [9:0]                        w_out,
    input  wire [9:0]                        w_word,
    input  wire [9:0]                        w_in,
    input  wire [OUT_BLOCK*IN_BLOCK*WEIGHT_WIDTH-1:0] w_data,

    output wire                              m_valid,
    output wire [DP*LANES_OUT*ACC_WIDTH-1:0] m_data,
    output wire                              m_tag,
    input  wire                              m_pop,
    output wire                              busy,
    output wire                              waiting
);
    `RLC_CHECK(DP >= 1 && LANES_IN >= 1 && LANES_OUT >= 1 && GROUPS >= 1 && WORDS_IN >= 1 && WORDS_OUT >= 1 && BANKS >= 1,
               rlc_nn_matvec_illegal_DP_and_lanes_and_GROUPS_and_words_and_BANKS_must_be_at_least_1)
    `RLC_CHECK(GROUPS <= WORDS_IN && GROUPS <= WORDS_OUT,
               rlc_nn_matvec_illegal_more_row_groups_than_input_or_output_words)
    `RLC_CHECK(LANES_OUT % OUT_BLOCK == 0 && LANES_IN % IN_BLOCK == 0,
               rlc_nn_matvec_illegal_OUT_BLOCK_and_IN_BLOCK_must_divide_the_lanes)
    `RLC_CHECK(CREDIT == 0 || PLACES >= GROUPS, rlc_nn_matvec_illegal_PLACES_must_be_at_least_GROUPS)

    localparam FOLDS     = (WORDS_OUT + GROUPS - 1) / GROUPS;
    localparam TAIL      = WORDS_OUT - (FOLDS - 1) * GROUPS;  // groups that the last fold really has
    localparam W_BITS    = $clog2(WORDS_IN);
    localparam F_BITS    = $clog2(FOLDS);
    localparam BITS      = $clog2(BANKS) + F_BITS + W_BITS;
    localparam ADDR_BITS = (BITS > 0) ? BITS : 1;
    localparam TAPS      = GROUPS + LANES_IN - 1;             // different delays in the array
    localparam SUM       = LANES_IN + 2 + OPERANDS;           // clocks from tap 0 of a fold's last word to group 0's sum
    localparam GATHER    = (GROUPS > 1) ? 1 : 0;
    localparam WORD      = DP * LANES_IN * X_WIDTH;

    // Stage 0: take a word. With credit, the last word of a fold needs room for the fold's results.
    wire [9:0] at_fold;
    wire       room;
    wire       step      = s_valid && s_ready;
    assign s_ready = !at_last_word || room;
    assign busy    = step;
    assign waiting = s_valid && !s_ready;
    rlc_mod_counter #(.COUNT(WORDS_IN), .WIDTH(10)) u_word (
        .clk(clk), .restart(rst), .step(step), .at(at_word), .last(at_last_word)
    );
    rlc_mod_counter #(.COUNT(FOLDS), .WIDTH(10)) u_fold (
        .clk(clk), .restart(rst), .step(step && at_last_word), .at(at_fold), .last(at_last_fold)
    );
    if (CREDIT != 0) begin : g_credit
        rlc_nn_credit #(.PLACES(PLACES), .MANY(GROUPS), .FEW(TAIL)) u_credit (
            .clk(clk), .rst(rst), .take(step && at_last_word), .few(at_last_fold), .give(m_pop), .room(room)
        );
    end else begin : g_free
        assign room = 1'b1;
    end

    // A vector's bank and tag are its first word's.
    wire       begins = step && at_word == 10'd0;
    wire       enters = begins && at_fold == 10'd0;
    reg  [9:0] bank_q;
    reg        tag_q;
    wire [9:0] bank   = (BANKS == 1) ? 10'd0 : enters ? s_bank : bank_q;
    wire       tag    = enters ? s_tag : tag_q;
    always @(posedge clk) begin
        bank_q <= bank;
        tag_q  <= tag;
    end

    // Tap 0: the word, or zeros that change no sum; with credit a register after stage 0.
    wire [29:0] addr = ({20'd0, bank} << (F_BITS + W_BITS)) | ({20'd0, at_fold} << W_BITS) | {20'd0, at_word};
    wire [WORD-1:0]      x;
    wire [ADDR_BITS-1:0] x_addr;
    wire [9:0]           x_fold, x_bank;
    wire                 x_first, x_last, x_final, x_tag;
    localparam CONTROL_0 = ADDR_BITS + 24;
    rlc_delay #(.WIDTH(WORD + CONTROL_0), .CLOCKS(CREDIT)) u_tap (
        .clk(clk),
        .d({s_data & {WORD{step}}, addr[ADDR_BITS-1:0], at_fold, bank, begins, step && at_last_word && !rst, at_last_fold,
            tag}),
        .q({x, x_addr, x_fold, x_bank, x_first, x_last, x_final, x_tag})
    );

    // Tap k is tap 0 delayed by k clocks.
    localparam CONTROL = SUM + GROUPS;
    wire [TAPS*ADDR_BITS-1:0] addr_tap;
    reg  [CONTROL-1:0] first_q, last_q, final_q, tags_q;
    wire [CONTROL:0]   first_tap = {first_q, x_first};
    wire [CONTROL:0]   last_tap  = {last_q, x_last};
    wire [CONTROL:0]   final_tap = {final_q, x_final};
    wire [CONTROL:0]   tag_tap   = {tags_q, x_tag};
    always @(posedge clk) begin
        first_q <= first_tap[CONTROL-1:0];
        last_q  <= rst ? {CONTROL{1'b0}} : last_tap[CONTROL-1:0];
        final_q <= final_tap[CONTROL-1:0];
        tags_q  <= tag_tap[CONTROL-1:0];
    end
    rlc_nn_skew #(.LANES(TAPS), .WIDTH(ADDR_BITS)) u_addr (.clk(clk), .d({TAPS{x_addr}}), .q(addr_tap));

    // The write, registered once: it reaches every memory.
    reg                                       weight_q, bias_q;
    reg [9:0]                                 w_bank_q, w_fold_q, w_group_q, w_out_q, w_word_q, w_in_q;
    reg [OUT_BLOCK*IN_BLOCK*WEIGHT_WIDTH-1:0] w_data_q;
    always @(posedge clk) begin
        weight_q  <= w_valid && !w_bias;
        bias_q    <= w_valid && w_bias;
        w_bank_q  <= w_bank;
        w_fold_q  <= w_fold;
        w_group_q <= w_group;
        w_out_q   <= w_out;
        w_word_q  <= w_word;
        w_in_q    <= w_in;
        w_data_q  <= w_data;
    end
    wire [29:0] w_addr = ((BANKS == 1) ? 30'd0 : {20'd0, w_bank_q} << (F_BITS + W_BITS)) | ({20'd0, w_fold_q} << W_BITS)
                       | {20'd0, w_word_q};

    wire [LANES_OUT*ACC_WIDTH-1:0] head;
    if (BIAS != 0) begin : g_bias
        rlc_nn_bias #(
            .LANES_OUT(LANES_OUT), .GROUPS(GROUPS), .FOLDS(FOLDS), .BANKS(BANKS), .OUT_BLOCK(OUT_BLOCK),
            .OUT_STRIDE(OUT_STRIDE), .DATA_LANES(OUT_BLOCK * IN_BLOCK), .WEIGHT_WIDTH(WEIGHT_WIDTH), .ACC_WIDTH(ACC_WIDTH),
            .OPERANDS(OPERANDS)
        ) u_bias (
            .clk(clk), .cfg_bias_shift(cfg_bias_shift), .first(x_first), .fold(x_fold), .bank(x_bank), .w_valid(bias_q),
            .w_bank((BANKS == 1) ? 10'd0 : w_bank_q), .w_fold(w_fold_q), .w_group(w_group_q), .w_out(w_out_q),
            .w_data(w_data_q), .head(head)
        );
    end else begin : g_zero
        assign head = {(LANES_OUT*ACC_WIDTH){1'b0}};
    end

    genvar g;
    genvar r;
    genvar c;
    genvar d;
    for (g = 0; g < GROUPS; g = g + 1) begin : g_group
        wire [WORD-1:0]                   element;
        wire [DP*LANES_OUT*ACC_WIDTH-1:0] sums;

        // Down the array: a group hands its words to the next one. Lane c enters group 0 c clocks late, and one more for
        // the read of the weight.
        if (g == 0) begin : g_top
            for (d = 0; d < DP; d = d + 1) begin : g_column
                rlc_nn_skew #(.LANES(LANES_IN), .WIDTH(X_WIDTH), .FIRST(1)) u_skew (
                    .clk(clk), .d(x[d*LANES_IN*X_WIDTH +: LANES_IN*X_WIDTH]),
                    .q(element[d*LANES_IN*X_WIDTH +: LANES_IN*X_WIDTH])
                );
            end
        end else begin : g_below
            reg [WORD-1:0] element_q;
            always @(posedge clk) element_q <= g_group[g-1].element;
            assign element = element_q;
        end

        for (r = 0; r < LANES_OUT; r = r + 1) begin : g_row
            wire [LANES_IN*WEIGHT_WIDTH-1:0] weight;
            for (c = 0; c < LANES_IN; c = c + 1) begin : g_weight
                wire here = weight_q && w_group_q == g && {22'd0, w_out_q} == r / OUT_BLOCK
                         && {22'd0, w_in_q} == c / IN_BLOCK;
                rlc_ram_1r1w #(.WIDTH(WEIGHT_WIDTH), .DEPTH(1 << ADDR_BITS), .READ_ANY(1)) u_weights (
                    .clk(clk), .wr_en(here), .wr_addr(w_addr[ADDR_BITS-1:0]),
                    .wr_data(w_data_q[((r%OUT_BLOCK)*OUT_STRIDE+(c%IN_BLOCK)*IN_STRIDE)*WEIGHT_WIDTH +: WEIGHT_WIDTH]),
                    .rd_en(1'b1), .rd_addr(addr_tap[(g+c)*ADDR_BITS +: ADDR_BITS]),
                    .rd_data(weight[c*WEIGHT_WIDTH +: WEIGHT_WIDTH])
                );
            end
            for (d = 0; d < DP; d = d + 1) begin : g_column
                rlc_nn_cascade #(
                    .COUNT(LANES_IN), .A_WIDTH(WEIGHT_WIDTH), .B_WIDTH(X_WIDTH), .ACC_WIDTH(ACC_WIDTH), .OPERANDS(OPERANDS),
                    .HEAD(BIAS), .ACC(1)
                ) u_cascade (
                    .clk(clk), .a(weight), .b(element[d*LANES_IN*X_WIDTH +: LANES_IN*X_WIDTH]),
                    .head(head[r*ACC_WIDTH +: ACC_WIDTH]), .head_clear(!first_tap[g+1+OPERANDS]),
                    .acc(!first_tap[g+LANES_IN+1+OPERANDS]), .sum(sums[(d*LANES_OUT+r)*ACC_WIDTH +: ACC_WIDTH])
                );
            end
        end

        // The group's turn to leave; groups past the end of the vector have none.
        wire turn = last_tap[g+SUM] && (g < TAIL || !final_tap[g+SUM]);
        wire [DP*LANES_OUT*ACC_WIDTH-1:0] out;
        wire                              any, any_tag;
        if (g == 0) begin : g_first
            assign out     = (GROUPS > 1) ? sums & {(DP*LANES_OUT*ACC_WIDTH){turn}} : sums;
            assign any     = turn;
            assign any_tag = turn && tag_tap[g+SUM];
        end else begin : g_next
            assign out     = g_group[g-1].out | (sums & {(DP*LANES_OUT*ACC_WIDTH){turn}});
            assign any     = g_group[g-1].any || turn;
            assign any_tag = g_group[g-1].any_tag || (turn && tag_tap[g+SUM]);
        end
    end

    rlc_delay #(.WIDTH(DP*LANES_OUT*ACC_WIDTH + 2), .CLOCKS(GATHER)) u_gather (
        .clk(clk), .d({g_group[GROUPS-1].any && !rst, g_group[GROUPS-1].any_tag, g_group[GROUPS-1].out}),
        .q({m_valid, m_tag, m_data})
    );
    wire unused = &{1'b0, s_bank, w_bank_q, cfg_bias_shift, bias_q, m_pop, addr, w_addr, x_fold, x_bank};
endmodule
`default_nettype wire
