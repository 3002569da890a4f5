// rlc_learner_matvec.v — tensor unit: a systolic array that multiplies a matrix, which stays, by vectors that stream.
// SPDX-License-Identifier: Apache-2.0
//
//            word of the input, one a clock          row group 0   [w]-[w]-[w]-> sum
//            lane c is delayed by c clocks        v  row group 1   [w]-[w]-[w]-> sum   one clock later
//                                                 v  row group 2   [w]-[w]-[w]-> sum   two clocks later
//   Every [w] is one multiplier with its own small memory of weights. Partial sums move right through the cascade;
//   the last MAC of a row keeps the row's sum over the words. Words move down from group to group, so that one group
//   at a time has its sums ready and the results leave in order through one OR.
//
// s_*          words of the input vector, the whole vector ceil(WORDS_OUT / GROUPS) times; kind: any bit, the same for
//              all words of a vector, comes out with its results
// w_*          write of OUT_BLOCK x IN_BLOCK weights: fold and group of the output word (word = fold*GROUPS + group),
//              its block w_out; the input word w_word, its block w_in. Not while a vector is inside
// m_*          output words in order, no ready: m_pop says that one left the queue behind, of which PLACES are known
// range        the sums are exact modulo 2^ACC_WIDTH; nothing saturates here
// latency      LANES_IN + 6 clocks from a vector's last word (the last time) to its first result word
// throughput   one input word a clock
// busy, waiting  a word is taken; a word is there but the queue behind has no room
`default_nettype none
`include "rlc_check.vh"
module rlc_learner_matvec #(
    parameter DP           = 1,  // columns: vectors multiplied side by side by the same matrix
    parameter LANES_IN     = 4,  // elements of the input vector a word and column; the length of a row's cascade
    parameter LANES_OUT    = 4,  // elements of the output vector a word and column
    parameter GROUPS       = 2,  // groups of LANES_OUT rows: MACs = DP * GROUPS * LANES_OUT * LANES_IN; GROUPS <= WORDS_IN
    parameter WORDS_IN     = 2,  // words of the input vector; padding elements are zero
    parameter WORDS_OUT    = 2,  // words of the output vector
    parameter OUT_BLOCK    = 1,  // outputs that one write carries; it divides LANES_OUT
    parameter IN_BLOCK     = 1,  // inputs that one write carries; it divides LANES_IN
    parameter OUT_STRIDE   = 1,  // w_data keeps them in lane out*OUT_STRIDE + in*IN_STRIDE
    parameter IN_STRIDE    = 1,  // see OUT_STRIDE
    parameter WEIGHT_WIDTH = 27, // bits of a weight
    parameter X_WIDTH      = 18, // bits of an element
    parameter ACC_WIDTH    = 48, // bits of a sum
    parameter PLACES       = 8   // places of the queue that takes the results, >= GROUPS
) (
    input  wire                              clk,
    input  wire                              rst,

    input  wire                              s_valid,
    output wire                              s_ready,
    input  wire [DP*LANES_IN*X_WIDTH-1:0]    s_data,
    input  wire                              s_kind,

    input  wire                              w_valid,
    input  wire [9:0]                        w_fold,
    input  wire [9:0]                        w_group,
    input  wire [9:0]                        w_out,
    input  wire [9:0]                        w_word,
    input  wire [9:0]                        w_in,
    input  wire [OUT_BLOCK*IN_BLOCK*WEIGHT_WIDTH-1:0] w_data,

    output reg                               m_valid,
    output reg  [DP*LANES_OUT*ACC_WIDTH-1:0] m_data,
    output reg                               m_kind,
    input  wire                              m_pop,
    output wire                              busy,
    output wire                              waiting
);
    `RLC_CHECK(DP >= 1 && LANES_IN >= 1 && LANES_OUT >= 1 && GROUPS >= 1 && WORDS_IN >= 1 && WORDS_OUT >= 1,
               rlc_learner_matvec_illegal_DP_and_lanes_and_GROUPS_and_words_must_be_at_least_1)
    `RLC_CHECK(GROUPS <= WORDS_IN && GROUPS <= WORDS_OUT,
               rlc_learner_matvec_illegal_more_row_groups_than_input_or_output_words)
    `RLC_CHECK(LANES_OUT % OUT_BLOCK == 0 && LANES_IN % IN_BLOCK == 0,
               rlc_learner_matvec_illegal_OUT_BLOCK_and_IN_BLOCK_must_divide_the_lanes)
    `RLC_CHECK(PLACES >= GROUPS, rlc_learner_matvec_illegal_PLACES_must_be_at_least_GROUPS)

    localparam FOLDS     = (WORDS_OUT + GROUPS - 1) / GROUPS;
    localparam TAIL      = WORDS_OUT - (FOLDS - 1) * GROUPS;  // groups that the last fold really has
    localparam WORD_BITS = (WORDS_IN > 1) ? $clog2(WORDS_IN) : 1;
    localparam FOLD_BITS = (FOLDS > 1) ? $clog2(FOLDS) : 1;
    localparam ADDR_BITS = (FOLDS > 1) ? FOLD_BITS + WORD_BITS : WORD_BITS;
    localparam TAPS      = GROUPS + LANES_IN - 1;             // different delays in the array
    localparam MAC       = 4;                                 // clocks from stage 1 to the sum of MAC (0, 0)

    // Stage 0: take a word. The last word of a fold needs room for the fold's results.
    wire [WORD_BITS-1:0] word;
    wire [FOLD_BITS-1:0] fold;
    wire last_word, last_fold, room;
    assign s_ready = !last_word || room;
    wire step    = s_valid && s_ready;
    assign busy    = step;
    assign waiting = s_valid && !s_ready;
    rlc_turn #(.COUNT(WORDS_IN)) u_word (.clk(clk), .restart(rst), .step(step), .at(word), .last(last_word));
    rlc_turn #(.COUNT(FOLDS)) u_fold (
        .clk(clk), .restart(rst), .step(step && last_word), .at(fold), .last(last_fold)
    );

    // Places promised and not yet free again.
    localparam PLACE_BITS = $clog2(PLACES + GROUPS + 1);
    localparam [31:0] LIMIT_32 = PLACES - GROUPS;
    localparam [31:0] MANY_32  = GROUPS;
    localparam [31:0] FEW_32   = TAIL;
    reg  [PLACE_BITS-1:0] taken_q;
    reg                   room_q;
    wire [PLACE_BITS-1:0] promised = !(step && last_word) ? {PLACE_BITS{1'b0}}
                                   : last_fold ? FEW_32[PLACE_BITS-1:0] : MANY_32[PLACE_BITS-1:0];
    wire [PLACE_BITS-1:0] taken_d  = taken_q + promised - {{(PLACE_BITS-1){1'b0}}, m_pop};
    always @(posedge clk) begin
        if (rst) begin
            taken_q <= {PLACE_BITS{1'b0}};
            room_q  <= 1'b1;
        end else begin
            taken_q <= taken_d;
            room_q  <= taken_d <= LIMIT_32[PLACE_BITS-1:0];
        end
    end
    assign room = room_q;

    // Stage 1: the word, or zeros that change no sum. With one fold an address is the word alone.
    wire [FOLD_BITS+WORD_BITS-1:0] addr   = {fold, word};
    wire [FOLD_BITS+WORD_BITS-1:0] w_addr = {w_fold[FOLD_BITS-1:0], w_word[WORD_BITS-1:0]};
    reg [DP*LANES_IN*X_WIDTH-1:0] x_s1;
    reg [ADDR_BITS-1:0]           addr_s1;
    reg                           first_s1, last_s1, final_s1, kind_s1;
    always @(posedge clk) begin
        x_s1     <= step ? s_data : {(DP*LANES_IN*X_WIDTH){1'b0}};
        addr_s1  <= addr[ADDR_BITS-1:0];
        first_s1 <= step && word == {WORD_BITS{1'b0}};
        last_s1  <= step && last_word && !rst;
        final_s1 <= last_fold;
        kind_s1  <= s_kind;
    end

    // Tap k is stage 1 delayed by k clocks.
    localparam CONTROL = TAPS + MAC;
    wire [TAPS*ADDR_BITS-1:0] addr_tap;
    reg  [CONTROL-1:0]   first_q, last_q, final_q, kind_q;
    wire [CONTROL:0]     first_tap = {first_q, first_s1};
    wire [CONTROL:0]     last_tap  = {last_q, last_s1};
    wire [CONTROL:0]     final_tap = {final_q, final_s1};
    wire [CONTROL:0]     kind_tap  = {kind_q, kind_s1};
    always @(posedge clk) begin
        first_q <= first_tap[CONTROL-1:0];
        last_q  <= rst ? {CONTROL{1'b0}} : last_tap[CONTROL-1:0];
        final_q <= final_tap[CONTROL-1:0];
        kind_q  <= kind_tap[CONTROL-1:0];
    end

    // The write, registered once: it reaches every memory.
    reg                                      w_valid_q;
    reg [9:0]                                w_group_q, w_out_q, w_in_q;
    reg [ADDR_BITS-1:0]                      w_addr_q;
    reg [OUT_BLOCK*IN_BLOCK*WEIGHT_WIDTH-1:0] w_data_q;
    always @(posedge clk) begin
        w_valid_q <= w_valid;
        w_group_q <= w_group;
        w_out_q   <= w_out;
        w_in_q    <= w_in;
        w_addr_q  <= w_addr[ADDR_BITS-1:0];
        w_data_q  <= w_data;
    end
    wire unused = &{1'b0, w_fold, w_word, addr, w_addr};

    genvar k;
    genvar g;
    genvar r;
    genvar c;
    genvar d;
    for (k = 0; k < TAPS; k = k + 1) begin : g_tap
        rlc_delay #(.WIDTH(ADDR_BITS), .CLOCKS(k)) u_addr (
            .clk(clk), .d(addr_s1), .q(addr_tap[k*ADDR_BITS +: ADDR_BITS])
        );
    end

    // Lane c enters group 0 c clocks late, and one more for the read of the weight.
    for (c = 0; c < LANES_IN; c = c + 1) begin : g_lane
        wire [DP*X_WIDTH-1:0] x;
        for (d = 0; d < DP; d = d + 1) begin : g_column
            rlc_delay #(.WIDTH(X_WIDTH), .CLOCKS(c + 1)) u_skew (
                .clk(clk), .d(x_s1[(d*LANES_IN+c)*X_WIDTH +: X_WIDTH]), .q(x[d*X_WIDTH +: X_WIDTH])
            );
        end
    end

    for (g = 0; g < GROUPS; g = g + 1) begin : g_group
        wire [DP*LANES_OUT*ACC_WIDTH-1:0] sums;

        // Down the array: a group hands its words to the next one.
        for (c = 0; c < LANES_IN; c = c + 1) begin : g_pass
            wire [DP*X_WIDTH-1:0] x;
            if (g == 0) begin : g_top
                assign x = g_lane[c].x;
            end else begin : g_below
                reg [DP*X_WIDTH-1:0] x_q;
                always @(posedge clk) x_q <= g_group[g-1].g_pass[c].x;
                assign x = x_q;
            end
        end

        for (r = 0; r < LANES_OUT; r = r + 1) begin : g_row
            for (c = 0; c < LANES_IN; c = c + 1) begin : g_mac
                wire [WEIGHT_WIDTH-1:0] weight;
                wire                    here = w_valid_q && w_group_q == g && {22'd0, w_out_q} == r / OUT_BLOCK
                                            && {22'd0, w_in_q} == c / IN_BLOCK;
                rlc_ram_1r1w #(.WIDTH(WEIGHT_WIDTH), .DEPTH(1 << ADDR_BITS), .READ_ANY(1)) u_weights (
                    .clk(clk), .wr_en(here), .wr_addr(w_addr_q),
                    .wr_data(w_data_q[((r%OUT_BLOCK)*OUT_STRIDE+(c%IN_BLOCK)*IN_STRIDE)*WEIGHT_WIDTH +: WEIGHT_WIDTH]),
                    .rd_en(1'b1), .rd_addr(addr_tap[(g+c)*ADDR_BITS +: ADDR_BITS]), .rd_data(weight)
                );
                for (d = 0; d < DP; d = d + 1) begin : g_column
                    wire signed [WEIGHT_WIDTH-1:0] a = weight;
                    wire signed [X_WIDTH-1:0]      b = g_pass[c].x[d*X_WIDTH +: X_WIDTH];
                    wire signed [ACC_WIDTH-1:0]    from, sum;
                    if (c == 0) begin : g_head
                        assign from = {ACC_WIDTH{1'b0}};
                    end else begin : g_cascade
                        assign from = g_mac[c-1].g_column[d].sum;
                    end
                    rlc_mac #(
                        .A_WIDTH(WEIGHT_WIDTH), .B_WIDTH(X_WIDTH), .C_WIDTH(ACC_WIDTH), .P_WIDTH(ACC_WIDTH),
                        .A_REG(1), .B_REG(1), .C_REG(0), .M_REG(1), .ACC(c == LANES_IN - 1 ? 1 : 0)
                    ) u_mac (
                        .clk(clk), .a(a), .b(b), .c(from), .m_clear(1'b0), .c_clear(1'b0),
                        .acc(!first_tap[g+c+MAC-1]), .p(sum)
                    );
                end
            end
            for (d = 0; d < DP; d = d + 1) begin : g_sum
                assign sums[(d*LANES_OUT+r)*ACC_WIDTH +: ACC_WIDTH] = g_mac[LANES_IN-1].g_column[d].sum;
            end
        end

        // The group's turn to leave; groups past the end of the vector have none.
        localparam TURN = g + LANES_IN - 1 + MAC;
        wire turn = last_tap[TURN] && (g < TAIL || !final_tap[TURN]);
        wire kind = turn && kind_tap[TURN];
        wire [DP*LANES_OUT*ACC_WIDTH-1:0] out;
        wire                              any, any_kind;
        if (g == 0) begin : g_first
            assign out      = sums & {(DP*LANES_OUT*ACC_WIDTH){turn}};
            assign any      = turn;
            assign any_kind = kind;
        end else begin : g_next
            assign out      = g_group[g-1].out | (sums & {(DP*LANES_OUT*ACC_WIDTH){turn}});
            assign any      = g_group[g-1].any || turn;
            assign any_kind = g_group[g-1].any_kind || kind;
        end
    end

    always @(posedge clk) begin
        m_valid   <= g_group[GROUPS-1].any && !rst;
        m_kind    <= g_group[GROUPS-1].any_kind;
        m_data    <= g_group[GROUPS-1].out;
    end
endmodule
`default_nettype wire
