// rlc_gae_sums.v — count, sum and sum of squares of a stream of raw numbers, exact.
// SPDX-License-Identifier: Apache-2.0
//
// s_*         no back-pressure; only numbers whose s_take bit is set count
// clear       forgets the sums and opens them again; to be given while busy is low
// mark        keeps the sums as they are, before a clear in the same clock; to be given while busy is low
// undo        brings back what mark kept, 2 clocks later; to be given while busy is low
// full        pulse: a beat was left out, because the count would not have fitted. From then on every beat is
//             left out, until clear, so that the three sums always speak of the same numbers.
// busy        some accepted beat has not reached the sums yet; they are consistent when it is low
// latency     6 + log2(BEAT) clocks from a beat to the sums; throughput one beat a clock
// cost        two DSP slices a number: the lower and the upper part of its square. The sum does not wait for the
//             squares, and what mark kept goes straight into the upper half of theirs, so that nothing is delayed twice.
`default_nettype none
`include "rlc_check.vh"
module rlc_gae_sums #(
    parameter BEAT      = 2,   // numbers per clock, a power of two
    parameter RAW_WIDTH = 24,  // bits of a number, signed, 18 to 24
    parameter CNT_WIDTH = 40,  // bits of a count
    parameter SUM_WIDTH = 64,  // bits of a sum
    parameter SQR_WIDTH = 88   // bits of a sum of squares
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      clear,
    input  wire                      mark,
    input  wire                      undo,
    input  wire                      s_valid,
    input  wire [BEAT*RAW_WIDTH-1:0] s_data,
    input  wire [BEAT-1:0]           s_take,
    output reg  [CNT_WIDTH-1:0]      n,
    output reg  [SUM_WIDTH-1:0]      sum,
    output wire [SQR_WIDTH-1:0]      sqr,
    output reg                       full,
    output wire                      busy
);
    localparam LOG    = $clog2(BEAT);
    localparam LOW    = 17;                    // bits of a number that fit the B port of a DSP beside a sign
    localparam HIGH   = RAW_WIDTH - LOW;
    localparam PART   = RAW_WIDTH + LOW + 1;   // x * (lower bits of x)
    localparam SQ     = 2 * RAW_WIDTH - 1;     // x * x, unsigned
    localparam WSUM   = RAW_WIDTH + LOG + 1;   // of a beat, and a bit to spare so that BEAT may be 1
    localparam WSQR   = SQ + LOG + 1;
    localparam SPLIT  = 48;                    // where the long accumulator hands its carry on a clock later
    localparam CHOICE = 3;                     // stage that knows whether a beat counts
    localparam SUMS   = 1 + LOG;               // stage in which its sum is there
    localparam ADDS   = (SUMS > CHOICE) ? SUMS : CHOICE;  // ... and is added
    localparam SQRS   = 4 + LOG;               // stage in which its sum of squares is there
    localparam STAGES = SQRS + 2;

    `RLC_CHECK(BEAT >= 1 && (1 << LOG) == BEAT, rlc_gae_sums_illegal_BEAT_must_be_a_power_of_two)
    `RLC_CHECK(RAW_WIDTH > LOW && RAW_WIDTH <= 24, rlc_gae_sums_illegal_RAW_WIDTH_must_be_18_to_24)
    `RLC_CHECK(CNT_WIDTH > LOG + 1 && SUM_WIDTH > WSUM && SQR_WIDTH > WSQR && SQR_WIDTH > SPLIT,
               rlc_gae_sums_illegal_the_sums_are_too_narrow_for_one_beat)

    // Where a beat is, stage by stage: bit k for stage k+1.
    reg [STAGES-1:0] valid_q;
    always @(posedge clk)
        if (rst) valid_q <= {STAGES{1'b0}};
        else     valid_q <= {valid_q[STAGES-2:0], s_valid};
    assign busy = |valid_q;

    // Stage 1: what does not count becomes 0.
    reg  [BEAT*RAW_WIDTH-1:0] x_q;
    reg  [BEAT-1:0]           take_s1;
    wire [BEAT-1:0]           take = s_take & {BEAT{s_valid}};
    always @(posedge clk) take_s1 <= rst ? {BEAT{1'b0}} : take;

    // Stage 2: how many count. Stage 3: whether the count takes them. It runs ahead of the sums.
    reg  [LOG+1:0] ones;
    reg  [LOG+1:0] ones_s2;
    integer i;
    always @(*) begin
        ones = {(LOG+2){1'b0}};
        for (i = 0; i < BEAT; i = i + 1) ones = ones + {{(LOG+1){1'b0}}, take_s1[i]};
    end
    always @(posedge clk) ones_s2 <= rst ? {(LOG+2){1'b0}} : ones;

    reg                  full_q;
    reg                  add_s3;

    // What mark kept comes back through the adders: undo empties the sums, a clock later they take it.
    reg                 undo_q;
    reg [CNT_WIDTH-1:0] n_kept_q;
    reg [SUM_WIDTH-1:0] sum_kept_q;
    reg [SQR_WIDTH-1:0] sqr_kept_q;
    reg                 full_kept_q;
    wire                forget = rst || clear || undo;
    always @(posedge clk) begin
        undo_q <= undo && !rst;
        if (mark) begin
            n_kept_q    <= n;
            sum_kept_q  <= sum;
            sqr_kept_q  <= sqr;
            full_kept_q <= full_q;
        end
    end

    wire [CNT_WIDTH:0]   n_more = undo_q ? {1'b0, n_kept_q} : {{(CNT_WIDTH-LOG-1){1'b0}}, ones_s2};
    wire [CNT_WIDTH:0]   n_next = {1'b0, n} + n_more;
    wire                 refuse = full_q || n_next[CNT_WIDTH];
    always @(posedge clk)
        if (forget) begin
            n      <= {CNT_WIDTH{1'b0}};
            full_q <= 1'b0;
            add_s3 <= 1'b0;
            full   <= 1'b0;
        end else begin
            if (!refuse) n <= n_next[CNT_WIDTH-1:0];
            full_q <= undo_q ? full_kept_q : refuse;
            add_s3 <= !refuse && valid_q[1];
            full   <= refuse && |ones_s2;
        end

    // Stages 1 to 4: squares, x*x = x*low + (x*high << 17), the second slice a clock behind the first.
    // Stages from 1 (sum) and 4 (squares): adder trees, a heap whose leaves are the numbers.
    wire [(2*BEAT-1)*WSUM-1:0] sum_node;
    wire [(2*BEAT-1)*WSQR-1:0] sqr_node;
    genvar g;
    for (g = 0; g < BEAT; g = g + 1) begin : g_square
        wire signed [RAW_WIDTH-1:0] x = s_data[g*RAW_WIDTH +: RAW_WIDTH] & {RAW_WIDTH{take[g]}};
        wire signed [RAW_WIDTH-1:0] x_s1 = x_q[g*RAW_WIDTH +: RAW_WIDTH];
        wire signed [PART-1:0]      low_s3;
        wire signed [SQ-LOW:0]      high_s4;
        reg         [LOW-1:0]       low_s4;
        wire        [0:0]           unused = high_s4[SQ-LOW];  // a square is not negative
        always @(posedge clk) x_q[g*RAW_WIDTH +: RAW_WIDTH] <= x;
        rlc_mac #(
            .A_WIDTH(RAW_WIDTH), .B_WIDTH(LOW + 1), .C_WIDTH(PART), .P_WIDTH(PART),
            .A_REG(1), .B_REG(1), .C_REG(0), .M_REG(1)
        ) u_low (
            .clk(clk), .a(x), .b({1'b0, x[LOW-1:0]}), .c({PART{1'b0}}),
            .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(low_s3)
        );
        rlc_mac #(
            .A_WIDTH(RAW_WIDTH), .B_WIDTH(HIGH), .C_WIDTH(PART - LOW), .P_WIDTH(SQ - LOW + 1),
            .A_REG(1), .B_REG(1), .C_REG(0), .M_REG(1)
        ) u_high (
            .clk(clk), .a(x_s1), .b(x_s1[RAW_WIDTH-1:LOW]), .c(low_s3[PART-1:LOW]),
            .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(high_s4)
        );
        always @(posedge clk) low_s4 <= low_s3[LOW-1:0];
        assign sum_node[(BEAT-1+g)*WSUM +: WSUM] = {{(LOG+1){x_s1[RAW_WIDTH-1]}}, x_s1};
        assign sqr_node[(BEAT-1+g)*WSQR +: WSQR] = {{(LOG+1){1'b0}}, high_s4[SQ-LOW-1:0], low_s4};
    end
    for (g = 0; g < BEAT - 1; g = g + 1) begin : g_tree
        reg [WSUM-1:0] sum_q;
        reg [WSQR-1:0] sqr_q;
        always @(posedge clk) begin
            sum_q <= sum_node[(2*g+1)*WSUM +: WSUM] + sum_node[(2*g+2)*WSUM +: WSUM];
            sqr_q <= sqr_node[(2*g+1)*WSQR +: WSQR] + sqr_node[(2*g+2)*WSQR +: WSQR];
        end
        assign sum_node[g*WSUM +: WSUM] = sum_q;
        assign sqr_node[g*WSQR +: WSQR] = sqr_q;
    end

    // The decision waits for the sum, if that is later, and for the sum of squares.
    localparam WAIT = SQRS - CHOICE;
    reg  [WAIT-1:0] add_wait_q;
    wire [WAIT:0]   add = {add_wait_q, add_s3};  // bit k in stage CHOICE + k
    always @(posedge clk)
        if (forget) add_wait_q <= {WAIT{1'b0}};
        else        add_wait_q <= add[WAIT-1:0];
    wire            add_sum = add[ADDS-CHOICE];
    wire            add_sqr = add[WAIT];
    wire [WSUM-1:0] sum_beat;
    rlc_delay #(.WIDTH(WSUM), .CLOCKS(ADDS - SUMS)) u_sum (.clk(clk), .d(sum_node[WSUM-1:0]), .q(sum_beat));
    wire [SQR_WIDTH-1:0] sqr_beat = {{(SQR_WIDTH-WSQR){1'b0}}, sqr_node[WSQR-1:0]};

    // Last two stages: accumulate; the upper part of the squares a clock after the lower one.
    reg [SPLIT-1:0]           low_q;
    reg                       carry_q;
    reg [SQR_WIDTH-SPLIT-1:0] high_beat_q;
    reg [SQR_WIDTH-SPLIT-1:0] high_q;
    wire [SUM_WIDTH-1:0] sum_more = undo_q ? sum_kept_q : {{(SUM_WIDTH-WSUM){sum_beat[WSUM-1]}}, sum_beat};
    wire [SPLIT-1:0]     low_more = undo_q ? sqr_kept_q[SPLIT-1:0] : sqr_beat[SPLIT-1:0];
    wire [SQR_WIDTH-SPLIT-1:0] high_more = undo_q ? sqr_kept_q[SQR_WIDTH-1:SPLIT] : high_beat_q;
    always @(posedge clk)
        if (forget) begin
            sum         <= {SUM_WIDTH{1'b0}};
            low_q       <= {SPLIT{1'b0}};
            carry_q     <= 1'b0;
            high_beat_q <= {(SQR_WIDTH-SPLIT){1'b0}};
            high_q      <= {(SQR_WIDTH-SPLIT){1'b0}};
        end else begin
            if (add_sum || undo_q) sum <= sum + sum_more;
            carry_q     <= 1'b0;
            high_beat_q <= {(SQR_WIDTH-SPLIT){1'b0}};
            if (add_sqr || undo_q) {carry_q, low_q} <= {1'b0, low_q} + {1'b0, low_more};
            if (add_sqr)           high_beat_q      <= sqr_beat[SQR_WIDTH-1:SPLIT];
            high_q <= high_q + high_more + {{(SQR_WIDTH-SPLIT-1){1'b0}}, carry_q};
        end
    assign sqr = {high_q, low_q};
endmodule
`default_nettype wire
