// rlc_sumtree_weight.v — importance weights of sampled answers, relative to the least likely answer of their batch.
// SPDX-License-Identifier: Apache-2.0
//
// cfg_enable      1: weights; 0: every weight is 1.0 and answers pass at once
// cfg_batch       answers in a batch; 0 counts as 1, and with weights more than BATCH_MAX as BATCH_MAX
// cfg_restart     pulse: the count goes to 0. A weighted batch ends with the last answer taken up to and including the
//                 clock of the pulse: its answers get the weights and the m_last of a batch of their number
// cfg_beta        ufix(16,15), 0..1.0 (32768); larger ones are computed as they stand; stable while answers are inside
//                 cfg_enable and cfg_batch count for a batch as they were a clock before its first answer was taken
// s_*, m_*        valid/ready; status 0 has a priority, 1 <= priority <= total; any other has none
// m_weight        ufix(32,31): (P / P_min)^-beta, P = priority/total, P_min the smallest of the batch, so the largest
//                 weight is exactly 1.0 (0x80000000); 0 where the status is not 0 (1.0 when weights are off)
// m_last          with the last answer of a batch
// joint_out, joint_in   with JOINT, weights are those of the batches of several banks: {valid, log2 of the batch's largest weight} a
//                 batch, and {exact, valid, that of all banks'} back, in order (rlc_learners_weights). exact stands still while
//                 answers are inside; with it a weight is total * priority^-beta over that of all banks' largest, since a
//                 bank is drawn from as often as any other, whatever its total. Alone: 0
// latency         a batch's first answer 23 clocks after its last was taken (totals of 17 bits and more), if nothing
//                 waits before it; 4 clocks without weights; one answer a clock sustained, batches back to back
// error           below 2^-18.3. Bound and model: docs/sumtree_maths.md
// cost            4 DSP slices, 3 tables, block RAM for the answers and for their logarithms: 2*BATCH_MAX words (at
//                 least BATCH_MAX + 32) of 4 + W + T + PAYLOAD_WIDTH bits and of 26
`default_nettype none
`include "rlc_check.vh"
`include "rlc_sumtree_words.vh"
module rlc_sumtree_weight #(
    parameter PRIORITY_WIDTH = 18,      // W, bits of a priority, 1..32
    parameter TOTAL_WIDTH    = 30,      // T, bits of a total, W..56
    parameter PAYLOAD_WIDTH  = 1,       // bits that travel with an answer, >= 1
    parameter BATCH_MAX      = 1024,    // largest weighted batch, 1..32768
    parameter STYLE          = "block", // memory of the three tables, as rlc_log2
    parameter JOINT          = 0        // 1: weights of a batch relative to the largest of several banks' batches
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      cfg_enable,
    input  wire [15:0]               cfg_batch,
    input  wire                      cfg_restart,
    input  wire [15:0]               cfg_beta,
    input  wire                      s_valid,
    output wire                      s_ready,
    input  wire [1:0]                s_status,
    input  wire [PRIORITY_WIDTH-1:0] s_priority,
    input  wire [TOTAL_WIDTH-1:0]    s_total,
    input  wire [PAYLOAD_WIDTH-1:0]  s_payload,
    output wire                      m_valid,
    input  wire                      m_ready,
    output wire [1:0]                m_status,
    output wire [PRIORITY_WIDTH-1:0] m_priority,
    output wire [TOTAL_WIDTH-1:0]    m_total,
    output wire [PAYLOAD_WIDTH-1:0]  m_payload,
    output wire [31:0]               m_weight,
    output wire                      m_last,
    input  wire `RLC_SUMTREE_ALL     joint_in,
    output wire `RLC_SUMTREE_OWN     joint_out
);
    `RLC_CHECK(PRIORITY_WIDTH >= 1 && PRIORITY_WIDTH <= 32, rlc_sumtree_weight_illegal_PRIORITY_WIDTH_must_be_1_to_32)
    `RLC_CHECK(TOTAL_WIDTH >= PRIORITY_WIDTH && TOTAL_WIDTH <= 56,
               rlc_sumtree_weight_illegal_TOTAL_WIDTH_must_be_PRIORITY_WIDTH_to_56)
    `RLC_CHECK(PAYLOAD_WIDTH >= 1 && PAYLOAD_WIDTH <= 1024, rlc_sumtree_weight_illegal_PAYLOAD_WIDTH_must_be_1_to_1024)
    `RLC_CHECK(BATCH_MAX >= 1 && BATCH_MAX <= 32768, rlc_sumtree_weight_illegal_BATCH_MAX_must_be_1_to_32768)
    `RLC_CHECK(JOINT == 0 || JOINT == 1, rlc_sumtree_weight_illegal_JOINT_must_be_0_or_1)

    localparam T       = (TOTAL_WIDTH >= PRIORITY_WIDTH && TOTAL_WIDTH <= 56) ? TOTAL_WIDTH : PRIORITY_WIDTH;
    localparam LARGEST = (BATCH_MAX >= 1 && BATCH_MAX <= 32768) ? BATCH_MAX : 1;
    localparam STEPS   = (T <= 4) ? 1 : (T <= 16) ? 2 : 3;
    localparam LOG     = 4 + STEPS;             // clocks of rlc_log2
    localparam OPEN    = 32;                    // batches inside; more than the pipelines hold of batches of one
    localparam ROOM    = 32;                    // answers in the weight pipeline; more than it holds at full rate
    // A batch must fit while the pipelines work on its minimum and the next one already arrives.
    localparam DEPTH   = (LARGEST > OPEN) ? 2 * LARGEST : LARGEST + OPEN;
    localparam FIELDS  = 2 + PRIORITY_WIDTH + T + PAYLOAD_WIDTH;
    localparam COUNT   = $clog2(LARGEST + 1);
    localparam LOG_OUT = $clog2(T + 1) + 20;
    localparam KEPT    = (JOINT != 0) ? `RLC_SUMTREE_LOG : 26; // bits of what is kept of an answer until its batch is complete
    localparam [COUNT-1:0] ONE = 1;

    // ---- Intake: counts batches.
    reg         restart_q;
    reg         cfg_plain_q, plain_q;           // without weights
    reg  [15:0] cfg_last_q, last_q;             // position of a batch's last answer
    reg  [15:0] position_q;
    reg         first_q;                        // position_q is 0: no answer of a batch has been taken
    wire        plain = first_q ? cfg_plain_q : plain_q;
    wire        last  = position_q == (first_q ? cfg_last_q : last_q);
    wire        buffer_ready;
    reg         open_ready_q;
    wire        take  = s_valid && s_ready;

    // A restart works a clock after its pulse and has that clock for itself.
    assign s_ready = buffer_ready && !restart_q && (open_ready_q || !first_q);

    localparam [31:0] LARGEST_WORD = LARGEST;
    wire too_large = cfg_enable && cfg_batch > LARGEST_WORD[15:0];
    always @(posedge clk) begin
        cfg_plain_q <= !cfg_enable;
        cfg_last_q  <= too_large ? LARGEST_WORD[15:0] - 16'd1 : (cfg_batch == 16'd0) ? 16'd0 : cfg_batch - 16'd1;
        if (take && first_q) begin
            plain_q <= cfg_plain_q;
            last_q  <= cfg_last_q;
        end
        restart_q <= cfg_restart && !rst;
        if (rst || restart_q) begin
            first_q    <= 1'b1;
            position_q <= 16'd0;
        end else if (take) begin
            first_q    <= last;
            position_q <= last ? 16'd0 : position_q + 16'd1;
        end
    end

    // Weighted batches between their first answer at the input and their last at the weight pipeline.
    localparam OPEN_WIDTH = $clog2(OPEN + 1);
    reg  [OPEN_WIDTH-1:0] open_q;
    wire opens = take && first_q && !plain;
    wire closes;
    always @(posedge clk)
        if (rst) begin
            open_q       <= {OPEN_WIDTH{1'b0}};
            open_ready_q <= 1'b0;
        end else begin
            open_q       <= (opens && !closes) ? open_q + 1'b1 : (closes && !opens) ? open_q - 1'b1 : open_q;
            open_ready_q <= open_q < OPEN - 1;  // one may open in this clock
        end

    // ---- Buffer of answers, and of the logarithms, which arrive LOG + 1 clocks later in the same order. A register
    // slice follows each, and the complete batches: a memory's output is late in its clock.
    wire              buffer_valid, buffer_pop;
    wire [FIELDS+1:0] buffer;
    wire              head_valid, head_pop;
    wire              head_plain, head_last;
    wire [FIELDS-1:0] head;
    rlc_fifo #(.WIDTH(2 + FIELDS), .DEPTH(DEPTH), .STYLE("block")) u_answers (
        .clk(clk), .rst(rst),
        .s_valid(take), .s_ready(buffer_ready), .s_data({plain, last, s_status, s_priority, s_total[T-1:0], s_payload}),
        .m_valid(buffer_valid), .m_ready(buffer_pop), .m_data(buffer), .count()
    );
    rlc_skid #(.WIDTH(2 + FIELDS)) u_head (
        .clk(clk), .rst(rst),
        .s_valid(buffer_valid), .s_ready(buffer_pop), .s_data(buffer),
        .m_valid(head_valid), .m_ready(head_pop), .m_data({head_plain, head_last, head})
    );

    // Stages 1..LOG: logarithms of priority and total, as wide as each other so that they take the same clocks.
    wire [T:0]         wide_priority = {{(T+1-PRIORITY_WIDTH){1'b0}}, s_priority};
    wire [LOG_OUT-1:0] log_priority, log_total;
    wire               zero_priority, zero_total;
    rlc_log2 #(.IN_WIDTH(T), .STYLE(STYLE)) u_log_priority (
        .clk(clk), .x(wide_priority[T-1:0]), .y(log_priority), .zero(zero_priority)
    );
    rlc_log2 #(.IN_WIDTH(T), .STYLE(STYLE)) u_log_total (
        .clk(clk), .x(s_total[T-1:0]), .y(log_total), .zero(zero_total)
    );
    // Weighted answers and the ends of their batches, beside. A restart comes alone.
    reg  [4*LOG-1:0] beside_q;
    wire log_valid, log_ok, log_last, log_restart;
    assign {log_valid, log_ok, log_last, log_restart} = beside_q[4*LOG-1 -: 4];
    always @(posedge clk)
        if (rst) beside_q <= {(4*LOG){1'b0}};
        else     beside_q <= {beside_q[4*LOG-5:0], take && !plain, s_status == 2'd0, last, restart_q};

    // Stage LOG+1: rarity = -log2(P), not negative. With JOINT, two clocks later, beta times it, or exactly log2 of the weight,
    // above what no answer has.
    wire [25:0]     difference = {{(26-LOG_OUT){1'b0}}, log_total} - {{(26-LOG_OUT){1'b0}}, log_priority};
    wire [KEPT-1:0] kept;
    wire            kept_valid, kept_last, kept_restart;
    reg  signed [17:0] minus_beta_q;
    always @(posedge clk) minus_beta_q <= -$signed({2'b0, cfg_beta});
    if (JOINT != 0) begin : g_kept
        localparam [KEPT-1:0] ABOVE = {1'b1, {(KEPT-1){1'b0}}};
        wire                   exact = joint_in[`RLC_SUMTREE_ALL_EXACT];
        reg  signed [26:0]     log_q;
        reg  [KEPT-1:0]        total_q;
        reg  [11:0]            late_q;          // {valid, ok, last, restart}, three clocks
        wire signed [KEPT:0]   weight_log;
        always @(posedge clk) begin
            log_q   <= exact ? $signed({{(27-LOG_OUT){1'b0}}, log_priority}) : -$signed({1'b0, difference});
            total_q <= ABOVE + (exact ? {{(KEPT-15-LOG_OUT){1'b0}}, log_total, 15'd0} : {KEPT{1'b0}});
            if (rst) late_q <= 12'd0;
            else     late_q <= {late_q[7:0], log_valid, log_ok, log_last, log_restart};
        end
        rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(KEPT + 1), .P_WIDTH(KEPT + 1)) u_power (
            .clk(clk), .a(log_q), .b(minus_beta_q), .c({1'b0, total_q}),
            .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(weight_log)
        );
        wire late_ok;
        assign {kept_valid, late_ok, kept_last, kept_restart} = late_q[11:8];
        assign kept = late_ok ? weight_log[KEPT-1:0] : {KEPT{1'b0}};
        wire unused = &{1'b0, weight_log[KEPT]};
    end else begin : g_kept
        reg [25:0] rarity_q;
        reg [2:0]  late_q;
        always @(posedge clk) begin
            rarity_q <= log_ok ? difference : 26'd0;
            if (rst) late_q <= 3'd0;
            else     late_q <= {log_valid, log_valid && log_last, log_restart};
        end
        assign kept = rarity_q;
        assign {kept_valid, kept_last, kept_restart} = late_q;
    end

    // Behind it: the batch's largest, complete with its last answer.
    reg              fresh_q;                   // no answer of the batch has come this far
    reg              complete_q;
    reg  [KEPT-1:0]  rarest_q;
    reg  [COUNT-1:0] place_q;                   // of the last answer in its batch
    wire             ends = kept_valid && kept_last;
    always @(posedge clk) begin
        if (kept_valid) begin
            if (fresh_q || kept > rarest_q) rarest_q <= kept;
            place_q <= fresh_q ? {COUNT{1'b0}} : place_q + ONE;
        end
        if (rst) begin
            fresh_q    <= 1'b1;
            complete_q <= 1'b0;
        end else begin
            if (ends || kept_restart) fresh_q <= 1'b1;
            else if (kept_valid)      fresh_q <= 1'b0;
            complete_q <= ends || (kept_restart && !fresh_q);
        end
    end

    wire            stored_valid, stored_pop;
    wire [KEPT-1:0] stored;
    wire            rarities_valid;
    wire [KEPT-1:0] rarity;
    rlc_queue #(.WIDTH(KEPT), .DEPTH(DEPTH), .STYLE("block")) u_rarities (
        .clk(clk), .rst(rst), .s_valid(kept_valid), .s_data(kept),
        .m_valid(stored_valid), .m_ready(stored_pop), .m_data(stored)
    );
    rlc_skid #(.WIDTH(KEPT)) u_rarity (
        .clk(clk), .rst(rst),
        .s_valid(stored_valid), .s_ready(stored_pop), .s_data(stored),
        .m_valid(rarities_valid), .m_ready(head_pop && !head_plain), .m_data(rarity)
    );

    // ---- Complete batches: their largest rarity, of all banks with JOINT, and the place of their last answer, from 0.
    wire                  complete_valid, complete_pop;
    wire [KEPT+COUNT-1:0] complete;
    wire                  batch_valid;
    wire [KEPT-1:0]       rarest;
    wire [COUNT-1:0]      batch_last;
    if (JOINT != 0) begin : g_complete
        wire own_valid, all_valid;
        rlc_queue #(.WIDTH(COUNT), .DEPTH(OPEN)) u_batches (
            .clk(clk), .rst(rst), .s_valid(complete_q), .s_data(place_q),
            .m_valid(own_valid), .m_ready(all_valid && complete_pop), .m_data(complete[COUNT-1:0])
        );
        rlc_queue #(.WIDTH(KEPT), .DEPTH(OPEN)) u_joint (
            .clk(clk), .rst(rst), .s_valid(joint_in[`RLC_SUMTREE_ALL_VALID]), .s_data(joint_in[`RLC_SUMTREE_ALL_LOG]),
            .m_valid(all_valid), .m_ready(own_valid && complete_pop), .m_data(complete[COUNT +: KEPT])
        );
        assign complete_valid = own_valid && all_valid;
        assign joint_out[`RLC_SUMTREE_OWN_VALID] = complete_q;
        assign joint_out[`RLC_SUMTREE_OWN_LOG]   = rarest_q;
    end else begin : g_complete
        rlc_queue #(.WIDTH(KEPT + COUNT), .DEPTH(OPEN)) u_batches (
            .clk(clk), .rst(rst), .s_valid(complete_q), .s_data({rarest_q, place_q}),
            .m_valid(complete_valid), .m_ready(complete_pop), .m_data(complete)
        );
        assign joint_out = {`RLC_SUMTREE_OWN_BITS{1'b0}};
        wire unused = &{1'b0, joint_in};
    end
    rlc_skid #(.WIDTH(KEPT + COUNT)) u_batch (
        .clk(clk), .rst(rst),
        .s_valid(complete_valid), .s_ready(complete_pop), .s_data(complete),
        .m_valid(batch_valid), .m_ready(closes), .m_data({rarest, batch_last})
    );

    // ---- Launch: a weighted answer when its batch is complete, any other at once.
    wire             room;
    reg  [COUNT-1:0] launched_q;
    wire             launch_last = launched_q == batch_last;
    wire             launch      = head_pop && !head_plain;
    assign head_pop = head_valid && room && (head_plain || (batch_valid && rarities_valid));
    assign closes   = launch && launch_last;
    always @(posedge clk)
        if (rst)         launched_q <= {COUNT{1'b0}};
        else if (launch) launched_q <= launch_last ? {COUNT{1'b0}} : launched_q + ONE;

    wire              out_valid, out_plain, out_last;
    wire [FIELDS-1:0] out;
    rlc_fifo #(.WIDTH(2 + FIELDS), .DEPTH(ROOM)) u_out (
        .clk(clk), .rst(rst),
        .s_valid(head_pop), .s_ready(room), .s_data({head_plain, head_plain ? head_last : launch_last, head}),
        .m_valid(out_valid), .m_ready(m_valid && m_ready), .m_data({out_plain, out_last, out}), .count()
    );

    // Stage 1: distance. Stages 2, 3: -beta * distance; with JOINT beta is in it. Then 8 of rlc_exp2.
    localparam POWER  = (JOINT != 0) ? 1 : 2;
    localparam WEIGHT = 1 + POWER + 8;
    reg  [WEIGHT-1:0]    launch_q;
    reg  signed [KEPT:0] distance_q;
    wire signed [44:0]   product;
    wire signed [35:0]   exponent = product[44:9];
    wire [31:0]          power;
    wire                 saturated;
    always @(posedge clk) begin
        distance_q <= $signed({1'b0, rarest}) - $signed({1'b0, rarity});
        if (rst) launch_q <= {WEIGHT{1'b0}};
        else     launch_q <= {launch_q[WEIGHT-2:0], launch};
    end
    if (JOINT != 0) begin : g_power
        reg signed [44:0] product_q;
        always @(posedge clk) product_q <= 45'sd256 - distance_q;
        assign product = product_q;
    end else begin : g_power
        rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(10), .P_WIDTH(45)) u_power (
            .clk(clk), .a(distance_q), .b(minus_beta_q), .c(10'sd256),
            .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(product)
        );
    end
    rlc_exp2 #(.IN_WIDTH(36), .OUT_WIDTH(32), .OUT_FRAC(31), .STYLE(STYLE)) u_exp2 (
        .clk(clk), .x(exponent), .y(power), .saturated(saturated)
    );

    wire        weight_valid;
    wire [31:0] weight;
    rlc_queue #(.WIDTH(32), .DEPTH(ROOM)) u_weights (
        .clk(clk), .rst(rst), .s_valid(launch_q[WEIGHT-1]), .s_data(power),
        .m_valid(weight_valid), .m_ready(m_valid && m_ready && !out_plain), .m_data(weight)
    );

    assign {m_status, m_priority, m_total, m_payload} = out;
    assign m_valid  = out_valid && (out_plain || weight_valid);
    assign m_last   = out_last;
    assign m_weight = out_plain ? 32'h8000_0000 : (m_status == 2'd0) ? weight : 32'd0;

    wire unused = &{1'b0, wide_priority[T], zero_priority, zero_total, saturated, product[8:0]};
endmodule
`default_nettype wire
