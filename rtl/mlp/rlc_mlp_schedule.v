// rlc_mlp_schedule.v — the steps of a pass: which word of weights meets which word of elements, and when.
// SPDX-License-Identifier: Apache-2.0
//
// start       pulse: a pass begins with the next clock; idle: none is on its way through the array
// valid, first, last   a step; the first and the last one of its group of rows
// layer, group, word   of the step; step counts all steps of the pass, bias all groups
`default_nettype none
module rlc_mlp_schedule #(
    parameter [1023:0] SIZES = "4-8-2",  // neurons per layer
    parameter [1023:0] KINDS = "1-0",    // activation per layer
    parameter [1023:0] NORMS = "0-0",    // which layers are normalised
    parameter ROWS  = 4,        // rows of the array
    parameter COLS  = 4,        // columns of the array
    parameter ACTS  = 4         // results that leave the array per clock
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        start,
    output wire        idle,
    output wire        valid,
    output wire        first,
    output wire        last,
    output wire [2:0]  layer,
    output wire [9:0]  group,
    output wire [9:0]  word,
    output reg  [19:0] step,
    output reg  [12:0] bias
);
    `include "rlc_mlp_defs.vh"
    localparam LAYERS = fields(SIZES) - 1;

    // Constants of each layer.
    wire [10:0] words_of  [0:7];
    wire [10:0] slot_of   [0:7];
    wire [10:0] groups_of [0:7];
    wire [11:0] gap_of    [0:7];
    genvar l;
    for (l = 0; l < 8; l = l + 1) begin : g_layer
        localparam integer WORDS  = (l >= LAYERS) ? 1 : pieces(field(SIZES, l), COLS);
        localparam integer SLOT   = (l >= LAYERS) ? 1 : slot(SIZES, ROWS, COLS, ACTS, l + 1);
        localparam integer GROUPS = (l >= LAYERS) ? 1 : pieces(field(SIZES, l + 1), ROWS);
        localparam integer GAP    = (l >= LAYERS - 1) ? 0 : gap(SIZES, KINDS, NORMS, ROWS, COLS, ACTS, l + 1);
        assign words_of[l]  = WORDS[10:0];
        assign slot_of[l]   = SLOT[10:0];
        assign groups_of[l] = GROUPS[10:0];
        assign gap_of[l]    = GAP[11:0];
    end

    reg        run_q;     // a layer's steps, or the wait behind them
    reg        wait_q;
    reg [2:0]  layer_q;
    reg [9:0]  group_q;
    reg [10:0] at_q;      // clock of the group's slot
    reg [11:0] gap_q;     // clocks still to wait

    wire [10:0] words = words_of[layer_q];
    wire in_steps  = run_q && !wait_q && at_q < words;
    wire last_word = at_q == words - 1'b1;
    wire last_group = {1'b0, group_q} == groups_of[layer_q] - 1'b1;
    wire layer_end = in_steps && last_word && last_group;
    wire pass_end  = layer_end && {29'd0, layer_q} == LAYERS - 1;
    wire gap_end   = wait_q && gap_q == 12'd1;
    wire onward    = (layer_end && !pass_end && gap_of[layer_q] == 12'd0) || gap_end;

    assign idle  = !run_q;
    assign valid = in_steps;
    assign first = at_q == 11'd0;
    assign last  = last_word;
    assign layer = layer_q;
    assign group = group_q;
    assign word  = at_q[9:0];

    always @(posedge clk) begin
        if (rst)           run_q <= 1'b0;
        else if (start)    run_q <= 1'b1;
        else if (pass_end) run_q <= 1'b0;
        if (start) begin
            wait_q  <= 1'b0;
            layer_q <= 3'd0;
            group_q <= 10'd0;
            at_q    <= 11'd0;
            step    <= 20'd0;
            bias    <= 13'd0;
        end else begin
            if (in_steps) step <= step + 1'b1;
            if (in_steps && last_word) bias <= bias + 1'b1;
            if (onward) begin
                wait_q  <= 1'b0;
                layer_q <= layer_q + 1'b1;
                group_q <= 10'd0;
                at_q    <= 11'd0;
            end else if (layer_end) begin
                wait_q <= !pass_end;
                gap_q  <= gap_of[layer_q];
            end else if (wait_q) begin
                gap_q <= gap_q - 1'b1;
            end else if (at_q == slot_of[layer_q] - 1'b1) begin
                group_q <= group_q + 1'b1;
                at_q    <= 11'd0;
            end else begin
                at_q <= at_q + 1'b1;
            end
        end
    end
endmodule
`default_nettype wire
