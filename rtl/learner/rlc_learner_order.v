// rlc_learner_order.v — counts the groups of a layer's weights in their order: docs/learner_update.md, "Order".
// SPDX-License-Identifier: Apache-2.0
//
// restart   to the first group; goes before step
// step      to the next group
// place     {bias, jw, jof, jg, js, iw, iof, ig, is}, 10 bits each but bias, which has one (rlc_learner_place.vh).
//           Weights come first: for jw, js, iw, is, the last fastest; then biases: for jw, js.
//           jw = jof * FORWARD + jg; iw = iof * BACKWARD + ig, 0 while bias
// last      this is the last group
`default_nettype none
`include "rlc_learner_ports.vh"
module rlc_learner_order #(
    parameter WORDS_J  = 2, // words of the layer's outputs, 1..512 as all of these
    parameter STEPS_J  = 1, // groups such a word holds
    parameter WORDS_I  = 2, // words of its inputs
    parameter STEPS_I  = 1, // groups such a word holds
    parameter FORWARD  = 1, // words of outputs that the forward unit takes together
    parameter BACKWARD = 1  // words of inputs that the backward unit takes together
) (
    input  wire clk,
    input  wire restart,
    input  wire step,
    output wire `RLC_LEARNER_PLACE place,
    output wire last
);
    if (!(WORDS_J >= 1 && WORDS_J <= 512 && WORDS_I >= 1 && WORDS_I <= 512 && STEPS_J >= 1 && STEPS_J <= 512
         && STEPS_I >= 1 && STEPS_I <= 512 && FORWARD >= 1 && FORWARD <= 512
         && BACKWARD >= 1 && BACKWARD <= 512)) rlc_learner_order_illegal_every_parameter_must_be_1_to_512 u_stop ();

    localparam [31:0] JW_LAST = WORDS_J - 1;
    localparam [31:0] JS_LAST = STEPS_J - 1;
    localparam [31:0] IW_LAST = WORDS_I - 1;
    localparam [31:0] IS_LAST = STEPS_I - 1;
    localparam [31:0] JG_LAST = FORWARD - 1;
    localparam [31:0] IG_LAST = BACKWARD - 1;

    // A counter is no wider than its numbers, so that its end is found in one level of logic.
    localparam JW = (WORDS_J > 1) ? $clog2(WORDS_J) : 1;
    localparam JS = (STEPS_J > 1) ? $clog2(STEPS_J) : 1;
    localparam IW = (WORDS_I > 1) ? $clog2(WORDS_I) : 1;
    localparam IS = (STEPS_I > 1) ? $clog2(STEPS_I) : 1;
    localparam JG = (FORWARD > 1) ? $clog2(FORWARD) : 1;
    localparam IG = (BACKWARD > 1) ? $clog2(BACKWARD) : 1;

    localparam [JW-1:0] ONE_JW = 1;
    localparam [JS-1:0] ONE_JS = 1;
    localparam [IW-1:0] ONE_IW = 1;
    localparam [IS-1:0] ONE_IS = 1;
    localparam [JG-1:0] ONE_JG = 1;
    localparam [IG-1:0] ONE_IG = 1;

    reg          bias_q;
    reg [JW-1:0] jw_q, jof_q;
    reg [JG-1:0] jg_q;
    reg [JS-1:0] js_q;
    reg [IW-1:0] iw_q, iof_q;
    reg [IG-1:0] ig_q;
    reg [IS-1:0] is_q;

    // Which counters turn over. A group of biases counts as the last of its row of weights.
    wire js_end   = js_q == JS_LAST[JS-1:0];
    wire jw_end   = jw_q == JW_LAST[JW-1:0];
    wire jg_end   = jg_q == JG_LAST[JG-1:0];
    wire ig_end   = ig_q == IG_LAST[IG-1:0];
    wire is_turns = bias_q || is_q == IS_LAST[IS-1:0];
    wire iw_turns = bias_q || (is_turns && iw_q == IW_LAST[IW-1:0]);
    wire js_turns = iw_turns && js_end;
    wire jw_turns = js_turns && jw_end;

    always @(posedge clk) begin
        if (restart) begin
            bias_q <= 1'b0;
            jw_q  <= {JW{1'b0}};
            jof_q <= {JW{1'b0}};
            jg_q  <= {JG{1'b0}};
            js_q  <= {JS{1'b0}};
            iw_q  <= {IW{1'b0}};
            iof_q <= {IW{1'b0}};
            ig_q  <= {IG{1'b0}};
            is_q  <= {IS{1'b0}};
        end else if (step) begin
            is_q <= is_turns ? {IS{1'b0}} : is_q + ONE_IS;
            if (is_turns) begin
                iw_q  <= iw_turns ? {IW{1'b0}} : iw_q + ONE_IW;
                ig_q  <= (iw_turns || ig_end) ? {IG{1'b0}} : ig_q + ONE_IG;
                iof_q <= iw_turns ? {IW{1'b0}} : (ig_end ? iof_q + ONE_IW : iof_q);
            end
            if (iw_turns) js_q <= js_turns ? {JS{1'b0}} : js_q + ONE_JS;
            if (js_turns) begin
                jw_q  <= jw_turns ? {JW{1'b0}} : jw_q + ONE_JW;
                jg_q  <= (jw_turns || jg_end) ? {JG{1'b0}} : jg_q + ONE_JG;
                jof_q <= jw_turns ? {JW{1'b0}} : (jg_end ? jof_q + ONE_JW : jof_q);
            end
            if (jw_turns) bias_q <= !bias_q;
        end
    end

    assign place = {
        bias_q, {(10-JW){1'b0}}, jw_q, {(10-JW){1'b0}}, jof_q, {(10-JG){1'b0}}, jg_q, {(10-JS){1'b0}}, js_q,
        {(10-IW){1'b0}}, iw_q, {(10-IW){1'b0}}, iof_q, {(10-IG){1'b0}}, ig_q, {(10-IS){1'b0}}, is_q
    };
    assign last  = bias_q && js_end && jw_end;

    wire unused = &{1'b0, JW_LAST[31:JW], JS_LAST[31:JS], IW_LAST[31:IW], IS_LAST[31:IS], JG_LAST[31:JG],
                    IG_LAST[31:IG]};
endmodule
`default_nettype wire
