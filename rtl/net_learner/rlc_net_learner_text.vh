// rlc_net_learner_text.vh — how long the text of a set of weights is. Included inside a module, behind rlc_learner_defs.vh.
// SPDX-License-Identifier: Apache-2.0

// log2 of the words of 64 bits that a group of layer `layer` takes, two weights each.
function integer text_log2(input [1023:0] rows, input [1023:0] cols, input integer layer);
    text_log2 = $clog2((field(rows, layer - 1) * field(cols, layer - 1) + 1) / 2);
endfunction

// Groups of a layer: those of weights, and behind them those of biases.
function integer text_groups(
    input [1023:0] sizes, input [1023:0] lanes, input [1023:0] rows, input [1023:0] cols, input integer layer
);
    text_groups = (words(field(sizes, layer), field(lanes, layer)) * field(lanes, layer) / field(rows, layer - 1))
                * (words(field(sizes, layer - 1), field(lanes, layer - 1)) * field(lanes, layer - 1)
                   / field(cols, layer - 1) + 1);
endfunction

// Words of the layers 1 to `layers`.
function integer text_words(
    input [1023:0] sizes, input [1023:0] lanes, input [1023:0] rows, input [1023:0] cols, input integer layers
);
    integer n;
    begin
        text_words = 0;
        for (n = 1; n <= layers; n = n + 1)
            text_words = text_words + (text_groups(sizes, lanes, rows, cols, n) << text_log2(rows, cols, n));
    end
endfunction
