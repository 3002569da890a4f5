// rlc_net_learner_weights.v — keeps sets of weights whole as the learner's bus shows them: the newest, and the one before.
// SPDX-License-Identifier: Apache-2.0
//
// bus_*        rlc_learner's: a bit a layer says that a group comes
// forget       pulse: a set that has begun is forgotten; the next group is the first of its layer
// host_loads   the host moves a parameter bank: the next set is published
// cfg_publish  every how many sets one is published; 0 is as 1
// published    pulse: the set that has come is the newest now
// newest_*, older_*  whether there is such a set, and its number: sets are counted from 1 on since reset
// read_begin       pulse: a text is read, of the newest set or of the one before, from word `at` on. Only where there is one
// m_*          its words, for ever; read_end: pulse, no more of them are wanted
//
// text         layer by layer, groups in the bus's order, each in 2^k words of 64 bits, two weights a word as sfix(32,22); what
//              is beyond a group's weights is 0. docs/net_learner.md
// whole        a set comes into the third of three places. One that would come over the set that is read is left out, and
//              then the next one is published
// latency      4 clocks to the first word, then a word a clock
`default_nettype none
`include "rlc_learner_ports.vh"
module rlc_net_learner_weights #(
    parameter [1023:0] SIZES       = "4-8-8-2", // of the network that acts: neurons per layer
    parameter [1023:0] LANES       = "4-4-4-2", // elements of each layer that travel in one word
    parameter [1023:0] UPDATE_ROWS = "4-4-2",   // outputs of a group
    parameter [1023:0] UPDATE_COLS = "1-2-1",   // inputs of a group
    parameter LAYERS = 3,   // of weights
    parameter GROUP  = 216, // bits of a group on the bus
    parameter WEIGHT = 27,  // bits of a weight
    parameter PLACE  = 10   // bits of a word's place in the text
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [LAYERS-1:0]       bus_valid,
    input  wire [LAYERS*GROUP-1:0] bus_data,
    input  wire                    forget,
    input  wire                    host_loads,
    input  wire [15:0]             cfg_publish,
    output wire                    published,
    output reg                     newest_there,
    output reg  [63:0]             newest,
    output reg                     older_there,
    output reg  [63:0]             older,
    input  wire                    read_begin,
    input  wire                    begin_newest,
    input  wire [PLACE-1:0]        at,
    input  wire                    read_end,
    `RLC_STREAM_MASTER(m, 64)
);
    `include "rlc_learner_defs.vh"
    `include "rlc_net_learner_text.vh"

    // ---- which place is whose. A set has begun, and is left out or not, until each layer is whole.
    reg  [1:0]        newest_at, older_at, coming_at;
    reg               filling_q, skip_q;
    reg  [LAYERS-1:0] whole_q;
    reg  [63:0]       sets_q;
    reg  [15:0]       remaining_q; // sets behind the next one, before one is published; 0: the next one
    reg               reading_q;
    reg  [1:0]        read_at_q;
    wire [LAYERS-1:0] last;
    wire              any   = |bus_valid;
    wire              skip  = filling_q ? skip_q : reading_q && read_at_q == coming_at;
    wire [LAYERS-1:0] whole = whole_q | (bus_valid & last);
    wire              ends  = any && &whole;
    wire              shows = ends && !skip && remaining_q == 16'd0 && !forget;
    wire [15:0]       rest  = (cfg_publish == 16'd0) ? 16'd0 : cfg_publish - 16'd1;
    always @(posedge clk) begin
        if (rst || forget) begin
            filling_q <= 1'b0;
            whole_q   <= {LAYERS{1'b0}};
        end else if (any) begin
            filling_q <= !ends;
            skip_q    <= skip;
            whole_q   <= ends ? {LAYERS{1'b0}} : whole;
        end
        if (rst) begin
            newest_at    <= 2'd0;
            older_at    <= 2'd1;
            coming_at    <= 2'd2;
            newest_there <= 1'b0;
            older_there <= 1'b0;
            sets_q            <= 64'd0;
            remaining_q       <= 16'd0;
        end else begin
            if (ends && !forget) sets_q <= sets_q + 64'd1;
            if (shows) begin
                newest_at    <= coming_at;
                older_at    <= newest_at;
                coming_at    <= older_at;
                newest_there <= 1'b1;
                older_there <= newest_there;
            end
            if (shows)                         remaining_q <= rest;
            else if (host_loads)               remaining_q <= 16'd0;
            else if (ends && remaining_q != 16'd0)  remaining_q <= remaining_q - 16'd1;
        end
        if (shows) begin
            newest <= sets_q + 64'd1;
            older <= newest;
        end
        if (rst || read_end) reading_q <= 1'b0;
        else if (read_begin) reading_q <= 1'b1;
        if (read_begin) read_at_q <= begin_newest ? newest_at : older_at;
    end
    assign published = shows;
    // A layer that is whole waits for the others.
    rlc_assert_never u_never (.clk(clk), .rst(rst), .bad(|(bus_valid & whole_q)));

    // ---- a word of the text: its place, its layer and its place there, the group.
    reg              at_valid_q, layer_valid_q, group_valid_q;
    reg  [PLACE-1:0] at_q;
    wire             slice_ready;
    wire             advance = slice_ready || !group_valid_q;
    always @(posedge clk) begin
        if (rst || read_end) begin
            at_valid_q    <= 1'b0;
            layer_valid_q <= 1'b0;
            group_valid_q <= 1'b0;
        end else if (advance) begin
            at_valid_q    <= reading_q || read_begin;
            layer_valid_q <= at_valid_q;
            group_valid_q <= layer_valid_q;
        end
        if (read_begin)                     at_q <= at;
        else if (advance && at_valid_q) at_q <= at_q + {{(PLACE-1){1'b0}}, 1'b1};
    end

    wire [64*LAYERS-1:0] found;
    genvar l, k;
    for (l = 1; l <= LAYERS; l = l + 1) begin : g_layer
        localparam LOG2   = text_log2(UPDATE_ROWS, UPDATE_COLS, l);
        localparam WORDS  = 1 << LOG2;
        localparam COUNT  = text_groups(SIZES, LANES, UPDATE_ROWS, UPDATE_COLS, l);
        localparam HELD   = field(UPDATE_ROWS, l - 1) * field(UPDATE_COLS, l - 1);
        localparam DEPTH  = 3 * COUNT;
        localparam ADDR   = $clog2(DEPTH);
        localparam [31:0] FIRST = text_words(SIZES, LANES, UPDATE_ROWS, UPDATE_COLS, l - 1);
        localparam [31:0] SPAN  = COUNT << LOG2;
        localparam [31:0] ONE = COUNT, TWO = 2 * COUNT;
        localparam [LOG2:0] MASK = WORDS - 1;

        // In: the groups of a layer one behind the other.
        localparam BITS = (COUNT > 1) ? $clog2(COUNT) : 1;
        wire [BITS-1:0] turn;
        rlc_mod_counter #(.COUNT(COUNT)) u_group (
            .clk(clk), .restart(rst || forget), .step(bus_valid[l-1]), .at(turn), .last(last[l-1])
        );
        wire [31:0] to = (coming_at[1] ? TWO : coming_at[0] ? ONE : 32'd0) + {{(32-BITS){1'b0}}, turn};

        // Out.
        wire [31:0]      at_32  = {{(32-PLACE){1'b0}}, at_q};
        wire [31:0]      inner  = at_32 - FIRST;   // beyond all words where it is before the first one
        wire             here   = inner < SPAN;
        reg              here_q, group_here_q;
        reg  [31:0]      from_q;
        reg  [LOG2:0]    word_q, group_word_q;
        wire [31:0]      row    = inner >> LOG2;
        wire [LOG2:0]    word   = inner[LOG2:0] & MASK;
        always @(posedge clk)
            if (advance) begin
                here_q       <= here;
                group_here_q <= here_q;
                from_q       <= (read_at_q[1] ? TWO : read_at_q[0] ? ONE : 32'd0) + row;
                word_q       <= word;
                group_word_q <= word_q;
            end
        wire [HELD*WEIGHT-1:0] group;
        rlc_ram_1r1w #(.WIDTH(HELD * WEIGHT), .DEPTH(DEPTH), .STYLE((DEPTH > 64) ? "block" : "distributed")) u_ram (
            .clk(clk), .wr_en(bus_valid[l-1] && !skip), .wr_addr(to[ADDR-1:0]),
            .wr_data(bus_data[(l-1)*GROUP +: HELD*WEIGHT]),
            .rd_en(advance && layer_valid_q), .rd_addr(from_q[ADDR-1:0]), .rd_data(group)
        );
        wire [2*WORDS*32-1:0] spread;
        for (k = 0; k < 2 * WORDS; k = k + 1) begin : g_weight
            if (k < HELD) begin : g_held
                assign spread[32*k +: 32] = {{(32-WEIGHT){group[k*WEIGHT + WEIGHT - 1]}}, group[k*WEIGHT +: WEIGHT]};
            end else begin : g_none
                assign spread[32*k +: 32] = 32'd0;
            end
        end
        wire [2*WORDS*32-1:0] shifted = spread >> {group_word_q, 6'd0};
        assign found[64*(l-1) +: 64] = group_here_q ? shifted[63:0] : 64'd0;
        wire unused = &{1'b0, to, from_q, row, inner, shifted, bus_data};
    end
    reg [63:0] data;
    integer i;
    always @* begin
        data = 64'd0;
        for (i = 0; i < LAYERS; i = i + 1) data = data | found[64*i +: 64];
    end
    rlc_skid #(.WIDTH(64)) u_out (
        .clk(clk), .rst(rst || read_end), .s_valid(group_valid_q), .s_ready(slice_ready), .s_data(data), `RLC_STREAM_JOIN(m, m)
    );
endmodule
`default_nettype wire
