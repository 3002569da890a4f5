// rlc_replay_server_tree.sv — the priorities of a replay server: a sum tree, what it is asked, and when it has settled.
// SPDX-License-Identifier: Apache-2.0
//
// cfg_*        steady from reset on
// s_prio_*     a word with a priority: its kind, and its value; `place` is the slot of an update
// s_look_*     a slot that is looked at, in PH_LIST; in PH_BEGIN s_look_ready says that the tree clears itself
// m_had_*      what it has, in the order of asking; always taken
// loads, seed  pulse: the generator is loaded, and a new batch is drawn if a slot has a priority; none: none has
// m_entry_*    the batch's entries, with their weights; weighed: all have gone
// m_put_*      a slot for the record of a priority, in their order
// settled      all operations are carried out
// ended        pulses, for STAT
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_replay_server_words.vh"
`include "rlc_sumtree_ports.vh"
module rlc_replay_server_tree #(
    `include "rlc_replay_server_parameters.vh"
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire [15:0]               cfg_alpha,
    input  wire [15:0]               cfg_scale,
    input  wire [31:0]               cfg_epsilon,
    input  wire [PRIORITY_WIDTH-1:0] cfg_initial,
    input  wire [4:0]                phase,
    input  wire `RLC_SERVER_JOB         job,
    input  wire [15:0]               beta,
    `RLC_STREAM_SLAVE(s_prio, 64),
    input  wire [63:0]               place,
    `RLC_STREAM_SLAVE(s_look, 64),
    output wire                      m_had_valid,
    output wire `RLC_SERVER_HAD         m_had_data,
    input  wire                      loads,
    input  wire [127:0]              seed,
    output reg                       none,
    `RLC_STREAM_MASTER(m_entry, 128),
    output wire                      weighed,
    `RLC_STREAM_MASTER(m_put, INDEX_WIDTH),
    output wire                      settled,
    output wire [SUM_WIDTH-1:0]      total,
    output wire [INDEX_WIDTH:0]      size,
    output wire [INDEX_WIDTH-1:0]    next,
    output wire [PRIORITY_WIDTH-1:0] largest,
    output wire `RLC_SERVER_ENDED       ended
);
    `include "rlc_sumtree_kinds.vh"
    `include "rlc_replay_server_phases.vh"
    localparam [31:0] CAPACITY_32 = CAPACITY;
    wire clears = phase == PH_BEGIN;
    wire lists  = phase == PH_LIST;
    wire [15:0] count = job[`RLC_SERVER_JOB_COUNT];

    // ---- priorities, on their way to the tree. foreign: of a generation that no slot can have; outside: nor can a slot.
    localparam BESIDE = 4 + GENERATION_BITS + INDEX_WIDTH;
    wire [31:0] kind, priority_in, own_generation, own_slot;
    assign {kind, priority_in} = s_prio_data;
    assign {own_generation, own_slot} = place;
    wire                       prio_valid, prio_take, prio_saturated, inserts, greatest, foreign, outside;
    wire [PRIORITY_WIDTH-1:0]  leaf_priority;
    wire [GENERATION_BITS-1:0] generation;
    wire [INDEX_WIDTH-1:0]     slot;
    rlc_sumtree_priority #(.PRIORITY_WIDTH(PRIORITY_WIDTH), .PAYLOAD_WIDTH(BESIDE)) u_priority (
        .clk(clk), .rst(rst), .cfg_alpha(cfg_alpha), .cfg_eps(cfg_epsilon), .cfg_scale(cfg_scale),
        .s_valid(s_prio_valid), .s_ready(s_prio_ready), .s_td(kind == 32'd1), .s_value(priority_in),
        .s_payload({phase == PH_PUT, kind == 32'd2,
                    (own_generation >> GENERATION_WIDTH) != 32'd0, (own_slot >> INDEX_WIDTH) != 32'd0,
                    own_generation[GENERATION_BITS-1:0], own_slot[INDEX_WIDTH-1:0]}),
        .m_valid(prio_valid), .m_ready(prio_take), .m_priority(leaf_priority), .m_saturated(prio_saturated),
        .m_payload({inserts, greatest, foreign, outside, generation, slot})
    );

    // ---- the tree.
    `RLC_SUMTREE_ANSWERS(wire, wire, wire, 1, SUM_WIDTH, ;);
    wire                   busy, full, ev_stale, ev_range, ev_kind, ev_empty, ev_miss;
    wire [INDEX_WIDTH:0]   capacity;
    wire                   op_ready, draw_valid, draw_ready;
    wire                   op_valid = clears || s_look_valid || (prio_valid && !lists);
    wire [2:0]             op_kind  = clears ? OP_CLEAR : lists ? OP_READ : inserts ? OP_INSERT : foreign ? OP_READ : OP_UPDATE;
    wire [INDEX_WIDTH-1:0] named    = lists ? s_look_data[INDEX_WIDTH-1:0] : slot;
    wire                   no_slot  = lists ? (s_look_data[31:0] >> INDEX_WIDTH) != 32'd0 : outside;
    assign prio_take    = op_ready && !clears && !lists;
    assign s_look_ready = op_ready;
    // Slots that hold a record, or will when the tree has done what it was given: no other slot exists.
    reg  [INDEX_WIDTH:0]   filled_q;
    always @(posedge clk)
        if (rst)                                                                          filled_q <= {(INDEX_WIDTH+1){1'b0}};
        else if (prio_valid && prio_take && inserts && filled_q != CAPACITY_32[INDEX_WIDTH:0]) filled_q <= filled_q + 1'b1;
    rlc_sumtree #(
        `include "rlc_sumtree_args.vh"
    ) u_tree (
        .*, .cfg_capacity(CAPACITY_32[INDEX_WIDTH:0]), .cfg_strata(job[`RLC_SERVER_JOB_STRATA] ? count : 16'd0),
        .cfg_restart(1'b0), .cfg_seed_valid(loads), .cfg_seed(seed),
        .s_op_valid(op_valid), .s_op_ready(op_ready), .s_op_kind(op_kind), .s_op_check(1'b1), .s_op_max(greatest && !lists),
        .s_op_beyond(no_slot || {1'b0, named} >= filled_q), .s_op_index(named),
        .s_op_generation(generation), .s_op_priority(leaf_priority),
        .s_sample_valid(draw_valid), .s_sample_ready(draw_ready), .s_sample_kind(SAMPLE_DRAW),
        .s_sample_value({VALUE_WIDTH{1'b0}})
    );

    // ---- operations inside; and for how long there has been none.
    reg  [7:0] inside_q;
    reg  [3:0] quiet_q;
    wire       op_enters = (s_prio_valid && s_prio_ready) || (s_look_valid && op_ready) || (clears && op_ready);
    wire       op_leaves = m_op_valid && m_op_ready;
    always @(posedge clk) begin
        if (rst) begin
            inside_q <= 8'd0;
            quiet_q  <= 4'd0;
        end else begin
            inside_q <= inside_q + {7'd0, op_enters} - {7'd0, op_leaves};
            quiet_q  <= (op_enters || inside_q != 8'd0 || busy) ? 4'd0 : (quiet_q == 4'd8) ? 4'd8 : quiet_q + 4'd1;
        end
    end
    assign settled = quiet_q == 4'd8;

    // ---- its answers.
    wire        listing = m_op_kind == OP_READ && lists;
    wire        counts  = op_leaves && !listing && (m_op_kind == OP_UPDATE || m_op_kind == OP_READ);
    wire [1:0]  counted = (m_op_kind == OP_READ && m_op_status == OP_OK) ? OP_STALE : m_op_status;
    wire [32:0] priced  = {{(33-PRIORITY_WIDTH){1'b0}}, m_op_priority};
    assign m_op_ready  = m_op_kind != OP_INSERT || m_put_ready;
    assign m_put_valid = m_op_valid && m_op_kind == OP_INSERT;
    assign m_put_data  = m_op_index;
    assign m_had_valid = op_leaves && listing;
    assign m_had_data[`RLC_SERVER_HAD_FAILED]     = m_op_status != OP_OK;
    assign m_had_data[`RLC_SERVER_HAD_GENERATION] = {{(32-GENERATION_BITS){1'b0}}, m_op_generation};
    assign m_had_data[`RLC_SERVER_HAD_PRIORITY]   = priced[31:0];
    assign ended[`RLC_SERVER_ENDED_UPDATED]   = counts && counted == OP_OK;
    assign ended[`RLC_SERVER_ENDED_STALE]     = counts && counted == OP_STALE;
    assign ended[`RLC_SERVER_ENDED_RANGE]     = counts && counted == OP_RANGE;
    assign ended[`RLC_SERVER_ENDED_SATURATED] = prio_valid && prio_take && prio_saturated && !greatest;

    // ---- a new batch.
    always @(posedge clk) none <= total == {SUM_WIDTH{1'b0}};
    rlc_replay_server_draws #(
        .INDEX_WIDTH(INDEX_WIDTH), .PRIORITY_WIDTH(PRIORITY_WIDTH), .GENERATION_BITS(GENERATION_BITS), .SUM_WIDTH(SUM_WIDTH),
        .SAMPLE_MAX(SAMPLE_MAX)
    ) u_draws (.*, .starts(loads && !none), .weights(job[`RLC_SERVER_JOB_WEIGHS]));
    wire unused = &{1'b0, s_look_data, full, capacity, ev_stale, ev_range, ev_kind, ev_empty, ev_miss, priced[32], job};
endmodule
`default_nettype wire
