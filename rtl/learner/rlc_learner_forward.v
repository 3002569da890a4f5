// rlc_learner_forward.v — one layer of forward propagation: y = f(W x + b), with its own copy of the weights.
// SPDX-License-Identifier: Apache-2.0
//
// idle, initial_open, vectors, updated   gate in front of a batch (rlc_learner_gate)
// cfg_bias_shift   fraction bits of x: the bias moves up to the fraction of the products
// cfg_shift     fraction bits to drop from the sum
// s_*           words of x; kind: any bit, comes out with y
// bus_*         weight bus; loads while no vector is inside
// m_*           words of y: sat(round((sum W x + b 2^cfg_bias_shift) / 2^cfg_shift))
// saturated     a bit an element, for one clock: y was limited. range: a bit a column: |sum| reached 2^46
// equation      Meng et al. (2022), section 3.2, FW
`default_nettype none
`include "rlc_learner_ports.vh"
module rlc_learner_forward #(
    parameter DP           = 1,  // columns
    parameter LANES_IN     = 4,  // lanes of x
    parameter LANES_OUT    = 4,  // lanes of y
    parameter GROUPS       = 1,  // row groups of the tensor unit (rlc_learner_matvec)
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
    input  wire `RLC_LEARNER_PLACE           bus_place,
    input  wire [JB*IB*WEIGHT_WIDTH-1:0]     bus_data,

    `RLC_STREAM_MASTER(m, DP*LANES_OUT*OUT_WIDTH),
    output wire                              m_kind,
    output wire [DP*LANES_OUT-1:0]           saturated,
    output reg                               range,
    output wire                              busy,
    output wire                              waiting
);
    localparam ACC_WIDTH = 48;
    localparam LANES     = DP * LANES_OUT;
    localparam FOLDS     = (WORDS_OUT + GROUPS - 1) / GROUPS;
    localparam AFTER     = 6;                            // clocks from a sum to the queue
    localparam LATENCY   = LANES_IN + 6 + AFTER + 4;     // from the last word to the place free again
    localparam PLACES    = 2 * GROUPS + (LATENCY * GROUPS) / WORDS_IN + 2;

    // Gate and replay.
    wire                             gated_valid, gated_ready, x_valid, x_ready;
    wire [DP*LANES_IN*X_WIDTH:0]     x_data;
    rlc_learner_gate #(.WORDS(WORDS_IN)) u_gate (
        .clk(clk), .idle(idle), .initial_open(initial_open), .vectors(vectors), .grant(updated),
        .s_valid(s_valid), .s_ready(s_ready), .m_valid(gated_valid), .m_ready(gated_ready)
    );
    rlc_learner_vector #(.WIDTH(DP * LANES_IN * X_WIDTH + 1), .WORDS(WORDS_IN), .TIMES(FOLDS)) u_replay (
        .clk(clk), .rst(rst), .s_valid(gated_valid), .s_ready(gated_ready), .s_data({s_kind, s_data}),
        .m_valid(x_valid), .m_ready(x_ready), .m_data(x_data)
    );

    // Tensor unit.
    wire `RLC_LEARNER_PLACE place = bus_place;
    `include "rlc_learner_place.vh"
    wire                       sum_valid;
    wire [LANES*ACC_WIDTH-1:0] sum_data;
    wire                       sum_kind;
    rlc_learner_matvec #(
        .DP(DP), .LANES_IN(LANES_IN), .LANES_OUT(LANES_OUT), .GROUPS(GROUPS), .WORDS_IN(WORDS_IN),
        .WORDS_OUT(WORDS_OUT), .OUT_BLOCK(JB), .IN_BLOCK(IB), .OUT_STRIDE(IB), .IN_STRIDE(1),
        .WEIGHT_WIDTH(WEIGHT_WIDTH), .X_WIDTH(X_WIDTH), .ACC_WIDTH(ACC_WIDTH), .PLACES(PLACES)
    ) u_matvec (
        .clk(clk), .rst(rst),
        .s_valid(x_valid), .s_ready(x_ready), .s_data(x_data[DP*LANES_IN*X_WIDTH-1:0]),
        .s_kind(x_data[DP*LANES_IN*X_WIDTH]),
        .w_valid(bus_valid && !at_bias), .w_fold(at_jof), .w_group(at_jg), .w_out(at_js), .w_word(at_iw), .w_in(at_is),
        .w_data(bus_data),
        .m_valid(sum_valid), .m_data(sum_data), .m_kind(sum_kind), .m_pop(m_valid && m_ready),
        .busy(busy), .waiting(waiting)
    );

    // Stage 1: the bias of this word.
    localparam WORD_BITS = (WORDS_OUT > 1) ? $clog2(WORDS_OUT) : 1;
    wire [WORD_BITS-1:0] word;
    rlc_turn #(.COUNT(WORDS_OUT)) u_word (.clk(clk), .restart(rst), .step(sum_valid), .at(word), .last());

    reg                          bias_valid_q;
    reg [9:0]                    bias_block_q;
    reg [WORD_BITS-1:0]          bias_word_q;
    reg [JB*WEIGHT_WIDTH-1:0]    bias_data_q;
    wire [LANES_OUT*WEIGHT_WIDTH-1:0] bias_s1;
    always @(posedge clk) begin
        bias_valid_q <= bus_valid && at_bias;
        bias_block_q <= at_js;
        bias_word_q  <= at_jw[WORD_BITS-1:0];
    end

    reg [LANES*ACC_WIDTH-1:0] sum_s1, sum_s2, sum_s3;
    always @(posedge clk) begin
        sum_s1 <= sum_data;
        sum_s2 <= sum_s1;
    end

    // Valid and kind travel beside the sums.
    wire valid_s6, kind_s6;
    reg  [AFTER-1:0] valid_q;
    always @(posedge clk)
        if (rst) valid_q <= {AFTER{1'b0}};
        else     valid_q <= {valid_q[AFTER-2:0], sum_valid};
    assign valid_s6 = valid_q[AFTER-1];
    rlc_delay #(.WIDTH(1), .CLOCKS(AFTER)) u_kind (.clk(clk), .d(sum_kind), .q(kind_s6));

    wire [LANES*OUT_WIDTH-1:0] y_s6;
    wire [LANES-1:0]           limited_s6, far_s3;
    genvar r;
    genvar d;
    for (r = 0; r < JB; r = r + 1) begin : g_bias_lane
        always @(posedge clk)
            bias_data_q[r*WEIGHT_WIDTH +: WEIGHT_WIDTH] <= bus_data[r*IB*WEIGHT_WIDTH +: WEIGHT_WIDTH];
    end
    for (r = 0; r < LANES_OUT; r = r + 1) begin : g_row
        rlc_ram_1r1w #(.WIDTH(WEIGHT_WIDTH), .DEPTH(1 << WORD_BITS), .READ_ANY(1)) u_bias (
            .clk(clk), .wr_en(bias_valid_q && {22'd0, bias_block_q} == r / JB), .wr_addr(bias_word_q),
            .wr_data(bias_data_q[(r%JB)*WEIGHT_WIDTH +: WEIGHT_WIDTH]),
            .rd_en(1'b1), .rd_addr(word), .rd_data(bias_s1[r*WEIGHT_WIDTH +: WEIGHT_WIDTH])
        );

        // Stage 2: the bias at the fraction of the products.
        wire signed [WEIGHT_WIDTH-1:0] bias = bias_s1[r*WEIGHT_WIDTH +: WEIGHT_WIDTH];
        wire signed [ACC_WIDTH-1:0]    wide = {{(ACC_WIDTH-WEIGHT_WIDTH){bias[WEIGHT_WIDTH-1]}}, bias};
        reg         [ACC_WIDTH-1:0]    bias_s2;
        always @(posedge clk) bias_s2 <= wide <<< cfg_bias_shift;

        for (d = 0; d < DP; d = d + 1) begin : g_column
            localparam E = d * LANES_OUT + r;
            // Stage 3: the whole sum. Stages 4 to 6: narrow. A negative sum of a rectified layer is 0.
            always @(posedge clk)
                sum_s3[E*ACC_WIDTH +: ACC_WIDTH] <= sum_s2[E*ACC_WIDTH +: ACC_WIDTH] + bias_s2;
            wire [ACC_WIDTH-1:0] whole = sum_s3[E*ACC_WIDTH +: ACC_WIDTH];
            wire                 keep  = RELU == 0 || !whole[ACC_WIDTH-1];
            assign far_s3[E] = whole[ACC_WIDTH-1] != whole[ACC_WIDTH-2];
            rlc_shift_sat #(.WIN(ACC_WIDTH), .WOUT(OUT_WIDTH)) u_narrow (
                .clk(clk), .s_data(whole & {ACC_WIDTH{keep}}), .shift(cfg_shift),
                .m_data(y_s6[E*OUT_WIDTH +: OUT_WIDTH]), .m_saturated(limited_s6[E])
            );
        end
    end
    always @(posedge clk) range <= valid_q[2] && |far_s3;
    assign saturated = limited_s6 & {LANES{valid_s6}};

    rlc_queue #(.WIDTH(LANES * OUT_WIDTH + 1), .DEPTH(PLACES)) u_queue (
        .clk(clk), .rst(rst), .s_valid(valid_s6), .s_data({kind_s6, y_s6}),
        .m_valid(m_valid), .m_ready(m_ready), .m_data({m_kind, m_data})
    );
endmodule
`default_nettype wire
