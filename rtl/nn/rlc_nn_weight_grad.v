// rlc_nn_weight_grad.v — weight gradient of one layer: the sum over a batch of delta x^T, and of delta for the bias.
// SPDX-License-Identifier: Apache-2.0
//
//   a vector: for each set of GROUPS input words, all words of deltas
//   scratchpad[set, word] += delta[word] x[set]^T        one word a clock, a vector takes at least DP + 3 clocks
//
// vectors, idle how many batch slices a batch has; counters start anew while idle
// s_d_*, s_x_*  words of deltas and of inputs, in order; valid/ready
// done          pulse: the last batch slice of a batch is in the scratchpad
// cfg_bias_shift   the bias sums are shifted up by the fraction of x
// grad_*        reads between batches: the sums at an address of the weight bus, whose BACKWARD is GROUPS: of outputs jw,
//               block js, and inputs iof*GROUPS + ig, block is; or of the biases (lanes a*IB, others undefined).
//               grad_data 4 clocks after grad_en
// sums          exact: products are at most 2^34, so those of 8191 samples fit 48 bits, and those of 16384 fit 50
// equation      Meng et al. (2022), section 3.2, WA; the reduction over pipelines is part of it
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_check.vh"
`include "rlc_nn_words.vh"
module rlc_nn_weight_grad #(
    parameter DP       = 1,  // columns; a cascade adds their products, so that there is one sum for all
    parameter LANES_J  = 4,  // lanes of the deltas (the layer's outputs)
    parameter WORDS_J  = 2,  // words of the deltas
    parameter LANES_I  = 4,  // lanes of the layer's inputs
    parameter WORDS_I  = 1,  // words of the layer's inputs
    parameter GROUPS   = 1,  // words of inputs side by side: MACs = DP * LANES_J * GROUPS * LANES_I
    parameter JB       = 1,  // outputs of a group that is read
    parameter IB       = 1,  // inputs of a group that is read
    parameter X_WIDTH  = 18, // bits of a delta and of an input
    parameter SUM_BIAS = 32, // bits of the bias sums: 18 and log2 of the largest batch
    parameter SUM_WIDTH = 48 // bits of all sums, 48 or 50; the DSP adds 48 of them
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          idle,
    input  wire [16:0]                   vectors,
    input  wire [4:0]                    cfg_bias_shift,

    `RLC_STREAM_SLAVE(s_d, DP*LANES_J*X_WIDTH),
    `RLC_STREAM_SLAVE(s_x, DP*LANES_I*X_WIDTH),
    output wire                          done,

    input  wire                          grad_en,
    input  wire `RLC_NN_WEIGHT_ADDR       grad_addr,
    output wire [JB*IB*SUM_WIDTH-1:0]    grad_data,
    output wire                          busy,
    output wire                          waiting
);
    `RLC_CHECK(DP >= 1 && LANES_J >= 1 && WORDS_J >= 1 && LANES_I >= 1 && WORDS_I >= 1 && GROUPS >= 1
               && GROUPS <= WORDS_I,
               rlc_nn_weight_grad_illegal_sizes_must_be_at_least_1_and_GROUPS_no_more_than_WORDS_I)
    `RLC_CHECK(LANES_J % JB == 0 && LANES_I % IB == 0, rlc_nn_weight_grad_illegal_JB_and_IB_must_divide_the_lanes)
    `RLC_CHECK(SUM_WIDTH == 48 || SUM_WIDTH == 50, rlc_nn_weight_grad_illegal_SUM_WIDTH_must_be_48_or_50)

    localparam ACC_WIDTH  = 48;
    localparam SETS       = (WORDS_I + GROUPS - 1) / GROUPS;
    localparam TAIL       = WORDS_I - (SETS - 1) * GROUPS;       // words of the last set
    localparam LOOP       = DP + 3;                              // clocks until a sum can be read again
    localparam J_BITS     = (WORDS_J > 1) ? $clog2(WORDS_J) : 1;
    localparam SET_BITS   = (SETS > 1) ? $clog2(SETS) : 1;
    localparam GROUP_BITS = (GROUPS > 1) ? $clog2(GROUPS) : 1;
    localparam ADDR_BITS  = (SETS > 1) ? SET_BITS + J_BITS : J_BITS;
    localparam WORD_X     = DP * LANES_I * X_WIDTH;
    localparam WORD_D     = DP * LANES_J * X_WIDTH;
    localparam LANES      = GROUPS * LANES_I;                    // columns of the array
    localparam [31:0] LAST_GROUP_32 = GROUPS - 1;
    localparam [31:0] LAST_TAIL_32 = TAIL - 1;
    // Words of a vector may come with gaps, so the next vector keeps its distance from the last word of this one.
    localparam WAIT   = (LOOP > WORDS_J * SETS) ? LOOP - WORDS_J * SETS : 0;
    localparam WAIT_W = (WAIT > 0) ? WAIT : 1;

    // Inputs of a set are gathered side by side in one bank while the other bank is used.
    reg  [GROUP_BITS-1:0] gather_q;
    reg                   gather_bank_q, use_bank_q;
    reg  [1:0]            full_q;
    reg  [GROUPS*WORD_X-1:0] bank0_q, bank1_q;
    assign s_x_ready = !full_q[gather_bank_q];
    wire take_x    = s_x_valid && s_x_ready;
    wire last_set;
    wire gathered  = take_x && gather_q == (last_set ? LAST_TAIL_32[GROUP_BITS-1:0] : LAST_GROUP_32[GROUP_BITS-1:0]);
    rlc_mod_counter #(.COUNT(SETS)) u_gather_set (.clk(clk), .restart(rst), .step(gathered), .at(), .last(last_set));

    // Deltas, once a set.
    wire              d_valid, d_ready;
    wire [WORD_D-1:0] d_data;
    rlc_nn_vector #(.WIDTH(WORD_D), .WORDS(WORDS_J), .TIMES(SETS)) u_replay (
        .clk(clk), .rst(rst), `RLC_STREAM_JOIN(s, s_d), `RLC_STREAM_JOIN(m, d)
    );

    // Stage 0: one word of deltas against one set of inputs.
    wire [J_BITS-1:0]    j;
    wire [SET_BITS-1:0]  set;
    wire                 last_j, last_use;
    reg  [16:0]          vector_q;
    reg                  last_vector_q;
    reg  [WAIT_W-1:0]    wait_q;          // its ones leave at the low end, one a clock
    wire last_step  = last_j && last_use;
    assign d_ready  = full_q[use_bank_q] && !wait_q[0];
    wire step       = d_valid && d_ready;
    wire used       = step && last_j;
    wire whole      = step && last_step && last_vector_q;
    assign busy     = step;
    assign waiting  = d_valid && !d_ready;
    rlc_mod_counter #(.COUNT(WORDS_J)) u_j (.clk(clk), .restart(rst), .step(step), .at(j), .last(last_j));
    rlc_mod_counter #(.COUNT(SETS)) u_set (.clk(clk), .restart(rst), .step(used), .at(set), .last(last_use));

    always @(posedge clk) begin
        if (rst) begin
            gather_q      <= {GROUP_BITS{1'b0}};
            gather_bank_q <= 1'b0;
            use_bank_q    <= 1'b0;
            full_q        <= 2'b00;
            wait_q        <= {WAIT_W{1'b0}};
        end else begin
            if (take_x) gather_q <= gathered ? {GROUP_BITS{1'b0}} : gather_q + 1'b1;
            if (gathered) begin
                gather_bank_q         <= !gather_bank_q;
                full_q[gather_bank_q] <= 1'b1;
            end
            if (used) begin
                use_bank_q         <= !use_bank_q;
                full_q[use_bank_q] <= 1'b0;
            end
            wait_q <= (step && last_step && WAIT != 0) ? {WAIT_W{1'b1}} : wait_q >> 1;
        end
        if (rst || idle) vector_q <= 17'd0;
        else if (step && last_step) vector_q <= whole ? 17'd0 : vector_q + 17'd1;
        last_vector_q <= vector_q + 17'd1 == vectors;        // a vector takes at least DP + 3 clocks
    end

    // Stage 1: operands and address.
    reg  [WORD_D-1:0]        d_s1;
    reg  [GROUPS*WORD_X-1:0] x_s1;
    reg  [ADDR_BITS-1:0]     addr_s1;
    reg                      step_s1;
    reg                      first_s1;      // the batch's first batch slice: nothing to add to
    reg                      bias_s1;       // the first set also sums the deltas
    wire `RLC_NN_WEIGHT_ADDR  weight_addr = grad_addr;
    `include "rlc_nn_weight_addr.vh"
    // With one set an address is the word of deltas alone.
    wire [SET_BITS+J_BITS-1:0] addr = grad_en ? {at_iof[SET_BITS-1:0], at_jw[J_BITS-1:0]} : {set, j};
    always @(posedge clk) begin
        d_s1     <= d_data;
        x_s1     <= use_bank_q ? bank1_q : bank0_q;
        addr_s1  <= addr[ADDR_BITS-1:0];
        step_s1  <= step && !rst;
        first_s1 <= vector_q == 17'd0;
        bias_s1  <= step && set == {SET_BITS{1'b0}};
    end

    // What a read wants, beside the pipeline of the read.
    wire [9:0] group_s2, js_s2, is_s2;
    wire       ask_bias_s2;
    reg        ask_bias_s3;
    rlc_delay #(.WIDTH(31), .CLOCKS(2)) u_ask (
        .clk(clk), .d({at_ig, at_js, at_is, at_bias}), .q({group_s2, js_s2, is_s2, ask_bias_s2})
    );
    always @(posedge clk) ask_bias_s3 <= ask_bias_s2;

    // Tap k is stage 1 delayed by k clocks.
    localparam BACK = DP + 2;                               // from stage 1 to the sum that goes back
    reg  [BACK-1:0]           step_q;
    wire [BACK:0]             step_tap = {step_q, step_s1};
    wire [ADDR_BITS-1:0]      addr_back;
    reg                       first_s2;
    always @(posedge clk) begin
        step_q   <= rst ? {BACK{1'b0}} : step_tap[BACK-1:0];
        first_s2 <= first_s1;
    end
    rlc_delay #(.WIDTH(ADDR_BITS), .CLOCKS(BACK)) u_addr (.clk(clk), .d(addr_s1), .q(addr_back));
    wire back = step_tap[BACK];

    genvar g;
    genvar r;
    genvar c;
    genvar d;
    genvar a;
    genvar b;
    for (g = 0; g < GROUPS; g = g + 1) begin : g_gather
        always @(posedge clk) begin
            if (take_x && gather_q == g && !gather_bank_q) bank0_q[g*WORD_X +: WORD_X] <= s_x_data;
            if (take_x && gather_q == g && gather_bank_q)  bank1_q[g*WORD_X +: WORD_X] <= s_x_data;
        end
    end

    // Column d of the cascade works d clocks after column 0.
    wire [DP*LANES_J*X_WIDTH-1:0] deltas;
    wire [DP*LANES*X_WIDTH-1:0]   x, x_now;
    for (d = 0; d < DP; d = d + 1) begin : g_column
        for (c = 0; c < LANES; c = c + 1) begin : g_x
            assign x_now[(d*LANES+c)*X_WIDTH +: X_WIDTH] =
                x_s1[(c/LANES_I)*WORD_X + (d*LANES_I+c%LANES_I)*X_WIDTH +: X_WIDTH];
        end
    end
    rlc_nn_skew #(.LANES(DP), .WIDTH(LANES_J * X_WIDTH)) u_delta (.clk(clk), .d(d_s1), .q(deltas));
    rlc_nn_skew #(.LANES(DP), .WIDTH(LANES * X_WIDTH)) u_x (.clk(clk), .d(x_now), .q(x));

    for (r = 0; r < LANES_J; r = r + 1) begin : g_row
        wire [LANES*SUM_WIDTH-1:0] old_s2, sum;
        rlc_ram_1r1w #(.WIDTH(LANES * SUM_WIDTH), .DEPTH(1 << ADDR_BITS), .READ_ANY(1)) u_scratchpad (
            .clk(clk), .wr_en(back), .wr_addr(addr_back), .wr_data(sum),
            .rd_en(1'b1), .rd_addr(addr_s1), .rd_data(old_s2)
        );
        for (c = 0; c < LANES; c = c + 1) begin : g_mac
            wire [DP*X_WIDTH-1:0] x_c, delta_r;
            for (d = 0; d < DP; d = d + 1) begin : g_operand
                assign x_c[d*X_WIDTH +: X_WIDTH]     = x[(d*LANES+c)*X_WIDTH +: X_WIDTH];
                assign delta_r[d*X_WIDTH +: X_WIDTH] = deltas[(d*LANES_J+r)*X_WIDTH +: X_WIDTH];
            end
            rlc_nn_cascade #(
                .COUNT(DP), .A_WIDTH(X_WIDTH), .B_WIDTH(X_WIDTH), .ACC_WIDTH(ACC_WIDTH), .HEAD(1)
            ) u_cascade (
                .clk(clk), .a(x_c), .b(delta_r), .head(old_s2[c*SUM_WIDTH +: ACC_WIDTH]), .head_clear(first_s2),
                .acc(1'b0), .sum(sum[c*SUM_WIDTH +: ACC_WIDTH])
            );
            // Bits above those of the DSP: a batch slice adds less than 2^46, so two bits show when the lower ones went over.
            if (SUM_WIDTH > ACC_WIDTH) begin : g_upper
                wire [3:0] was;
                wire [3:0] old  = old_s2[c*SUM_WIDTH+ACC_WIDTH-2 +: 4];
                wire [1:0] top  = sum[c*SUM_WIDTH+ACC_WIDTH-2 +: 2];
                wire       up   = was[1:0] == 2'b11 && top == 2'b00;
                wire       down = was[1:0] == 2'b00 && top == 2'b11;
                rlc_delay #(.WIDTH(4), .CLOCKS(DP + 1)) u_was (.clk(clk), .d(first_s2 ? 4'd0 : old), .q(was));
                assign sum[c*SUM_WIDTH+ACC_WIDTH +: 2] = was[3:2] + {down, up || down};
            end
        end
    end

    // Bias: the same with x = 1, by adders. Stage 2: the batch slice's deltas. Stage 3: the new sum goes back.
    if (1) begin : g_sums
        reg              bias_s2, bias_s3;
        reg [J_BITS-1:0] j_s2, j_s3;
        always @(posedge clk) begin
            bias_s2 <= bias_s1 && !rst;
            bias_s3 <= bias_s2 && !rst;
            j_s2    <= addr_s1[J_BITS-1:0];
            j_s3    <= j_s2;
        end
    end
    for (r = 0; r < LANES_J; r = r + 1) begin : g_bias
        wire signed [SUM_BIAS-1:0] old_s2;
        reg  signed [SUM_BIAS-1:0] batch_slice_s2, total_s3;
        for (d = 0; d < DP; d = d + 1) begin : g_add
            wire signed [X_WIDTH-1:0]  delta = d_s1[(d*LANES_J+r)*X_WIDTH +: X_WIDTH];
            wire signed [SUM_BIAS-1:0] total;
            if (d == 0) begin : g_first
                assign total = {{(SUM_BIAS-X_WIDTH){delta[X_WIDTH-1]}}, delta};
            end else begin : g_more
                assign total = g_add[d-1].total + {{(SUM_BIAS-X_WIDTH){delta[X_WIDTH-1]}}, delta};
            end
        end
        always @(posedge clk) begin
            batch_slice_s2 <= g_add[DP-1].total;
            total_s3       <= batch_slice_s2 + (first_s2 ? {SUM_BIAS{1'b0}} : old_s2);
        end
        rlc_ram_1r1w #(.WIDTH(SUM_BIAS), .DEPTH(1 << J_BITS), .READ_ANY(1)) u_sums (
            .clk(clk), .wr_en(g_sums.bias_s3), .wr_addr(g_sums.j_s3), .wr_data(total_s3),
            .rd_en(1'b1), .rd_addr(addr_s1[J_BITS-1:0]), .rd_data(old_s2)
        );
    end

    // Reads. Stage 2: the words of all rows. Stage 3: the group asked for. Stage 4: bias at its fraction, or not.
    for (a = 0; a < JB; a = a + 1) begin : g_read
        // The row that is block js, place a.
        wire [LANES_J/JB*LANES*SUM_WIDTH-1:0] rows;
        wire [LANES_J/JB*SUM_BIAS-1:0]        biases;
        for (r = 0; r < LANES_J / JB; r = r + 1) begin : g_from
            assign rows[r*LANES*SUM_WIDTH +: LANES*SUM_WIDTH] = g_row[r*JB+a].old_s2;
            assign biases[r*SUM_BIAS +: SUM_BIAS]             = g_bias[r*JB+a].old_s2;
        end
        // Picked by comparing: an index that is multiplied would take a multiplier.
        reg  [LANES*SUM_WIDTH-1:0] row_s2;
        reg  [SUM_BIAS-1:0]        bias_s2;
        integer                    block;
        always @* begin
            row_s2  = {(LANES*SUM_WIDTH){1'b0}};
            bias_s2 = {SUM_BIAS{1'b0}};
            for (block = 0; block < LANES_J / JB; block = block + 1)
                if (LANES_J == JB || {22'd0, js_s2} == block) begin
                    row_s2  = row_s2 | rows[block*LANES*SUM_WIDTH +: LANES*SUM_WIDTH];
                    bias_s2 = bias_s2 | biases[block*SUM_BIAS +: SUM_BIAS];
                end
        end
        reg  signed [SUM_BIAS-1:0] bias_s3;
        reg  [SUM_WIDTH-1:0]       shifted_s4;
        wire signed [SUM_WIDTH-1:0] wide = {{(SUM_WIDTH-SUM_BIAS){bias_s3[SUM_BIAS-1]}}, bias_s3};
        for (b = 0; b < IB; b = b + 1) begin : g_out
            // Element b of a block lies in every LANES_I/IB-th place of the row: block = group*(LANES_I/IB) + is.
            localparam BLOCKS = GROUPS * (LANES_I / IB);
            reg [SUM_WIDTH-1:0] sum_s3, picked;
            integer n;
            always @* begin
                picked = {SUM_WIDTH{1'b0}};
                for (n = 0; n < BLOCKS; n = n + 1)
                    if ({22'd0, group_s2} == n / (LANES_I / IB) && {22'd0, is_s2} == n % (LANES_I / IB))
                        picked = picked | row_s2[(n*IB+b)*SUM_WIDTH +: SUM_WIDTH];
            end
            always @(posedge clk) sum_s3 <= picked;
            if (b == 0) begin : g_bias_lane
                assign grad_data[a*IB*SUM_WIDTH +: SUM_WIDTH] = shifted_s4;
            end else begin : g_weight_lane
                reg [SUM_WIDTH-1:0] sum_s4;
                always @(posedge clk) sum_s4 <= sum_s3;
                assign grad_data[(a*IB+b)*SUM_WIDTH +: SUM_WIDTH] = sum_s4;
            end
        end
        always @(posedge clk) begin
            bias_s3    <= bias_s2;
            shifted_s4 <= ask_bias_s3 ? wide <<< cfg_bias_shift : g_out[0].sum_s3;
        end
    end

    // The batch's last batch slice is in the scratchpad when its last word is.
    reg [BACK+2:0] done_q;
    always @(posedge clk) done_q <= rst ? {(BACK+3){1'b0}} : {done_q[BACK+1:0], whole};
    assign done = done_q[BACK+2];
    wire unused = &{1'b0, addr};
endmodule
`default_nettype wire
