// rlc_mlp_defs.vh — lists in strings, and the schedule of a pass: nothing stalls in one, so all of it is known. Included
// inside a module. The same in Python: rlcores.cores.mlp.cycles.
// SPDX-License-Identifier: Apache-2.0

`include "rlc_lists.vh"

// Pieces of `by` elements that a vector of `size` elements takes.
function integer pieces(input integer size, input integer by);
    pieces = (by < 1) ? 1 : (size + by - 1) / by;
endfunction

// The greatest field.
function integer greatest(input [1023:0] text);
    integer i;
    begin
        greatest = 0;
        for (i = 0; i < fields(text); i = i + 1)
            if (field(text, i) > greatest) greatest = field(text, i);
    end
endfunction

// The least field.
function integer least(input [1023:0] text);
    integer i;
    begin
        least = field(text, 0);
        for (i = 1; i < fields(text); i = i + 1)
            if (field(text, i) < least) least = field(text, i);
    end
endfunction

// Words that all layers' inputs and outputs take at most.
function integer deepest(input [1023:0] sizes, input integer cols);
    deepest = pieces(greatest(sizes), cols);
endfunction

// Groups of rows of all layers together: words of biases.
function integer all_groups(input [1023:0] sizes, input integer rows);
    integer l;
    begin
        all_groups = 0;
        for (l = 1; l < fields(sizes); l = l + 1) all_groups = all_groups + pieces(field(sizes, l), rows);
    end
endfunction

// Steps of the array in one pass: words of weights.
function integer all_steps(input [1023:0] sizes, input integer rows, input integer cols);
    integer l;
    begin
        all_steps = 0;
        for (l = 1; l < fields(sizes); l = l + 1)
            all_steps = all_steps + pieces(field(sizes, l), rows) * pieces(field(sizes, l - 1), cols);
    end
endfunction

// Registers of the tree that adds `cols` products, two levels a clock.
function integer tree_clocks(input integer cols);
    tree_clocks = ($clog2(cols) + 1) / 2;
endfunction

// Whether kind k goes through an activation unit: leaky ReLU, tanh, sigmoid, ELU, SiLU, scaled ELU.
function integer in_unit(input integer kind);
    in_unit = (kind >= 2) ? 1 : 0;
endfunction

// Clocks of the unit of a kind.
function integer unit_clocks(input integer kind);
    case (kind)
        2:       unit_clocks = 3;
        3:       unit_clocks = 6;
        4:       unit_clocks = 7;
        5:       unit_clocks = 6;
        6:       unit_clocks = 9;
        7:       unit_clocks = 9;
        default: unit_clocks = 0;
    endcase
endfunction

// Clocks of the slowest unit of a network.
function integer slowest(input [1023:0] kinds);
    integer i;
    begin
        slowest = 0;
        for (i = 0; i < fields(kinds); i = i + 1)
            if (unit_clocks(field(kinds, i)) > slowest) slowest = unit_clocks(field(kinds, i));
    end
endfunction

// Whether any layer is normalised.
function integer any_norm(input [1023:0] norms);
    any_norm = (greatest(norms) > 0) ? 1 : 0;
endfunction

// Pieces of `acts` results of all normalised layers: words of gains and offsets, at least 1.
function integer norm_pieces(input [1023:0] sizes, input [1023:0] norms, input integer acts);
    integer l;
    begin
        norm_pieces = 0;
        for (l = 1; l < fields(sizes); l = l + 1)
            if (field(norms, l - 1) > 0) norm_pieces = norm_pieces + pieces(field(sizes, l), acts);
        if (norm_pieces == 0) norm_pieces = 1;
    end
endfunction

// Clocks from a layer's last sums at rlc_mlp_activate to its first normalised ones there.
function integer norm_clocks(input integer acts);
    norm_clocks = 16 + tree_clocks(acts);
endfunction

// Clocks from the last step of a group of rows to the first step that may read the group's first piece.
function integer depth(
    input [1023:0] kinds, input integer rows, input integer cols, input integer acts, input integer l
);
    depth = 6 + tree_clocks(cols) + ((rows > acts) ? 1 : 0)
          + ((in_unit(field(kinds, l - 1)) != 0) ? slowest(kinds) + 1 : 0);
endfunction

// Clocks from one group of rows to the next in layer l: its steps, or the pieces in which the results leave.
function integer slot(
    input [1023:0] sizes, input integer rows, input integer cols, input integer acts, input integer l
);
    slot = (pieces(field(sizes, l - 1), cols) > rows / acts) ? pieces(field(sizes, l - 1), cols) : rows / acts;
endfunction

// Clocks from the first step of layer l to the one after its last.
function integer busy_clocks(
    input [1023:0] sizes, input integer rows, input integer cols, input integer acts, input integer l
);
    busy_clocks = (pieces(field(sizes, l), rows) - 1) * slot(sizes, rows, cols, acts, l)
                + pieces(field(sizes, l - 1), cols);
endfunction

// Clocks that the array waits behind layer l, until layer l + 1 can read every word in time. A normalised layer's
// results begin to leave when all of its sums are there.
function integer gap(
    input [1023:0] sizes, input [1023:0] kinds, input [1023:0] norms, input integer rows, input integer cols,
    input integer acts, input integer l
);
    integer j;
    integer last;
    integer ready;
    integer outputs;
    begin
        gap = 0;
        outputs = pieces(field(sizes, l), rows) * rows;
        if (field(norms, l - 1) > 0) outputs = field(sizes, l);
        for (j = 0; j < pieces(field(sizes, l), cols); j = j + 1) begin
            last = (j + 1) * cols - 1;
            if (last > outputs - 1) last = outputs - 1;
            if (field(norms, l - 1) > 0)
                ready = busy_clocks(sizes, rows, cols, acts, l) - 1 + rows / acts - 1 + norm_clocks(acts) + last / acts;
            else
                ready = (last / rows) * slot(sizes, rows, cols, acts, l) + pieces(field(sizes, l - 1), cols) - 1
                      + (last % rows) / acts;
            ready = ready + depth(kinds, rows, cols, acts, l);
            if (ready - j - busy_clocks(sizes, rows, cols, acts, l) > gap)
                gap = ready - j - busy_clocks(sizes, rows, cols, acts, l);
        end
    end
endfunction
