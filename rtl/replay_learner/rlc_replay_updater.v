// rlc_replay_updater.v — |TD error| of every record back to the slot that it was sampled from.
// SPDX-License-Identifier: Apache-2.0
//
// BATCH_MAX, AHEAD_MAX    longest batch, largest D: room for (AHEAD_MAX + 1) * BATCH_MAX tags
// HELD         1: room for the priorities of AHEAD_MAX batches too, so that none is refused while may_update is low, and
//              the learner goes on to the end of what was sampled. For who samples only when something else is stored
//
// s_tag_*      {none, last, generation, index} of every record, in order; never refused
// s_prio_*     |TD error| of every record with a priority, in order, and 0 with `last` for a batch's last without one
// may_update   updates of the next batch may begin; it stays so while they go on
// m_op_*       an update a record with a priority, in order
// under_way    an update that was handed over has not been taken by the tree
// updated      pulse: all updates of a batch have been taken
// ev_mismatch  pulse: the learner's batch does not end where the sampled one does
// latency      HELD: 1 or 2 clocks more
// throughput   an update a clock; 2 clocks and the way to the tree between two batches
`default_nettype none
module rlc_replay_updater #(
    parameter INDEX_WIDTH = 12, // bits of a slot's number
    parameter TAG_WIDTH   = 8,  // bits of its generation
    parameter BATCH_MAX   = 64, // longest batch
    parameter AHEAD_MAX   = 4,  // largest D
    parameter HELD        = 0,  // 0 or 1
    parameter WIDTH       = 2 + TAG_WIDTH + INDEX_WIDTH // derived, leave it alone
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   s_tag_valid,
    input  wire [WIDTH-1:0]       s_tag,
    input  wire                   s_prio_valid,
    output wire                   s_prio_ready,
    input  wire [31:0]            s_prio_data,
    input  wire                   s_prio_last,
    input  wire                   may_update,
    output wire                   m_op_valid,
    input  wire                   m_op_ready,
    output wire [INDEX_WIDTH-1:0] m_op_index,
    output wire [TAG_WIDTH-1:0]   m_op_generation,
    output wire [31:0]            m_op_value,
    input  wire                   under_way,
    output wire                   updated,
    output wire                   ev_mismatch
);
    localparam PLACES = (AHEAD_MAX + 1) * BATCH_MAX;
    localparam DEPTH  = (PLACES > 4) ? PLACES : 4;

    wire             queue_valid, slice_ready;
    wire [WIDTH-1:0] queue;
    wire             tag_valid, tag_ready;
    wire             none, last;
    rlc_queue #(.WIDTH(WIDTH), .DEPTH(DEPTH), .STYLE("block")) u_tags (
        .clk(clk), .rst(rst), .s_valid(s_tag_valid), .s_data(s_tag),
        .m_valid(queue_valid), .m_ready(slice_ready), .m_data(queue)
    );
    rlc_skid #(.WIDTH(WIDTH)) u_tag (
        .clk(clk), .rst(rst), .s_valid(queue_valid), .s_ready(slice_ready), .s_data(queue),
        .m_valid(tag_valid), .m_ready(tag_ready), .m_data({none, last, m_op_generation, m_op_index})
    );
    wire        held_valid, held_ready;
    wire [32:0] held;
    localparam ROOM = AHEAD_MAX * BATCH_MAX;
    if (HELD != 0 && ROOM > 0) begin : g_held
        rlc_fifo #(.WIDTH(33), .DEPTH((ROOM > 2) ? ROOM : 2), .STYLE((ROOM > 64) ? "block" : "distributed")) u_held (
            .clk(clk), .rst(rst),
            .s_valid(s_prio_valid), .s_ready(s_prio_ready), .s_data({s_prio_last, s_prio_data}),
            .m_valid(held_valid), .m_ready(held_ready), .m_data(held), .count()
        );
        // At most D batches are here then; the clocks of and behind a reset are not meant.
        reg rst_q;
        always @(posedge clk) rst_q <= rst;
        rlc_assert_never u_never (
            .clk(clk), .rst(rst || rst_q), .bad(s_prio_valid && !s_prio_ready && !may_update)
        );
    end else begin : g_held
        assign {held_valid, held, s_prio_ready} = {s_prio_valid, s_prio_last, s_prio_data, held_ready};
    end
    wire prio_valid, prio_ready, prio_last;
    rlc_skid #(.WIDTH(33)) u_prio (
        .clk(clk), .rst(rst), .s_valid(held_valid), .s_ready(held_ready), .s_data(held),
        .m_valid(prio_valid), .m_ready(prio_ready), .m_data({prio_last, m_op_value})
    );

    // A batch closes behind its last record; until its updates are with the tree, the next one waits.
    reg  closing_q;
    wire go     = may_update && !closing_q && tag_valid;
    wire alone  = go && none && !last;                   // the learner gives nothing for it
    wire both   = go && none && last && prio_valid;      // it gives a 0, for the sake of `last`
    wire update = m_op_valid && m_op_ready;
    assign m_op_valid = go && !none && prio_valid;
    assign tag_ready  = alone || both || update;
    assign prio_ready = both || update;
    assign updated    = closing_q && !under_way;
    reg  mismatch_q;
    always @(posedge clk) begin
        if (rst) closing_q <= 1'b0;
        else     closing_q <= (tag_ready && last) || (closing_q && under_way);
        mismatch_q <= prio_ready && prio_last != last && !rst;
    end
    assign ev_mismatch = mismatch_q;
endmodule
`default_nettype wire
