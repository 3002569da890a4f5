// rlc_sumtree_slots.v — turns operations on slots into writes and reads of leaves, or refuses them.
// SPDX-License-Identifier: Apache-2.0
//
// op_*       an operation, one a clock; never stalls
// tree_*     what the tree is to do, and what the answer will say, two clocks later. A generation is the slot's after
//            the operation; ev_* are the refused ones
// largest    the largest priority carried out since the clear, cfg_initial at first
//
// kind       UPDATE, COMMIT, READ   slot op_index; COMMIT, and UPDATE with op_check, need the slot's generation
//            INSERT, RESERVE        the next slot; RESERVE leaves it with priority 0, so that it cannot be sampled
//            CLEAR                  forgets all slots; the sweep of the memories is the caller's
`default_nettype none
module rlc_sumtree_slots #(
    parameter INDEX_WIDTH      = 12, // bits of a slot's number
    parameter PRIORITY_WIDTH   = 18, // bits of a priority
    parameter GENERATION_WIDTH = 8,  // 0: no tags, nothing is stale
    parameter TAG_WIDTH        = (GENERATION_WIDTH > 0) ? GENERATION_WIDTH : 1 // derived, leave it alone
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire [INDEX_WIDTH:0]      cfg_limit,
    input  wire [PRIORITY_WIDTH-1:0] cfg_initial,

    input  wire                      op_valid,
    input  wire [2:0]                op_kind,
    input  wire                      op_takes,   // op_valid, and the kind is INSERT or RESERVE
    input  wire                      op_clears,  // op_valid, and the kind is CLEAR
    input  wire                      op_check,
    input  wire                      op_max,
    input  wire                      op_beyond,
    input  wire [INDEX_WIDTH-1:0]    op_index,
    input  wire [TAG_WIDTH-1:0]      op_generation,
    input  wire [PRIORITY_WIDTH-1:0] op_priority,

    output reg                       tree_valid,
    output reg                       tree_write,
    output reg                       tree_read,
    output reg                       tree_advance,
    output reg                       tree_clear,
    output reg  [2:0]                tree_kind,
    output reg  [1:0]                tree_status,
    output reg  [INDEX_WIDTH-1:0]    tree_index,
    output reg  [TAG_WIDTH-1:0]      tree_generation,
    output reg  [PRIORITY_WIDTH-1:0] tree_priority,

    output reg                       ev_stale,
    output reg                       ev_range,
    output reg                       ev_kind,
    output wire [INDEX_WIDTH-1:0]    next,
    output wire                      full,
    output wire [INDEX_WIDTH:0]      capacity,
    output reg  [PRIORITY_WIDTH-1:0] largest
);
    `include "rlc_sumtree_kinds.vh"

    localparam TAGGED = GENERATION_WIDTH > 0;

    // First clock: the ring moves on, and what the operation asks is compared. Whether slots are taken or given up is
    // told by the kind alone, so the next operation finds the ring as it should be.
    wire names = op_kind == OP_UPDATE || op_kind == OP_COMMIT || op_kind == OP_READ;

    wire [TAG_WIDTH-1:0] present;  // generation of op_index
    wire [TAG_WIDTH-1:0] lap, ahead;
    rlc_sumtree_ring #(.INDEX_WIDTH(INDEX_WIDTH), .GENERATION_WIDTH(TAG_WIDTH)) u_ring (
        .clk(clk), .rst(rst),
        .advance(op_takes), .clear(op_clears), .limit(cfg_limit),
        .index(op_index), .generation(present), .next(next), .lap(lap), .ahead(ahead), .full(full), .capacity(capacity)
    );

    reg                      valid_s1, takes_s1, clears_s1, reads_s1, gives_s1, known_s1, beyond_s1;
    reg                      checks_s1, behind_s1;
    reg                      is_lap_s1;    // the tag that came is lap
    reg                      is_ahead_s1;  // the tag that came is ahead
    reg                      max_s1;
    reg [2:0]                kind_s1;
    reg [INDEX_WIDTH-1:0]    index_s1;
    reg [TAG_WIDTH-1:0]      generation_s1;
    reg [PRIORITY_WIDTH-1:0] priority_s1;
    always @(posedge clk) begin
        valid_s1      <= op_valid && !rst;
        takes_s1      <= op_takes && !rst;
        clears_s1     <= op_clears && !rst;
        reads_s1      <= op_kind == OP_READ;
        gives_s1      <= op_kind == OP_UPDATE || op_kind == OP_COMMIT || op_kind == OP_INSERT;
        known_s1      <= op_takes || names || op_clears;
        beyond_s1     <= names && (op_beyond || {1'b0, op_index} >= capacity);
        checks_s1     <= TAGGED && (op_kind == OP_COMMIT || (op_kind == OP_UPDATE && op_check));
        behind_s1     <= op_index < next;
        is_lap_s1     <= op_generation == lap;
        is_ahead_s1   <= op_generation == ahead;
        max_s1        <= op_max;
        kind_s1       <= op_kind;
        index_s1      <= op_takes ? next : op_clears ? {INDEX_WIDTH{1'b0}} : op_index;
        generation_s1 <= op_takes ? ahead : present;
        priority_s1   <= op_priority;
    end

    // Second clock: whether the operation is carried out, and the priority it gives.
    wire stale = checks_s1 && !(behind_s1 ? is_ahead_s1 : is_lap_s1);
    wire [1:0] status = !known_s1 ? OP_KIND : beyond_s1 ? OP_RANGE : stale ? OP_STALE : OP_OK;
    wire done = valid_s1 && known_s1 && !beyond_s1 && !stale;

    // The largest priority cannot be passed by an operation that asks for it.
    wire [PRIORITY_WIDTH-1:0] given = !gives_s1 ? {PRIORITY_WIDTH{1'b0}} : max_s1 ? largest : priority_s1;
    always @(posedge clk)
        if (rst || clears_s1)                              largest <= cfg_initial;
        else if (done && gives_s1 && !max_s1 && priority_s1 > largest) largest <= priority_s1;

    // The tree's clock 0.
    always @(posedge clk) begin
        tree_valid   <= valid_s1 && !rst;
        tree_write   <= done && (gives_s1 || takes_s1) && !rst;
        tree_read    <= done && reads_s1 && !rst;
        tree_advance <= takes_s1 && !rst;
        tree_clear   <= clears_s1 && !rst;
        ev_stale     <= valid_s1 && status == OP_STALE && !rst;
        ev_range     <= valid_s1 && status == OP_RANGE && !rst;
        ev_kind      <= valid_s1 && status == OP_KIND && !rst;
    end

    always @(posedge clk) begin
        tree_kind       <= kind_s1;
        tree_status     <= status;
        tree_index      <= index_s1;
        tree_priority   <= given;
        tree_generation <= (TAGGED && !clears_s1 && known_s1 && !beyond_s1) ? generation_s1 : {TAG_WIDTH{1'b0}};
    end

endmodule
`default_nettype wire
