// rlc_sumtree_slots.v — turns operations on slots into writes and reads of leaves, or refuses them.
//
// op_*       an operation, one a clock; never stalls
// tree_*     what the tree is to do, and what the answer will say, one clock later. A generation is the slot's after
//            the operation; ev_* are the refused ones
// largest    the largest priority carried out since the clear, cfg_initial at first
//
// kind       UPDATE, COMMIT, READ   slot op_index; COMMIT, and UPDATE with op_check, need the slot's generation
//            INSERT, RESERVE        the next slot; RESERVE leaves it with priority 0, so that it cannot be sampled
//            CLEAR                  forgets all slots; the sweep of the memories is the caller's
`default_nettype none
module rlc_sumtree_slots #(
    parameter INDEX_WIDTH      = 12,
    parameter PRIORITY_WIDTH   = 18,
    parameter GENERATION_WIDTH = 8,   // 0: no tags, nothing is stale
    parameter TAG_WIDTH        = (GENERATION_WIDTH > 0) ? GENERATION_WIDTH : 1
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire [INDEX_WIDTH:0]      cfg_limit,
    input  wire [PRIORITY_WIDTH-1:0] cfg_initial,

    input  wire                      op_valid,
    input  wire [2:0]                op_kind,
    input  wire                      op_check,
    input  wire                      op_max,
    input  wire                      op_beyond,
    input  wire [INDEX_WIDTH-1:0]    op_index,
    input  wire [TAG_WIDTH-1:0]      op_generation,
    input  wire [PRIORITY_WIDTH-1:0] op_priority,

    output wire                      tree_valid,
    output wire                      tree_write,
    output wire                      tree_read,
    output wire                      tree_advance,
    output wire                      tree_clear,
    output wire [2:0]                tree_kind,
    output wire [1:0]                tree_status,
    output wire [INDEX_WIDTH-1:0]    tree_index,
    output wire [TAG_WIDTH-1:0]      tree_generation,
    output wire [PRIORITY_WIDTH-1:0] tree_priority,

    output wire                      ev_stale,
    output wire                      ev_range,
    output wire                      ev_kind,
    output wire [INDEX_WIDTH-1:0]    next,
    output wire                      full,
    output wire [INDEX_WIDTH:0]      capacity,
    output wire [PRIORITY_WIDTH-1:0] largest
);
    `include "rlc_sumtree_kinds.vh"

    localparam TAGGED = GENERATION_WIDTH > 0;

    // Which slot, and whether the operation is carried out.
    wire takes  = op_kind == OP_INSERT || op_kind == OP_RESERVE;
    wire names  = op_kind == OP_UPDATE || op_kind == OP_COMMIT || op_kind == OP_READ;
    wire clears = op_kind == OP_CLEAR;
    wire gives  = op_kind == OP_UPDATE || op_kind == OP_COMMIT || op_kind == OP_INSERT;
    wire checks = TAGGED && (op_kind == OP_COMMIT || (op_kind == OP_UPDATE && op_check));

    wire [TAG_WIDTH-1:0] present;  // generation of op_index
    wire [TAG_WIDTH-1:0] lap;
    wire beyond = op_beyond || {1'b0, op_index} >= capacity;
    wire stale  = checks && present != op_generation;
    wire [1:0] status = !(takes || names || clears) ? OP_KIND : (names && beyond) ? OP_RANGE : stale ? OP_STALE : OP_OK;
    wire done    = op_valid && status == OP_OK;
    wire advance = done && takes;

    rlc_sumtree_ring #(.INDEX_WIDTH(INDEX_WIDTH), .GENERATION_WIDTH(TAG_WIDTH)) u_ring (
        .clk(clk), .rst(rst),
        .advance(advance), .clear(done && clears), .limit(cfg_limit),
        .index(op_index), .generation(present), .next(next), .lap(lap), .full(full), .capacity(capacity)
    );

    // The priority it gives.
    reg  [PRIORITY_WIDTH-1:0] largest_q;
    wire [PRIORITY_WIDTH-1:0] given = !gives ? {PRIORITY_WIDTH{1'b0}} : op_max ? largest_q : op_priority;
    always @(posedge clk)
        if (rst || (done && clears))         largest_q <= cfg_initial;
        else if (done && given > largest_q)  largest_q <= given;
    assign largest = largest_q;

    // The tree's clock 0.
    reg                      valid_q;
    reg                      write_q;
    reg                      read_q;
    reg                      advance_q;
    reg                      clear_q;
    reg                      stale_q;
    reg                      range_q;
    reg                      kind_error_q;
    always @(posedge clk) begin
        valid_q      <= op_valid && !rst;
        write_q      <= done && (gives || takes) && !rst;
        read_q       <= done && op_kind == OP_READ && !rst;
        advance_q    <= advance && !rst;
        clear_q      <= done && clears && !rst;
        stale_q      <= op_valid && status == OP_STALE && !rst;
        range_q      <= op_valid && status == OP_RANGE && !rst;
        kind_error_q <= op_valid && status == OP_KIND && !rst;
    end

    reg [2:0]                kind_q;
    reg [1:0]                status_q;
    reg [INDEX_WIDTH-1:0]    index_q;
    reg [TAG_WIDTH-1:0]      generation_q;
    reg [PRIORITY_WIDTH-1:0] priority_q;
    always @(posedge clk) begin
        kind_q     <= op_kind;
        status_q   <= status;
        index_q    <= takes ? next : clears ? {INDEX_WIDTH{1'b0}} : op_index;
        priority_q <= given;
        if (!TAGGED || clears || status == OP_RANGE || status == OP_KIND) generation_q <= {TAG_WIDTH{1'b0}};
        else if (takes)                                                   generation_q <= lap + 1'b1;
        else                                                              generation_q <= present;
    end

    assign tree_valid      = valid_q;
    assign tree_write      = write_q;
    assign tree_read       = read_q;
    assign tree_advance    = advance_q;
    assign tree_clear      = clear_q;
    assign tree_kind       = kind_q;
    assign tree_status     = status_q;
    assign tree_index      = index_q;
    assign tree_generation = generation_q;
    assign tree_priority   = priority_q;
    assign ev_stale        = stale_q;
    assign ev_range        = range_q;
    assign ev_kind         = kind_error_q;
endmodule
`default_nettype wire
