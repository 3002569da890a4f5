// rlc_tensor_issue.v — takes commands of the matrix unit and issues their blocks and words, one a clock.
// SPDX-License-Identifier: Apache-2.0
//
//   for each group of rows            a group's sums are kept side by side, a place a row and word
//     for each fold                   a pass: what is summed up
//       for each row of the group     a block of weights comes in with the row's first word
//         for each word               issued here
//
// s_*          commands (docs/tensor.md); valid/ready. Two are known at a time: the one that is issued and the one before it,
//              of which words may still be under way; m_slot says which one a word is of, command0 and command1 what they say
// m_*          of a word: first and last fold, first word of a row, last row and last fold (whose blocks are partly empty),
//              last word, the command's last word; the place of its sums; addresses, of the result less to_base
// refused      a pulse: a command had a count of 0, and was left out
// busy         something is issued or under way
// throughput   a word a clock. A pass takes MIN_PASS clocks at least, so that its sums are back before they are read
`default_nettype none
`include "rlc_tensor_words.vh"
`include "rlc_axi.vh"
module rlc_tensor_issue #(
    parameter BLOCKS   = 4,  // blocks of a word
    parameter MIN_PASS = 12, // clocks from a read of a sum to the next one of the same place
    parameter SUMS     = 14, // stage of a word in which its sums are there, and a mask is read
    parameter RESULTS  = 18, // .. in which its results are written
    parameter DRAIN    = 34, // .. in which nothing is left of it
    parameter K_BITS   = (BLOCKS > 1) ? $clog2(BLOCKS) : 1 // derived; leave it alone
) (
    input  wire                           clk,
    input  wire                           rst,
    `RLC_STREAM_SLAVE(s, `RLC_TENSOR_COMMAND),
    output reg  [`RLC_TENSOR_COMMAND-1:0] command0,
    output reg  [`RLC_TENSOR_COMMAND-1:0] command1,
    output reg                            m_valid,
    output reg                            m_slot,
    output reg                            m_first_fold,
    output reg                            m_last_fold,
    output reg                            m_first_word,
    output reg                            m_last_word,
    output reg                            m_last_row,
    output reg                            m_begins,
    output reg                            m_ends,
    output reg  [15:0]                    m_place,
    output reg  [15:0]                    m_block,
    output reg  [K_BITS-1:0]              m_block_fold,
    output reg  [K_BITS-1:0]              m_block_row,
    output reg  [15:0]                    m_stream,
    output reg  [K_BITS-1:0]              m_stream_index,
    output reg  [15:0]                    m_to,
    output reg  [K_BITS-1:0]              m_to_index,
    output reg  [9:0]                     m_row,
    output reg                            refused,
    output wire                           busy
);
    localparam [31:0] TOP    = BLOCKS - 1;
    localparam [31:0] DRAINS = DRAIN;
    localparam [31:0] PASSES = MIN_PASS - 1;

    // The command that is issued.
    reg                            active_q, slot_q;
    wire [`RLC_TENSOR_COMMAND-1:0] c = slot_q ? command1 : command0;
    wire [9:0]  rows        = c[`RLC_TENSOR_COMMAND_ROWS];
    wire [9:0]  group       = c[`RLC_TENSOR_COMMAND_GROUP];
    wire [9:0]  folds       = c[`RLC_TENSOR_COMMAND_FOLDS];
    wire [9:0]  words       = c[`RLC_TENSOR_COMMAND_WORDS];
    wire        of_deltas   = c[`RLC_TENSOR_COMMAND_BLOCK] == `RLC_TENSOR_FROM_DELTAS;
    wire [15:0] block_row   = {4'd0, c[`RLC_TENSOR_COMMAND_BLOCK_ROW]};
    wire [15:0] block_fold  = {4'd0, c[`RLC_TENSOR_COMMAND_BLOCK_FOLD]};
    wire [15:0] stream_word = {4'd0, c[`RLC_TENSOR_COMMAND_STREAM_WORD]};
    wire [15:0] stream_fold = {4'd0, c[`RLC_TENSOR_COMMAND_STREAM_FOLD]};
    wire [15:0] to_word     = {4'd0, c[`RLC_TENSOR_COMMAND_TO_WORD]};

    // Where it is. _g: of the group's first row at fold 0, _l: of that row at this fold, _n: of the next group's first row.
    reg  [9:0]        done_q, row_q, fold_q, word_q;
    reg  [15:0]       place_q;
    reg  [15:0]       count_q;
    reg  [15:0]       block_q, block_l_q, block_n_q;
    reg  [K_BITS-1:0] at_row_q, at_row_g_q, at_row_n_q, at_fold_q;
    reg  [15:0]       stream_q, stream_l_q;
    reg  [15:0]       to_q, to_row_q, to_g_q, to_n_q;
    reg  [7:0]        pass_q;

    wire [9:0] next_done  = done_q + row_q + 10'd1;
    wire       last_word  = word_q + 10'd1 == words;
    wire       last_row   = next_done == rows;
    wire       group_ends = last_row || row_q + 10'd1 == group;
    wire       last_fold  = fold_q + 10'd1 == folds;
    wire       passes     = row_q == 10'd0 && word_q == 10'd0;      // the first word of a pass
    wire       step       = active_q && !(passes && fold_q != 10'd0 && pass_q != 8'd0);
    wire       ends       = step && last_word && group_ends && last_fold && last_row;

    // Blocks of weights lie one after the other; those of the other memories, BLOCKS to a tile.
    wire               row_wraps  = BLOCKS == 1 || at_row_q == TOP[K_BITS-1:0];
    wire               fold_wraps = BLOCKS == 1 || at_fold_q == TOP[K_BITS-1:0];
    wire [K_BITS-1:0]  at_row_d   = (BLOCKS == 1) ? {K_BITS{1'b0}} : at_row_q + 1'b1;
    wire [K_BITS-1:0]  at_fold_d  = (BLOCKS == 1) ? {K_BITS{1'b0}} : at_fold_q + 1'b1;
    wire [15:0]        block_r    = block_q + ((!of_deltas || row_wraps) ? block_row : 16'd0);
    wire [15:0]        block_f    = block_l_q + ((!of_deltas || fold_wraps) ? block_fold : 16'd0);
    wire [15:0]        stream_f   = stream_l_q + (fold_wraps ? stream_fold : 16'd0);
    wire [15:0]        to_r       = to_row_q + {15'd0, row_wraps};
    wire               alone      = fold_q == 10'd0;
    wire [15:0]        block_n    = alone ? block_r : block_n_q;
    wire [15:0]        to_n       = alone ? to_r : to_n_q;
    wire [K_BITS-1:0]  at_row_n   = alone ? at_row_d : at_row_n_q;

    // The next command: its slot is empty; with a barrier all results are written; and no read of activations meets those
    // for a mask, which come late.
    reg  [7:0] drain0_q, drain1_q;
    wire       next_slot = !slot_q;
    wire [7:0] drain_own   = next_slot ? drain1_q : drain0_q;
    wire [7:0] drain_other = next_slot ? drain0_q : drain1_q;
    localparam [31:0] MASKED  = DRAIN - SUMS;
    localparam [31:0] WRITTEN = DRAIN - RESULTS;
    wire       meets   = c[`RLC_TENSOR_COMMAND_MASK] && !s_data[`RLC_TENSOR_COMMAND_STREAM];
    wire       barrier = s_data[`RLC_TENSOR_COMMAND_BARRIER];
    assign s_ready = !active_q && drain_own == 8'd0 && (drain_other <= WRITTEN[7:0] || !barrier)
                  && (drain_other <= MASKED[7:0] || !meets);
    wire empty = s_data[`RLC_TENSOR_COMMAND_ROWS] == 10'd0 || s_data[`RLC_TENSOR_COMMAND_GROUP] == 10'd0
              || s_data[`RLC_TENSOR_COMMAND_FOLDS] == 10'd0 || s_data[`RLC_TENSOR_COMMAND_WORDS] == 10'd0
              || s_data[`RLC_TENSOR_COMMAND_LAST_ROW] == 7'd0 || s_data[`RLC_TENSOR_COMMAND_LAST_LANE] == 7'd0
              || s_data[`RLC_TENSOR_COMMAND_LAST_WORD] == 7'd0;
    wire take  = s_valid && s_ready && !empty;
    always @(posedge clk) refused <= s_valid && s_ready && empty && !rst;
    assign busy = active_q || drain0_q != 8'd0 || drain1_q != 8'd0;

    always @(posedge clk) begin
        if (rst) begin
            active_q <= 1'b0;
            slot_q   <= 1'b0;
            drain0_q <= 8'd0;
            drain1_q <= 8'd0;
        end else begin
            if (take) begin
                active_q <= 1'b1;
                slot_q   <= next_slot;
            end else if (ends) begin
                active_q <= 1'b0;
            end
            drain0_q <= (take && !next_slot) || (step && !slot_q) ? DRAINS[7:0] : drain0_q - {7'd0, drain0_q != 8'd0};
            drain1_q <= (take && next_slot)  || (step && slot_q)  ? DRAINS[7:0] : drain1_q - {7'd0, drain1_q != 8'd0};
        end
        if (take && !next_slot) command0 <= s_data;
        if (take && next_slot)  command1 <= s_data;

        pass_q <= (step && passes) ? PASSES[7:0] : pass_q - {7'd0, pass_q != 8'd0};
        if (take) begin
            done_q     <= 10'd0;
            row_q      <= 10'd0;
            fold_q     <= 10'd0;
            word_q     <= 10'd0;
            place_q    <= 16'd0;
            count_q    <= 16'd0;
            block_q    <= s_data[`RLC_TENSOR_COMMAND_BLOCK_BASE];
            block_l_q  <= s_data[`RLC_TENSOR_COMMAND_BLOCK_BASE];
            at_row_q   <= {K_BITS{1'b0}};
            at_row_g_q <= {K_BITS{1'b0}};
            at_fold_q  <= {K_BITS{1'b0}};
            stream_q   <= s_data[`RLC_TENSOR_COMMAND_STREAM_BASE];
            stream_l_q <= s_data[`RLC_TENSOR_COMMAND_STREAM_BASE];
            to_q       <= 16'd0;
            to_row_q   <= 16'd0;
            to_g_q     <= 16'd0;
        end else if (step) begin
            place_q <= place_q + 16'd1;
            count_q <= count_q + {15'd0, last_fold};
            if (!last_word) begin
                word_q   <= word_q + 10'd1;
                stream_q <= stream_q + stream_word;
                to_q     <= to_q + to_word;
            end else begin
                word_q <= 10'd0;
                if (!group_ends) begin
                    row_q    <= row_q + 10'd1;
                    block_q  <= block_r;
                    at_row_q <= at_row_d;
                    stream_q <= stream_l_q;
                    to_row_q <= to_r;
                    to_q     <= to_r;
                end else begin
                    row_q   <= 10'd0;
                    place_q <= 16'd0;
                    if (!last_fold) begin
                        fold_q     <= fold_q + 10'd1;
                        at_fold_q  <= at_fold_d;
                        block_l_q  <= block_f;
                        block_q    <= block_f;
                        at_row_q   <= at_row_g_q;
                        stream_l_q <= stream_f;
                        stream_q   <= stream_f;
                        to_row_q   <= to_g_q;
                        to_q       <= to_g_q;
                        if (alone) begin
                            block_n_q  <= block_r;
                            at_row_n_q <= at_row_d;
                            to_n_q     <= to_r;
                        end
                    end else begin
                        done_q     <= next_done;
                        fold_q     <= 10'd0;
                        at_fold_q  <= {K_BITS{1'b0}};
                        block_l_q  <= block_n;
                        block_q    <= block_n;
                        at_row_g_q <= at_row_n;
                        at_row_q   <= at_row_n;
                        stream_l_q <= c[`RLC_TENSOR_COMMAND_STREAM_BASE];
                        stream_q   <= c[`RLC_TENSOR_COMMAND_STREAM_BASE];
                        to_g_q     <= to_n;
                        to_row_q   <= to_n;
                        to_q       <= to_n;
                    end
                end
            end
        end
    end

    // What is issued.
    always @(posedge clk) begin
        m_valid        <= step && !rst;
        m_slot         <= slot_q;
        m_first_fold   <= fold_q == 10'd0;
        m_last_fold    <= last_fold;
        m_first_word   <= word_q == 10'd0;
        m_last_word    <= last_word;
        m_last_row     <= last_row;
        m_begins       <= done_q == 10'd0 && passes && last_fold;
        m_ends         <= ends;
        m_place        <= place_q;
        m_block        <= block_q;
        m_block_fold   <= at_fold_q;
        m_block_row    <= at_row_q;
        m_stream       <= stream_q;
        m_stream_index <= at_fold_q;
        m_to           <= (c[`RLC_TENSOR_COMMAND_TO] == `RLC_TENSOR_GRADIENTS) ? count_q : to_q;   // they lie in their order
        m_to_index     <= at_row_q;
        m_row          <= done_q + row_q;
    end
    wire unused = &{1'b0, c};
endmodule
`default_nettype wire
