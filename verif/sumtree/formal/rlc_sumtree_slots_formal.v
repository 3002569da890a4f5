// rlc_sumtree_slots_formal.v — which operations are carried out, and that a tag is stale exactly when it is.
// SPDX-License-Identifier: Apache-2.0
//
// Beside the unit stands a counter for each slot: how often it was overwritten, modulo 2^G. A clear counts as one more
// time for the slots that this lap has reached and as two for the others: so it changes every slot's, and they are
// equal again. A runtime capacity of 1 to 4 in a tree of 4 leaves has slots that no operation may touch; theirs count
// the laps, for the day when a clear brings them in. The last part ties the
// counters to the register of laps in rlc_sumtree_ring, so that the induction holds.
`default_nettype none
module rlc_sumtree_slots_formal (
    input wire       clk,
    input wire       rst,
    input wire [2:0] cfg_limit,
    input wire       op_valid,
    input wire [2:0] op_kind,
    input wire       op_check,
    input wire       op_max,
    input wire       op_beyond,
    input wire [1:0] op_index,
    input wire [2:0] op_generation,
    input wire [1:0] op_priority
);
    `include "rlc_sumtree_kinds.vh"
    localparam G = 3;
    (* anyconst *) wire [1:0] cfg_initial;

    wire         tree_valid, tree_write, tree_read, tree_advance, tree_clear;
    wire [2:0]   tree_kind;
    wire [1:0]   tree_status;
    wire [1:0]   tree_index;
    wire [G-1:0] tree_generation;
    wire [1:0]   tree_priority;
    wire         ev_stale, ev_range, ev_kind;
    wire [1:0]   next;
    wire         full;
    wire [2:0]   capacity;
    wire [1:0]   largest;
    rlc_sumtree_slots #(.INDEX_WIDTH(2), .PRIORITY_WIDTH(2), .GENERATION_WIDTH(G)) dut (
        .clk(clk), .rst(rst), .cfg_limit(cfg_limit), .cfg_initial(cfg_initial),
        .op_valid(op_valid), .op_kind(op_kind), .op_takes(op_valid && (op_kind == OP_INSERT || op_kind == OP_RESERVE)),
        .op_clears(op_valid && op_kind == OP_CLEAR), .op_check(op_check), .op_max(op_max), .op_beyond(op_beyond),
        .op_index(op_index), .op_generation(op_generation), .op_priority(op_priority),
        .tree_valid(tree_valid), .tree_write(tree_write), .tree_read(tree_read), .tree_advance(tree_advance),
        .tree_clear(tree_clear), .tree_kind(tree_kind), .tree_status(tree_status), .tree_index(tree_index),
        .tree_generation(tree_generation), .tree_priority(tree_priority),
        .ev_stale(ev_stale), .ev_range(ev_range), .ev_kind(ev_kind),
        .next(next), .full(full), .capacity(capacity), .largest(largest)
    );

    // rlc_sumtree gives a limit of 1 to CAPACITY, and takes no operation while it clears.
    reg past = 1'b0;
    reg cleared_1;
    always @(posedge clk) past <= 1'b1;
    always @* begin
        assume (cfg_limit >= 3'd1 && cfg_limit <= 3'd4);
        if (!past) assume (rst);
        if (past && cleared_1) assume (!op_valid);
    end

    // ---- the slots, one by one.
    reg [4*G-1:0] written;          // times that slot i was overwritten
    reg [3:0]     taken;            // slots taken since the clear
    reg [1:0]     place;            // of the next insert
    reg [2:0]     most;             // capacity
    reg [1:0]     greatest;
    integer i;

    wire takes  = op_kind == OP_INSERT || op_kind == OP_RESERVE;
    wire names  = op_kind == OP_UPDATE || op_kind == OP_COMMIT || op_kind == OP_READ;
    wire clears = op_kind == OP_CLEAR;
    wire [G-1:0] present = written[op_index*G +: G];
    wire beyond = op_beyond || op_index >= most;
    wire tagged = op_kind == OP_COMMIT || (op_kind == OP_UPDATE && op_check);
    wire [1:0] status = !(takes || names || clears) ? OP_KIND : names && beyond ? OP_RANGE
                      : names && tagged && present != op_generation ? OP_STALE : OP_OK;
    wire gives  = op_kind == OP_UPDATE || op_kind == OP_COMMIT || op_kind == OP_INSERT;
    wire [1:0] given = !gives ? 2'd0 : op_max ? greatest : op_priority;
    wire done   = op_valid && status == OP_OK;

    always @(posedge clk) begin
        for (i = 0; i < 4; i = i + 1)
            if (rst)                                      written[i*G +: G] <= 0;
            else if (done && clears)                      written[i*G +: G] <= written[i*G +: G] + (i < place ? 3'd1 : 3'd2);
            else if (done && takes && (i == place || (i >= most && place + 3'd1 == most)))
                written[i*G +: G] <= written[i*G +: G] + 3'd1;
        if (rst || (done && clears)) begin
            place    <= 2'd0;
            taken    <= 4'd0;
            most     <= cfg_limit;
            greatest <= cfg_initial;
        end else begin
            if (done && takes) begin
                place <= (place + 3'd1 == most) ? 2'd0 : place + 2'd1;
                taken[place] <= 1'b1;
            end
            if (done && given > greatest) greatest <= given;
        end
    end

    // ---- what must come out, two clocks later.
    wire [1:0]   slot = takes ? place : clears ? 2'd0 : op_index;
    wire [G-1:0] tag  = (clears || status == OP_RANGE || status == OP_KIND) ? {G{1'b0}}
                      : takes ? written[place*G +: G] + 3'd1 : present;
    localparam EXPECTED = 3 + 2 + 2 + G + 2 + 1 + 1;
    reg                valid_1 = 1'b0;
    reg                valid_2 = 1'b0;
    reg [EXPECTED-1:0] expected_1, expected_2;
    reg [1:0]          greatest_1;
    always @(posedge clk) begin
        cleared_1  <= rst || (done && clears);
        valid_1    <= op_valid && !rst;
        valid_2    <= valid_1 && !rst;
        expected_1 <= {op_kind, status, slot, tag, given, done, slot < most};
        expected_2 <= expected_1;
        greatest_1 <= rst ? cfg_initial : greatest;
    end
    wire [2:0]   kind_2;
    wire [1:0]   status_2, slot_2, given_2;
    wire [G-1:0] tag_2;
    wire         done_2, below_2;
    assign {kind_2, status_2, slot_2, tag_2, given_2, done_2, below_2} = expected_2;
    wire takes_2 = kind_2 == OP_INSERT || kind_2 == OP_RESERVE;
    wire gives_2 = kind_2 == OP_UPDATE || kind_2 == OP_COMMIT || kind_2 == OP_INSERT;
    always @* begin
        if (past) begin
            assert (tree_valid == valid_2);
            // What is refused neither writes nor takes a slot, and what writes is below the capacity.
            assert (tree_write == (valid_2 && done_2 && (takes_2 || gives_2)));
            assert (tree_read == (valid_2 && done_2 && kind_2 == OP_READ));
            assert (tree_advance == (valid_2 && takes_2));
            assert (tree_clear == (valid_2 && kind_2 == OP_CLEAR));
            if (tree_write) assert (below_2);
            assert (ev_stale == (valid_2 && status_2 == OP_STALE));
            assert (ev_range == (valid_2 && status_2 == OP_RANGE));
            assert (ev_kind == (valid_2 && status_2 == OP_KIND));
            if (valid_2) begin
                assert (tree_kind == kind_2 && tree_status == status_2);
                assert (tree_index == slot_2);
                assert (tree_generation == tag_2);
            end
            if (tree_write) assert (tree_priority == given_2);
            if (tree_write && kind_2 == OP_RESERVE) assert (tree_priority == 2'd0);
            assert (next == place && capacity == most && largest == greatest_1);
            assert ((full ? capacity : {1'b0, next}) == taken[0] + taken[1] + taken[2] + taken[3]);
        end
    end

    // ---- the lap is what ties it to the unit.
    (* hierconn *) wire [G-1:0] \dut.u_ring.lap ;
    (* hierconn *) wire [G-1:0] \dut.u_ring.ahead ;
    (* hierconn *) wire         \dut.u_ring.only_q ;
    (* hierconn *) wire         \dut.u_ring.last_q ;
    (* hierconn *) wire [2:0]   \dut.u_ring.second_q ;
    always @* begin
        if (past) begin
            assert (most >= 3'd1 && most <= 3'd4 && {1'b0, place} < most);
            for (i = 0; i < 4; i = i + 1) begin
                assert (written[i*G +: G] == ((i < place) ? \dut.u_ring.ahead : \dut.u_ring.lap ));
                assert (taken[i] == (full ? i < most : i < place));
            end
            assert (\dut.u_ring.ahead == \dut.u_ring.lap + 3'd1);
            assert (\dut.u_ring.last_q == (place != 2'd0 && place + 3'd1 == most));
            if (cleared_1) assert (place == 2'd0);
            else           assert (\dut.u_ring.only_q == (most == 3'd1) && \dut.u_ring.second_q == most - 3'd2);
        end
    end

    always @* begin
        cover (past && ev_stale && kind_2 == OP_COMMIT);
        cover (past && full && tree_write && kind_2 == OP_COMMIT && tree_generation == 3'd2);
        cover (past && ev_range);
        cover (past && tree_clear && written[2:0] == 3'd3);
    end
endmodule
`default_nettype wire
