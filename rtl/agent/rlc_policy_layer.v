// rlc_policy_layer.v — one layer of the forward pass at a fixed latency: y = f(W x + b), two versions of the weights.
// SPDX-License-Identifier: Apache-2.0
//
// The array is that of rlc_learner_matvec, and the numbers are rlc_learner_forward's. Nothing stalls in here, so there are
// no queues and no clocks for them: the sender leaves room between vectors. The bias enters at the head of the cascade.
//
// cfg_*         as rlc_learner_forward's
// s_*           words of x; s_bank, with the first word of a vector: the version that it meets. A vector's first word comes
//               at least (folds - 1) * WORDS_IN + 1 clocks after the last word of the one before
// w_*           a group of the weight bus for version w_bank, which must not be the version of a vector inside; place is what
//               rlc_learner_order counts with FORWARD = GROUPS
// m_*           words of y in order; m_bank: the vector's version. A fold's words leave one per clock
// saturated     one bit per element, with m_valid: y was limited. range: a sum of a vector reached 2^46, at most once per
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
    input  wire `RLC_LEARNER_PLACE        w_place,
    input  wire [JB*IB*WEIGHT_WIDTH-1:0]  w_data,

    output wire                           m_valid,
    output wire                           m_bank,
    output wire [LANES_OUT*OUT_WIDTH-1:0] m_data,
    output wire [LANES_OUT-1:0]           saturated,
    output reg                            range
);
    `RLC_CHECK(GROUPS >= 1 && GROUPS <= WORDS_IN && GROUPS <= WORDS_OUT,
               rlc_policy_layer_illegal_row_groups_are_1_to_the_words_of_inputs_and_outputs)
    `RLC_CHECK(LANES_OUT % JB == 0 && LANES_IN % IB == 0, rlc_policy_layer_illegal_JB_and_IB_must_divide_the_lanes)

    localparam ACC_WIDTH = 48;
    localparam FOLDS     = (WORDS_OUT + GROUPS - 1) / GROUPS;
    localparam TAIL      = WORDS_OUT - (FOLDS - 1) * GROUPS;
    localparam WORD_BITS = (WORDS_IN > 1) ? $clog2(WORDS_IN) : 1;
    localparam FOLD_BITS = (FOLDS > 1) ? $clog2(FOLDS) : 1;
    localparam ADDR_BITS = 1 + ((FOLDS > 1) ? FOLD_BITS + WORD_BITS : WORD_BITS);
    localparam OUT_BITS  = (FOLDS * GROUPS > 1) ? $clog2(FOLDS * GROUPS) : 1;
    localparam TAPS      = GROUPS + LANES_IN - 1;
    localparam SUM       = LANES_IN + 2 + OPERANDS; // clocks from a fold's last word to the whole sum of group 0
    localparam GATHER    = (GROUPS > 1) ? 1 : 0;
    localparam NARROW    = 3;

    // Stage 0: a word that comes, or one that is played again for the next fold.
    wire [WORD_BITS-1:0] at, word;
    wire [FOLD_BITS-1:0] fold;
    wire                 at_end, valid, word_end, fold_end;
    wire [LANES_IN*X_WIDTH-1:0] x;
    rlc_turn #(.COUNT(WORDS_IN)) u_at (.clk(clk), .restart(rst), .step(s_valid), .at(at), .last(at_end));
    if (FOLDS > 1) begin : g_again
        `RLC_LUT_RAM
        reg  [LANES_IN*X_WIDTH-1:0] mem [0:(1<<WORD_BITS)-1];
        reg                         again_q;
        wire [WORD_BITS-1:0]        play;
        wire [FOLD_BITS-1:0]        turn;
        wire                        play_end, turn_end;
        localparam TURNS = FOLDS - 1;
        localparam TURN_BITS = (TURNS > 1) ? $clog2(TURNS) : 1;
        wire [TURN_BITS-1:0] turn_at;
        rlc_turn #(.COUNT(WORDS_IN)) u_play (.clk(clk), .restart(rst), .step(again_q), .at(play), .last(play_end));
        rlc_turn #(.COUNT(TURNS)) u_turn (
            .clk(clk), .restart(rst), .step(again_q && play_end), .at(turn_at), .last(turn_end)
        );
        wire [FOLD_BITS:0] turn_wide = {{(FOLD_BITS+1-TURN_BITS){1'b0}}, turn_at};
        assign turn = turn_wide[FOLD_BITS-1:0] + 1'b1;
        always @(posedge clk) begin
            if (s_valid) mem[at] <= s_data;
            if (rst)                                    again_q <= 1'b0;
            else if (s_valid && at_end)                 again_q <= 1'b1;
            else if (again_q && play_end && turn_end)   again_q <= 1'b0;
        end
        assign valid    = s_valid || again_q;
        assign word     = again_q ? play : at;
        assign fold     = again_q ? turn : {FOLD_BITS{1'b0}};
        assign word_end = again_q ? play_end : at_end;
        assign fold_end = again_q && turn_end;
        assign x        = (again_q ? mem[play] : s_data) & {(LANES_IN*X_WIDTH){valid}};
        rlc_never u_never (.clk(clk), .rst(rst), .bad(s_valid && again_q));
        wire unused = turn_wide[FOLD_BITS];
    end else begin : g_once
        assign valid    = s_valid;
        assign word     = at;
        assign fold     = {FOLD_BITS{1'b0}};
        assign word_end = at_end;
        assign fold_end = 1'b1;
        assign x        = s_data & {(LANES_IN*X_WIDTH){valid}};
    end
    wire first = valid && word == {WORD_BITS{1'b0}};
    wire last  = valid && word_end && !rst;

    reg  bank_q;
    wire bank = (s_valid && at == {WORD_BITS{1'b0}}) ? s_bank : bank_q;
    always @(posedge clk) bank_q <= bank;

    // Addresses of the weights. With one fold an address is version and word alone.
    wire [FOLD_BITS+WORD_BITS-1:0] both = {fold, word};
    wire [ADDR_BITS-1:0]           addr = {bank, both[ADDR_BITS-2:0]};
    wire [TAPS*ADDR_BITS-1:0]      addr_tap;

    // Tap k is stage 0 delayed by k clocks.
    localparam CONTROL = TAPS + 3 + OPERANDS;
    reg  [CONTROL-1:0] first_q, last_q, final_q, bank_was_q;
    wire [CONTROL:0]   first_tap = {first_q, first};
    wire [CONTROL:0]   last_tap  = {last_q, last};
    wire [CONTROL:0]   final_tap = {final_q, fold_end};
    wire [CONTROL:0]   bank_tap  = {bank_was_q, bank};
    always @(posedge clk) begin
        first_q    <= first_tap[CONTROL-1:0];
        last_q     <= rst ? {CONTROL{1'b0}} : last_tap[CONTROL-1:0];
        final_q    <= final_tap[CONTROL-1:0];
        bank_was_q <= bank_tap[CONTROL-1:0];
    end

    // A group of weights, registered once: it reaches every memory.
    wire `RLC_LEARNER_PLACE place = w_place;
    `include "rlc_learner_place.vh"
    reg                             weight_q, bias_q;
    reg [9:0]                       group_q, out_q, in_q;
    reg [ADDR_BITS-1:0]             w_addr_q;
    reg [OUT_BITS:0]                b_addr_q;
    reg [JB*IB*WEIGHT_WIDTH-1:0]    w_data_q;
    wire [FOLD_BITS+WORD_BITS-1:0]  w_both = {at_jof[FOLD_BITS-1:0], at_iw[WORD_BITS-1:0]};
    always @(posedge clk) begin
        weight_q <= w_valid && !at_bias;
        bias_q   <= w_valid && at_bias;
        group_q  <= at_jg;
        out_q    <= at_js;
        in_q     <= at_is;
        w_addr_q <= {w_bank, w_both[ADDR_BITS-2:0]};
        b_addr_q <= {w_bank, at_jw[OUT_BITS-1:0]};
        w_data_q <= w_data;
    end
    wire unused = &{1'b0, both, w_both};

    // The biases of a fold's groups, one per clock, at the fraction of the products.
    localparam [31:0] MANY = GROUPS;
    wire [OUT_BITS+FOLD_BITS-1:0]      base = {{OUT_BITS{1'b0}}, fold} * MANY[OUT_BITS+FOLD_BITS-1:0];
    reg  [OUT_BITS-1:0]                index_q;
    wire [OUT_BITS-1:0]                index = first ? base[OUT_BITS-1:0] : index_q + 1'b1;
    wire [LANES_OUT*WEIGHT_WIDTH-1:0]  bias_s1;
    wire [LANES_OUT*ACC_WIDTH-1:0]     wide_s1;
    always @(posedge clk) index_q <= index;
    wire unused_base = &{1'b0, base};

    genvar k;
    genvar g;
    genvar r;
    genvar c;
    for (k = 0; k < TAPS; k = k + 1) begin : g_tap
        rlc_delay #(.WIDTH(ADDR_BITS), .CLOCKS(k)) u_addr (
            .clk(clk), .d(addr), .q(addr_tap[k*ADDR_BITS +: ADDR_BITS])
        );
    end
    for (r = 0; r < LANES_OUT; r = r + 1) begin : g_bias
        rlc_ram_1r1w #(
            .WIDTH(WEIGHT_WIDTH), .DEPTH(2 << OUT_BITS), .READ_LATENCY(1 + OPERANDS), .READ_ANY(1)
        ) u_bias (
            .clk(clk), .wr_en(bias_q && {22'd0, out_q} == r / JB), .wr_addr(b_addr_q),
            .wr_data(w_data_q[(r%JB)*IB*WEIGHT_WIDTH +: WEIGHT_WIDTH]),
            .rd_en(1'b1), .rd_addr({bank, index}), .rd_data(bias_s1[r*WEIGHT_WIDTH +: WEIGHT_WIDTH])
        );
        wire signed [WEIGHT_WIDTH-1:0] bias = bias_s1[r*WEIGHT_WIDTH +: WEIGHT_WIDTH];
        wire signed [ACC_WIDTH-1:0]    wide = {{(ACC_WIDTH-WEIGHT_WIDTH){bias[WEIGHT_WIDTH-1]}}, bias};
        assign wide_s1[r*ACC_WIDTH +: ACC_WIDTH] = wide <<< cfg_bias_shift;
    end

    // Lane c enters group 0 c clocks late, and one more for the read of the weight.
    for (c = 0; c < LANES_IN; c = c + 1) begin : g_lane
        wire [X_WIDTH-1:0] skewed;
        rlc_delay #(.WIDTH(X_WIDTH), .CLOCKS(c + 1)) u_skew (.clk(clk), .d(x[c*X_WIDTH +: X_WIDTH]), .q(skewed));
    end

    for (g = 0; g < GROUPS; g = g + 1) begin : g_group
        wire [LANES_OUT*ACC_WIDTH-1:0] sums;

        // Down the array: a group hands its words to the next one.
        for (c = 0; c < LANES_IN; c = c + 1) begin : g_pass
            wire [X_WIDTH-1:0] element;
            if (g == 0) begin : g_top
                assign element = g_lane[c].skewed;
            end else begin : g_below
                reg [X_WIDTH-1:0] element_q;
                always @(posedge clk) element_q <= g_group[g-1].g_pass[c].element;
                assign element = element_q;
            end
        end

        for (r = 0; r < LANES_OUT; r = r + 1) begin : g_row
            for (c = 0; c < LANES_IN; c = c + 1) begin : g_mac
                wire [WEIGHT_WIDTH-1:0] weight;
                wire                    here = weight_q && group_q == g && {22'd0, out_q} == r / JB
                                            && {22'd0, in_q} == c / IB;
                rlc_ram_1r1w #(.WIDTH(WEIGHT_WIDTH), .DEPTH(1 << ADDR_BITS), .READ_ANY(1)) u_weights (
                    .clk(clk), .wr_en(here), .wr_addr(w_addr_q),
                    .wr_data(w_data_q[((r%JB)*IB+(c%IB))*WEIGHT_WIDTH +: WEIGHT_WIDTH]),
                    .rd_en(1'b1), .rd_addr(addr_tap[(g+c)*ADDR_BITS +: ADDR_BITS]), .rd_data(weight)
                );
                wire signed [WEIGHT_WIDTH-1:0] a = weight;
                wire signed [X_WIDTH-1:0]      b = g_pass[c].element;
                wire signed [ACC_WIDTH-1:0]    from, sum;
                if (c == 0) begin : g_head
                    assign from = wide_s1[r*ACC_WIDTH +: ACC_WIDTH];
                end else begin : g_cascade
                    assign from = g_mac[c-1].sum;
                end
                rlc_mac #(
                    .A_WIDTH(WEIGHT_WIDTH), .B_WIDTH(X_WIDTH), .C_WIDTH(ACC_WIDTH), .P_WIDTH(ACC_WIDTH),
                    .A_REG(OPERANDS), .B_REG(OPERANDS), .C_REG(c == 0 ? 1 : 0), .M_REG(1),
                    .ACC(c == LANES_IN - 1 ? 1 : 0)
                ) u_mac (
                    .clk(clk), .a(a), .b(b), .c(from), .m_clear(1'b0), .c_clear(c == 0 && !first_tap[g+1+OPERANDS]),
                    .acc(!first_tap[g+c+2+OPERANDS]), .p(sum)
                );
            end
            assign sums[r*ACC_WIDTH +: ACC_WIDTH] = g_mac[LANES_IN-1].sum;
        end

        // The group's turn to leave; groups past the end of the vector have none.
        localparam TURN = g + SUM;
        wire turn = last_tap[TURN] && (g < TAIL || !final_tap[TURN]);
        wire [LANES_OUT*ACC_WIDTH-1:0] out;
        wire                           any, version;
        if (g == 0) begin : g_first
            assign out     = (GROUPS > 1) ? sums & {(LANES_OUT*ACC_WIDTH){turn}} : sums;
            assign any     = turn;
            assign version = turn && bank_tap[TURN];
        end else begin : g_next
            assign out     = g_group[g-1].out | (sums & {(LANES_OUT*ACC_WIDTH){turn}});
            assign any     = g_group[g-1].any || turn;
            assign version = g_group[g-1].version || (turn && bank_tap[TURN]);
        end
    end

    // The whole sum, and 3 clocks to narrow it. A negative sum of a rectified layer is 0.
    wire [LANES_OUT*ACC_WIDTH-1:0] whole;
    wire                           whole_valid, whole_bank;
    rlc_delay #(.WIDTH(LANES_OUT*ACC_WIDTH + 1), .CLOCKS(GATHER)) u_gather (
        .clk(clk), .d({g_group[GROUPS-1].version, g_group[GROUPS-1].out}), .q({whole_bank, whole})
    );
    reg [NARROW+GATHER-1:0] valid_q;
    wire [NARROW+GATHER:0]  valid_line = {valid_q, g_group[GROUPS-1].any};
    always @(posedge clk) valid_q <= rst ? {(NARROW+GATHER){1'b0}} : valid_line[NARROW+GATHER-1:0];
    assign whole_valid = valid_line[GATHER];
    assign m_valid     = valid_line[NARROW+GATHER];
    rlc_delay #(.WIDTH(1), .CLOCKS(NARROW)) u_version (.clk(clk), .d(whole_bank), .q(m_bank));

    wire [LANES_OUT-1:0] limited, far;
    for (r = 0; r < LANES_OUT; r = r + 1) begin : g_out
        wire [ACC_WIDTH-1:0] sum  = whole[r*ACC_WIDTH +: ACC_WIDTH];
        wire                 keep = RELU == 0 || !sum[ACC_WIDTH-1];
        assign far[r] = sum[ACC_WIDTH-1] != sum[ACC_WIDTH-2];
        rlc_shift_sat #(.WIN(ACC_WIDTH), .WOUT(OUT_WIDTH)) u_narrow (
            .clk(clk), .s_data(sum & {ACC_WIDTH{keep}}), .shift(cfg_shift),
            .m_data(m_data[r*OUT_WIDTH +: OUT_WIDTH]), .m_saturated(limited[r])
        );
    end
    // Once a vector, behind its last word.
    wire whole_end;
    reg  far_q;
    wire any_far = far_q || |far;
    rlc_turn #(.COUNT(WORDS_OUT)) u_whole (.clk(clk), .restart(rst), .step(whole_valid), .at(), .last(whole_end));
    always @(posedge clk) begin
        range <= whole_valid && whole_end && any_far;
        if (rst)              far_q <= 1'b0;
        else if (whole_valid) far_q <= any_far && !whole_end;
    end
    assign saturated = limited & {LANES_OUT{m_valid}};
endmodule
`default_nettype wire
