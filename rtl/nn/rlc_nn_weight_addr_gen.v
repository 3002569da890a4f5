// rlc_nn_weight_addr_gen.v — counts the groups of a layer's weights in their order: docs/learner_update.md, "Order".
// SPDX-License-Identifier: Apache-2.0
//
// restart   to the first group; goes before step
// step      to the next group
// weight_addr {bias, jw, jof, jg, js, iw, iof, ig, is}, 10 bits each but bias, which has one (rlc_nn_weight_addr.vh).
//           Weights come first: for jw, js, iw, is, the last fastest; then biases: for jw, js.
//           jw = jof * FORWARD + jg; iw = iof * BACKWARD + ig, 0 while bias
// last      this is the last group
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_check.vh"
`include "rlc_nn_words.vh"
module rlc_nn_weight_addr_gen #(
    parameter WORDS_J  = 2, // words of the layer's outputs, 1..`RLC_NN_NEURONS as all of these
    parameter STEPS_J  = 1, // groups such a word holds
    parameter WORDS_I  = 2, // words of its inputs
    parameter STEPS_I  = 1, // groups such a word holds
    parameter FORWARD  = 1, // words of outputs that the forward unit takes together
    parameter BACKWARD = 1  // words of inputs that the backward unit takes together
) (
    input  wire clk,
    input  wire restart,
    input  wire step,
    output wire `RLC_NN_WEIGHT_ADDR weight_addr,
    output wire last
);
    localparam MOST = `RLC_NN_NEURONS;
    `RLC_CHECK(WORDS_J >= 1 && WORDS_J <= MOST && WORDS_I >= 1 && WORDS_I <= MOST && STEPS_J >= 1 && STEPS_J <= MOST
               && STEPS_I >= 1 && STEPS_I <= MOST && FORWARD >= 1 && FORWARD <= MOST && BACKWARD >= 1 && BACKWARD <= MOST,
               rlc_nn_weight_addr_gen_illegal_every_parameter_must_be_at_least_1_and_at_most_the_neurons_of_a_layer)

    // Which counters turn over. A group of biases counts as the last of its row of weights.
    reg  bias_q;
    wire is_end, iw_end, ig_end, js_end, jw_end, jg_end;
    wire is_turns = bias_q || is_end;
    wire iw_turns = bias_q || (is_end && iw_end);
    wire js_turns = iw_turns && js_end;
    wire jw_turns = js_turns && jw_end;
    always @(posedge clk)
        if (restart)               bias_q <= 1'b0;
        else if (step && jw_turns) bias_q <= !bias_q;

    wire [9:0] jw, jof, jg, js, iw, iof, ig, is;
    wire       to_is = restart || (step && is_turns);   // back to the first group of a word, the first word, ..
    wire       to_iw = restart || (step && iw_turns);
    wire       to_jw = restart || (step && jw_turns);
    wire       on_iw = step && is_turns;
    wire       on_jw = step && js_turns;
    rlc_mod_counter #(.COUNT(STEPS_I), .WIDTH(10)) u_is (.clk(clk), .restart(to_is), .step(step), .at(is), .last(is_end));
    rlc_mod_counter #(.COUNT(WORDS_I), .WIDTH(10)) u_iw (.clk(clk), .restart(to_iw), .step(on_iw), .at(iw), .last(iw_end));
    rlc_mod_counter #(.COUNT(BACKWARD), .WIDTH(10)) u_ig (.clk(clk), .restart(to_iw), .step(on_iw), .at(ig), .last(ig_end));
    rlc_mod_counter #(.COUNT(WORDS_I), .WIDTH(10)) u_iof (
        .clk(clk), .restart(to_iw), .step(on_iw && ig_end), .at(iof), .last()
    );
    rlc_mod_counter #(.COUNT(STEPS_J), .WIDTH(10)) u_js (
        .clk(clk), .restart(restart), .step(step && iw_turns), .at(js), .last(js_end)
    );
    rlc_mod_counter #(.COUNT(WORDS_J), .WIDTH(10)) u_jw (.clk(clk), .restart(restart), .step(on_jw), .at(jw), .last(jw_end));
    rlc_mod_counter #(.COUNT(FORWARD), .WIDTH(10)) u_jg (.clk(clk), .restart(to_jw), .step(on_jw), .at(jg), .last(jg_end));
    rlc_mod_counter #(.COUNT(WORDS_J), .WIDTH(10)) u_jof (
        .clk(clk), .restart(to_jw), .step(on_jw && jg_end), .at(jof), .last()
    );
    assign weight_addr = {bias_q, jw, jof, jg, js, iw, iof, ig, is};
    assign last  = bias_q && js_end && jw_end;
endmodule
`default_nettype wire
