// rlc_learner_defs.vh — what the modules of the learner share: how the strings that describe a network are read,
// and the sizes that follow from them. Included inside a module.
// SPDX-License-Identifier: Apache-2.0
`include "rlc_nn_words.vh"

`include "rlc_lists.vh"

// Words of `lanes` elements that a vector of `size` elements takes.
function integer words(input integer size, input integer lanes);
    words = (lanes < 1) ? 1 : (size + lanes - 1) / lanes;
endfunction

// Clocks in which every unit of a network can take one vector: the steps of the slowest unit, or `least`.
function integer period(
    input [1023:0] sizes, input [1023:0] lanes, input [1023:0] forward, input [1023:0] backward, input integer least
);
    integer l;
    integer turns;
    begin
        period = least;
        for (l = 1; l < fields(sizes); l = l + 1) begin
            turns = words(field(sizes, l-1), field(lanes, l-1))
                  * words(words(field(sizes, l), field(lanes, l)), field(forward, l-1));
            if (turns > period) period = turns;
            turns = words(field(sizes, l), field(lanes, l))
                  * words(words(field(sizes, l-1), field(lanes, l-1)), field(backward, l-1));
            if (turns > period) period = turns;
        end
    end
endfunction

// The most weights that an update unit takes a clock.
function integer widest(input [1023:0] rows, input [1023:0] cols);
    integer l;
    begin
        widest = 1;
        for (l = 0; l < fields(rows); l = l + 1)
            if (field(rows, l) * field(cols, l) > widest) widest = field(rows, l) * field(cols, l);
    end
endfunction

// Bits of a network's weight bus, a layer: valid, a place of 81 bits, as many weights as its widest update unit has.
function integer bus_bits(input [1023:0] rows, input [1023:0] cols, input integer width);
    bus_bits = `RLC_NN_WEIGHT_BUS_DATA + widest(rows, cols) * width;
endfunction

// Bits of a layer's way to the average of several learners' weights, and of the way back: {weights, go, step} in,
// {weights, 0, due} out.
function integer average_bits(input [1023:0] rows, input [1023:0] cols, input integer width);
    average_bits = 2 + widest(rows, cols) * width;
endfunction

// Of several networks the last one acts: the actor, if there is one. Its text; its layers of weights; the bits that a layer's
// groups have on its bus.
function [1023:0] acting(input [1023:0] text);
    acting = list(text, lists(text) - 1);
endfunction
function integer acting_layers(input [1023:0] sizes);
    acting_layers = fields(acting(sizes)) - 1;
endfunction
function integer acting_bits(input [1023:0] rows, input [1023:0] cols, input integer width);
    acting_bits = widest(acting(rows), acting(cols)) * width;
endfunction

// Layers of weights of the networks in front of number `count`, all together.
function integer all_layers(input [1023:0] sizes, input integer count);
    integer n;
    begin
        all_layers = 0;
        for (n = 0; n < count; n = n + 1) all_layers = all_layers + fields(list(sizes, n)) - 1;
    end
endfunction

// Bits of the ways of all layers of the networks in front of number `count` to the average, and so where its own begin.
function integer average_before(input [1023:0] sizes, input [1023:0] rows, input [1023:0] cols, input integer width,
                                input integer count);
    integer n;
    begin
        average_before = 0;
        for (n = 0; n < count; n = n + 1)
            average_before = average_before
                + (fields(list(sizes, n)) - 1) * average_bits(list(rows, n), list(cols, n), width);
    end
endfunction
function integer average_all(input [1023:0] sizes, input [1023:0] rows, input [1023:0] cols, input integer width);
    average_all = average_before(sizes, rows, cols, width, lists(sizes));
endfunction

// Batch slices between the input of layer `first` and the delta that comes back to it: what a queue beside it must hold, when a
// vector takes `turn` clocks and the last output is answered after `answer` clocks.
function integer between(input [1023:0] lanes, input integer first, input integer turn, input integer answer);
    integer n;
    integer clocks;
    begin
        clocks = answer;
        for (n = first; n < fields(lanes); n = n + 1)
            clocks = clocks + 2 * (turn + 16) + field(lanes, n-1) + field(lanes, n);
        between = clocks / turn + 3;
    end
endfunction
