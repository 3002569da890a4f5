// rlc_gae_bank.v — stack memory of INTERLEAVE lanes: push, pop, write back in place, read out.
// SPDX-License-Identifier: Apache-2.0
//
// Each lane is a stack of DEPTH + 1 records: DEPTH words of RAM and, on top of them, one register that only
// a BOOT may take (the end of the rollout window), so DEPTH steps fit DEPTH words. One word is
// {kind, reward code, value code}: 18 bits at QBITS = 8, half a block RAM at 1024 words.
//
//   port A  push ▲ pop ▼ read ▲   one address for all three: the lane's level
//   port B  write back            at the tag that came with the result
//
// slot        the lane that push, arm, pop, rearm and read act on
// push        puts a record on top; push_full instead, and nothing changes, when it does not fit
// arm         before a run, once for each lane: keeps the length, points the level at the top record
// backwards   high while arm or pop may come, low while push, rearm, read or restore may
// pop         takes the record at the level (exhausted: there is none; last: it is the lowest)
// rearm       before reading, once for each lane: points the level at the lowest record
// read        reads the next record upwards; reads beyond the length give NONE
// mark        keeps the length of all lanes
// rewind      points the level of all lanes at the lowest record
// restore     after rewind, once for each lane: the lane is as long as it was at mark
// clear       empties all lanes
// o_*         the popped or read record, 1 clock later; o_tag is its place
// wb_*        result for place wb_tag; the in-place word keeps its kind
`default_nettype none
module rlc_gae_bank #(
    parameter DEPTH      = 1024,                                       // records per lane, 2 to 4096
    parameter INTERLEAVE = 1,                                          // lanes in this memory, 1 to 8
    parameter QBITS      = 8,                                          // bits of a reward or value code, 3 to 16
    parameter OUT_BITS   = 8,                                          // QBITS: in place; more: in a second RAM
    parameter SLOT_WIDTH = (INTERLEAVE > 1) ? $clog2(INTERLEAVE) : 1,  // follows from INTERLEAVE: bits of a turn's number
    parameter TAG_WIDTH  = $clog2(DEPTH * INTERLEAVE)                  // follows from both: bits of a record's place
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  clear,
    input  wire [SLOT_WIDTH-1:0] slot,

    input  wire                  push,
    input  wire [1:0]            push_kind,
    input  wire [QBITS-1:0]      push_q_r,
    input  wire [QBITS-1:0]      push_q_v,
    output wire                  push_full,

    input  wire                  backwards,
    input  wire                  arm,
    input  wire                  pop,
    input  wire                  rearm,
    input  wire                  read,
    input  wire                  mark,
    input  wire                  rewind,
    input  wire                  restore,
    output wire                  exhausted,
    output wire                  last,
    output wire                  loaded,     // some lane holds a record
    output wire                  no_boot,    // some lane holds records but no BOOT on top

    output wire [1:0]            o_kind,
    output wire [QBITS-1:0]      o_q_r,
    output wire [QBITS-1:0]      o_q_v,
    output wire [TAG_WIDTH-1:0]  o_tag,
    output wire [OUT_BITS-1:0]   o_adv,
    output wire [OUT_BITS-1:0]   o_rtg,

    input  wire                  wb_write,
    input  wire [1:0]            wb_kind,
    input  wire [OUT_BITS-1:0]   wb_adv,
    input  wire [OUT_BITS-1:0]   wb_rtg,
    input  wire [TAG_WIDTH-1:0]  wb_tag
);
    `include "rlc_gae_defs.vh"

    localparam WORD        = 2 + 2 * QBITS;
    localparam LEVEL_WIDTH = $clog2(DEPTH + 2) + 1;            // -1 .. DEPTH + 1
    localparam signed [LEVEL_WIDTH-1:0] TOP = DEPTH;           // the place beside the RAM

    // Per lane: level (records below the pointer), length of the armed lane, the register on top.
    reg signed [LEVEL_WIDTH-1:0] level_q  [0:INTERLEAVE-1];
    reg signed [LEVEL_WIDTH-1:0] length_q [0:INTERLEAVE-1];
    reg        [QBITS-1:0]       top_v_q  [0:INTERLEAVE-1];
    reg        [INTERLEAVE-1:0]  boot_on_top_q;
    reg        [INTERLEAVE-1:0]  boot_kept_q;      // boot_on_top_q at mark

    wire [SLOT_WIDTH-1:0] here = (INTERLEAVE > 1) ? slot : {SLOT_WIDTH{1'b0}};
    wire signed [LEVEL_WIDTH-1:0] level = level_q[here];
    wire at_top   = (level == TOP);
    wire over_top = (level > TOP);
    assign push_full = over_top || (at_top && push_kind[0]);
    assign exhausted = level[LEVEL_WIDTH-1];
    assign last      = (level == {LEVEL_WIDTH{1'b0}});

    wire pushed  = push && !push_full;
    wire more    = (level != length_q[here]);
    wire reading = read && more;
    wire up      = pushed || rearm || reading || restore;
    wire down    = arm || pop;
    // What the level takes: a step, or what was kept, when it stands at 0. The step is known before pop, which comes late.
    wire signed [LEVEL_WIDTH-1:0] move = restore ? length_q[here] : {{(LEVEL_WIDTH-1){backwards}}, 1'b1};

    integer i;
    always @(posedge clk) begin
        if (rst || clear) begin
            for (i = 0; i < INTERLEAVE; i = i + 1) begin
                level_q[i]  <= {LEVEL_WIDTH{1'b0}};
                length_q[i] <= {LEVEL_WIDTH{1'b0}};
            end
            boot_on_top_q <= {INTERLEAVE{1'b0}};
        end else begin
            for (i = 0; i < INTERLEAVE; i = i + 1) begin
                if (rewind) level_q[i] <= {LEVEL_WIDTH{1'b0}};
                else if ((up || down) && here == i) level_q[i] <= level + move;
                if (mark || (arm && here == i)) length_q[i] <= level_q[i];
            end
            if (rewind) boot_on_top_q <= boot_kept_q;
            else if (pushed) boot_on_top_q[here] <= !push_kind[0];
        end
        if (mark) boot_kept_q <= boot_on_top_q;
        if (pushed && at_top) top_v_q[here] <= push_q_v;
    end

    reg loaded_d, no_boot_d;
    always @* begin
        loaded_d  = 1'b0;
        no_boot_d = 1'b0;
        for (i = 0; i < INTERLEAVE; i = i + 1)
            if (level_q[i] != {LEVEL_WIDTH{1'b0}}) begin
                loaded_d = 1'b1;
                if (!boot_on_top_q[i]) no_boot_d = 1'b1;
            end
    end
    assign loaded  = loaded_d;
    assign no_boot = no_boot_d;

    // Place in the RAM. With a power-of-two DEPTH this is the slot beside the level.
    wire [TAG_WIDTH-1:0] place;
    if (INTERLEAVE == 1) begin : g_place
        assign place = level[TAG_WIDTH-1:0];
    end else if (DEPTH == (1 << $clog2(DEPTH))) begin : g_place
        assign place = {here, level[$clog2(DEPTH)-1:0]};
    end else begin : g_place
        wire [31:0] sum = here * DEPTH + level[LEVEL_WIDTH-2:0];
        assign place = sum[TAG_WIDTH-1:0];
    end

    wire [WORD-1:0] word;
    wire [WORD-1:0] wb_word;
    wire [WORD-1:0] unused_b;
    wire            in_ram = $unsigned(level) < DEPTH;  // neither at the top nor beyond either end
    wire            wb_in_place = wb_write && (OUT_BITS == QBITS);
    rlc_ram_2rw #(.WIDTH(WORD), .DEPTH(DEPTH * INTERLEAVE), .READ_LATENCY(1), .STYLE("block")) u_ram (
        .clk(clk),
        .a_en(in_ram), .a_we(pushed), .a_addr(place),
        .a_wr_data({push_kind, push_q_r, push_q_v}), .a_rd_data(word),
        .b_en(wb_in_place), .b_we(wb_in_place), .b_addr(wb_tag), .b_wr_data(wb_word), .b_rd_data(unused_b)
    );
    if (OUT_BITS == QBITS) begin : g_in_place
        assign wb_word = {wb_kind, wb_adv, wb_rtg};
        assign o_adv   = o_q_r;
        assign o_rtg   = o_q_v;
    end else begin : g_second_bank
        wire unused = &{1'b0, wb_kind};
        assign wb_word = {WORD{1'b0}};
        rlc_ram_1r1w #(
            .WIDTH(2 * OUT_BITS), .DEPTH(DEPTH * INTERLEAVE), .READ_LATENCY(1), .STYLE("block")
        ) u_results (
            .clk(clk), .wr_en(wb_write), .wr_addr(wb_tag), .wr_data({wb_adv, wb_rtg}),
            .rd_en(reading), .rd_addr(place), .rd_data({o_adv, o_rtg})
        );
    end

    // Stage 1: the record at the level, from the RAM or from the register on top.
    reg                  taken_s1, top_s1;
    reg [QBITS-1:0]      top_v_s1;
    reg [TAG_WIDTH-1:0]  tag_s1;
    always @(posedge clk) begin
        taken_s1 <= (pop || reading) && !rst;
        top_s1   <= at_top;
        top_v_s1 <= top_v_q[here];
        tag_s1   <= place;
    end
    assign o_kind = !taken_s1 ? KIND_NONE : top_s1 ? KIND_BOOT : word[WORD-1 -: 2];
    assign o_q_r  = word[2*QBITS-1 -: QBITS];
    assign o_q_v  = top_s1 ? top_v_s1 : word[QBITS-1:0];
    assign o_tag  = tag_s1;
endmodule
`default_nettype wire
