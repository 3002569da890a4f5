// rlc_sumtree_defs.vh — shape and timing of the sum tree, included inside a module that has the parameters
// of rlc_sumtree_parameters.vh. Derivation: docs/sumtree.md, "Time".
// SPDX-License-Identifier: Apache-2.0
//
// A place is a level of the tree, counted from the leaves: place 0 holds the leaves, place LEVELS-1 the children of
// the root. Codes with one decimal digit a place have the leaves' digit last; the leading digit holds for the rest.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */

`include "rlc_sumtree_kinds.vh"

// The digit of a code for a place.
function integer digit_of;
    input integer code;
    input integer place;
    integer k;
    begin
        digit_of = code;
        for (k = 0; k < place; k = k + 1)
            if (digit_of >= 10) digit_of = digit_of / 10;
        digit_of = digit_of % 10;
    end
endfunction

// Whether every digit of a code is in a range.
function digits_ok;
    input integer code;
    input integer least;
    input integer most;
    integer rest;
    integer k;
    begin
        rest = code;
        digits_ok = (code >= 0) ? 1'b1 : 1'b0;
        for (k = 0; k < 10; k = k + 1)
            if (k == 0 || rest > 0) begin
                if (rest % 10 < least || rest % 10 > most) digits_ok = 1'b0;
                rest = rest / 10;
            end
    end
endfunction

// log2 of the radix of a place: its digit, or the bits that are left.
function integer radix_bits;
    input integer place;
    integer k;
    integer left;
    begin
        left = LEAVES_LOG2;
        radix_bits = 0;
        for (k = 0; k <= place; k = k + 1) begin
            left = left - radix_bits;
            radix_bits = digit_of(RADIX_LOG2, k);
            if (radix_bits > left) radix_bits = left;
        end
    end
endfunction

// log2 of the leaves below one child of a place.
function integer bits_below;
    input integer place;
    integer k;
    begin
        bits_below = 0;
        for (k = 0; k < place; k = k + 1) bits_below = bits_below + radix_bits(k);
    end
endfunction

// log2 of the words of a place; a word holds the children of one node.
function integer word_bits;
    input integer place;
    word_bits = LEAVES_LOG2 - bits_below(place + 1);
endfunction

function integer level_count;
    input integer unused;
    integer k;
    begin
        level_count = 0;
        // The bound only matters for an illegal radix of 1, which the parameter check reports.
        for (k = 0; k < 24; k = k + 1)
            if (bits_below(k) < LEAVES_LOG2) level_count = k + 1;
    end
endfunction

// Clocks of a sample in a place: read a word, add its sums, then one clock for each bit of the choice.
function integer read_clocks;
    input integer place;
    // A single word is registers, whatever its style.
    read_clocks = (word_bits(place) == 0) ? 0 : digit_of(WIDE_LATENCY, place);
endfunction

function integer sum_clocks;
    input integer bits;
    sum_clocks = (bits - 1 + ADDS - 1) / ADDS;
endfunction

function integer level_clocks;
    input integer place;
    level_clocks = read_clocks(place) + sum_clocks(radix_bits(place)) + radix_bits(place);
endfunction

localparam LEVELS      = level_count(0);
localparam LEAF_BITS   = radix_bits(0);                // of the choice inside a leaf word
localparam LEAF_LANES  = 1 << LEAF_BITS;

// The timetable, in clocks after an operation or a sample entered the tree.
localparam HEAD_CLOCKS  = (SHARED != 0 || LEVELS == 1) ? read_clocks(0) : HEAD_LATENCY;
localparam OLD_CLOCK    = HEAD_CLOCKS + 1;             // the priority before the operation
localparam DELTA_CLOCK  = OLD_CLOCK + 1;               // what the operation changes it by
localparam TOTAL_CLOCK  = DELTA_CLOCK + 1;             // the total, this operation included
localparam MULTIPLIERS  = ((SUM_WIDTH + 25) / 26) * ((DRAW_WIDTH + 16) / 17);
localparam TARGET_CLOCK = TOTAL_CLOCK + 3 + (MULTIPLIERS - 1) * (1 + BYPASS) + 1;

// When a sample's read of a place begins; the write of its own slot is one clock earlier.
function integer place_clock;
    input integer place;
    integer k;
    begin
        place_clock = TARGET_CLOCK;
        for (k = place + 1; k < LEVELS; k = k + 1) place_clock = place_clock + level_clocks(k);
    end
endfunction

// When an operation begins its work in a place: to read the old sum, or to write a leaf.
function integer enter_clock;
    input integer place;
    enter_clock = (place == 0) ? place_clock(0) - 1 : place_clock(place) - 1 - (digit_of(NARROW_LATENCY, place - 1) + 2);
endfunction

// Whether operations go from place to place without going back in time.
function enter_in_order;
    input integer unused;
    integer k;
    begin
        enter_in_order = 1'b1;
        for (k = 1; k < LEVELS; k = k + 1)
            if (enter_clock(k - 1) < enter_clock(k)) enter_in_order = 1'b0;
    end
endfunction

localparam LEAF_CLOCK = place_clock(0);
localparam EXIT_CLOCK = LEAF_CLOCK + level_clocks(0);  // the sample's answer
/* verilator lint_restore */
