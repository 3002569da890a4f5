// rlc_replay_sampler.v — asks the tree for batches, D ahead of the updates, and keeps the answers until they are read.
// SPDX-License-Identifier: Apache-2.0
//
// BATCH_MAX, AHEAD_MAX    longest batch, largest D: (AHEAD_MAX + 1) * BATCH_MAX answers find room
//
// start        pulse: cfg_steps batches of cfg_batch samples are asked for (0: until `stop`)
// stop         pulse: no further batch begins; one that has begun is asked for to its end. It wins over `start`
// flush        pulse: no batch is ahead, and no answer is on its way
// enough       there are experiences to sample
// updated      pulse: all updates of a batch have been taken by the tree
// cfg_*        stand still from start until `running`, `sampling` and `ahead` are 0
// m_sample_*   requests, all alike
// s_answer_*   the answers, in order; always taken. One that nobody asked for is ignored
// m_tag_*      the answers, short: {void, last, weight ufix(18,17), generation, index}; void: it has no slot
// running      further batches will begin; sampling: a batch is being asked for; ahead: batches asked for, not updated
// may_update   the next batch may be updated: more than D batches are ahead, or none begins any more. With D batches
//              ahead the order is S(0) .. S(D), U(0), S(D+1), U(1), ...: S(n) begins with at most D ahead and U(k) with
//              D + 1, so never both
// sampled      requests taken, modulo 2^32
// ev_*         pulses: a request is taken, a batch's last one is, an answer came, it was void, its TLAST was not where the batch ends
`default_nettype none
module rlc_replay_sampler #(
    parameter INDEX_WIDTH = 12, // bits of a slot's number
    parameter TAG_WIDTH   = 8,  // bits of its generation
    parameter BATCH_MAX   = 64, // longest batch
    parameter AHEAD_MAX   = 4,  // largest D
    parameter WIDTH       = 2 + 18 + TAG_WIDTH + INDEX_WIDTH, // derived, leave it alone
    parameter AHEAD_WIDTH = $clog2(AHEAD_MAX + 2)             // derived, leave it alone
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   start,
    input  wire                   stop,
    input  wire                   flush,
    input  wire                   enough,
    input  wire                   updated,
    input  wire [15:0]            cfg_batch,
    input  wire [31:0]            cfg_steps,
    input  wire [AHEAD_WIDTH-1:0] cfg_ahead,
    output wire                   m_sample_valid,
    input  wire                   m_sample_ready,
    input  wire                   s_answer_valid,
    input  wire [INDEX_WIDTH-1:0] s_answer_index,
    input  wire [TAG_WIDTH-1:0]   s_answer_generation,
    input  wire [31:0]            s_answer_weight,
    input  wire [1:0]             s_answer_status,
    input  wire                   s_answer_last,
    output wire                   m_tag_valid,
    input  wire                   m_tag_ready,
    output wire [WIDTH-1:0]       m_tag,
    output reg                    running,
    output reg                    sampling,
    output reg  [AHEAD_WIDTH-1:0] ahead,
    output wire                   waiting,
    output wire                   may_update,
    output reg  [31:0]            sampled,
    output wire                   ev_sample,
    output wire                   ev_batch,
    output wire                   ev_answer,
    output wire                   ev_empty,
    output wire                   ev_mismatch
);
    localparam PLACES = (AHEAD_MAX + 1) * BATCH_MAX;
    localparam DEPTH  = (PLACES > 4) ? PLACES : 4;
    localparam SLOT   = TAG_WIDTH + INDEX_WIDTH;
    localparam [AHEAD_WIDTH-1:0] ONE = 1;

    // ---- requests
    reg         forever_q;
    reg  [31:0] steps_q;      // batches still to begin
    reg         last_step_q;  // the batch being asked for is the last one
    reg  [15:0] remaining_q;  // its requests still to be taken
    wire        begins = running && !stop && !sampling && enough && ahead <= cfg_ahead;
    wire        taken  = m_sample_valid && m_sample_ready;
    wire        ends   = taken && remaining_q == 16'd1;
    always @(posedge clk) begin
        if (rst) begin
            running    <= 1'b0;
            sampling   <= 1'b0;
            ahead      <= {AHEAD_WIDTH{1'b0}};
            sampled    <= 32'd0;
        end else begin
            if (stop || (ends && last_step_q)) running <= 1'b0;
            else if (start)                    running <= 1'b1;
            sampling   <= begins || (sampling && !ends);
            if (flush)                ahead <= {AHEAD_WIDTH{1'b0}};
            else if (ends && !updated) ahead <= ahead + ONE;
            else if (updated && !ends) ahead <= ahead - ONE;
            sampled    <= sampled + {31'd0, taken};
        end
    end
    always @(posedge clk) begin
        if (start) begin
            forever_q <= cfg_steps == 32'd0;
            steps_q   <= cfg_steps;
        end else if (begins) begin
            steps_q   <= steps_q - 32'd1;
        end
        if (begins) last_step_q <= !forever_q && steps_q == 32'd1;
        if (begins)     remaining_q <= cfg_batch;
        else if (taken) remaining_q <= remaining_q - 16'd1;
    end
    assign m_sample_valid = sampling;
    assign ev_sample      = taken;
    assign ev_batch       = ends;
    assign may_update     = ahead > cfg_ahead || !(running || sampling);

    // ---- answers. Stage 1: as they came, if they were asked for.
    reg  [16:0]     waiting_q;   // requests without an answer
    reg             valid_s1, void_s1, last_s1;
    reg  [SLOT-1:0] slot_s1;
    reg  [18:0]     weight_s1;   // ufix(19,18): a bit more than is kept
    wire            takes = s_answer_valid && waiting_q != 17'd0;
    always @(posedge clk) begin
        if (rst) begin
            waiting_q <= 17'd0;
            valid_s1  <= 1'b0;
        end else begin
            waiting_q <= flush ? 17'd0 : waiting_q + {16'd0, taken} - {16'd0, takes};
            valid_s1  <= takes;
        end
    end
    always @(posedge clk) begin
        void_s1   <= s_answer_status != 2'd0;
        last_s1   <= s_answer_last;
        slot_s1   <= {s_answer_generation, s_answer_index};
        weight_s1 <= s_answer_weight[31:13];
    end
    assign waiting   = waiting_q != 17'd0;
    assign ev_answer = valid_s1;

    // Stage 2: the weight rounded half up; where the batch ends.
    reg             valid_s2;
    reg [WIDTH-1:0] tag_s2;
    reg [15:0]      place_q;     // of the answer in its batch
    reg             empty_q, mismatch_q;
    wire            last = place_q == cfg_batch - 16'd1;
    always @(posedge clk) begin
        if (rst) begin
            valid_s2   <= 1'b0;
            place_q    <= 16'd0;
            empty_q    <= 1'b0;
            mismatch_q <= 1'b0;
        end else begin
            valid_s2   <= valid_s1;
            if (flush) place_q <= 16'd0;
            else if (valid_s1) place_q <= last ? 16'd0 : place_q + 16'd1;
            empty_q    <= valid_s1 && void_s1;
            mismatch_q <= valid_s1 && last != last_s1;
        end
    end
    wire [17:0] weight = weight_s1[18:1] + {17'd0, weight_s1[0]};
    always @(posedge clk) tag_s2 <= {void_s1, last, weight, slot_s1};
    assign ev_empty    = empty_q;
    assign ev_mismatch = mismatch_q;

    // Room for everything ahead. The slice keeps the RAM's late output out of what follows.
    wire             queue_valid, slice_ready;
    wire [WIDTH-1:0] queue;
    rlc_queue #(.WIDTH(WIDTH), .DEPTH(DEPTH), .STYLE("block")) u_tags (
        .clk(clk), .rst(rst), .s_valid(valid_s2), .s_data(tag_s2),
        .m_valid(queue_valid), .m_ready(slice_ready), .m_data(queue)
    );
    rlc_skid #(.WIDTH(WIDTH)) u_slice (
        .clk(clk), .rst(rst), .s_valid(queue_valid), .s_ready(slice_ready), .s_data(queue),
        .m_valid(m_tag_valid), .m_ready(m_tag_ready), .m_data(m_tag)
    );
    wire unused = &{1'b0, s_answer_weight[12:0]};
endmodule
`default_nettype wire
