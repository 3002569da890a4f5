// rlc_learner_order.v — counts the groups of a layer's weights in their order: docs/learner_update.md, "Order".
//
// WORDS_J, STEPS_J   words of the layer's outputs, and groups a word holds
// WORDS_I, STEPS_I   the same of its inputs
// FORWARD, BACKWARD  words of outputs, or inputs, that the forward, or backward, unit takes together
//
// restart   to the first group; goes before step
// step      to the next group
// bias      weights come first: for jw, js, iw, is, the last fastest; then biases: for jw, js
// jw, jof, jg        jw = jof * FORWARD + jg; iw, iof, ig: iw = iof * BACKWARD + ig, 0 while bias
// last      this is the last group
`default_nettype none
module rlc_learner_order #(
    parameter WORDS_J  = 2,
    parameter STEPS_J  = 1,
    parameter WORDS_I  = 2,
    parameter STEPS_I  = 1,
    parameter FORWARD  = 1,
    parameter BACKWARD = 1
) (
    input  wire       clk,
    input  wire       restart,
    input  wire       step,
    output wire       bias,
    output wire [9:0] jw,
    output wire [9:0] jof,
    output wire [9:0] jg,
    output wire [9:0] js,
    output wire [9:0] iw,
    output wire [9:0] iof,
    output wire [9:0] ig,
    output wire [9:0] is,
    output wire       last
);
    rlc_param_check #(
        .OK(WORDS_J >= 1 && WORDS_J <= 1024 && WORDS_I >= 1 && WORDS_I <= 1024 && STEPS_J >= 1 && STEPS_J <= 1024
         && STEPS_I >= 1 && STEPS_I <= 1024 && FORWARD >= 1 && FORWARD <= 1024 && BACKWARD >= 1 && BACKWARD <= 1024),
        .MESSAGE("rlc_learner_order: every parameter must be 1 to 1024")
    ) u_check ();

    localparam [31:0] JW_LAST = WORDS_J - 1;
    localparam [31:0] JS_LAST = STEPS_J - 1;
    localparam [31:0] IW_LAST = WORDS_I - 1;
    localparam [31:0] IS_LAST = STEPS_I - 1;
    localparam [31:0] JG_LAST = FORWARD - 1;
    localparam [31:0] IG_LAST = BACKWARD - 1;

    reg       bias_q;
    reg [9:0] jw_q;
    reg [9:0] jof_q;
    reg [9:0] jg_q;
    reg [9:0] js_q;
    reg [9:0] iw_q;
    reg [9:0] iof_q;
    reg [9:0] ig_q;
    reg [9:0] is_q;

    // Which counters turn over. A group of biases counts as the last of its row of weights.
    wire is_turns = bias_q || is_q == IS_LAST[9:0];
    wire iw_turns = is_turns && (bias_q || iw_q == IW_LAST[9:0]);
    wire js_turns = iw_turns && js_q == JS_LAST[9:0];
    wire jw_turns = js_turns && jw_q == JW_LAST[9:0];
    wire jg_end   = jg_q == JG_LAST[9:0];
    wire ig_end   = ig_q == IG_LAST[9:0];

    always @(posedge clk) begin
        if (restart) begin
            bias_q <= 1'b0;
            {jw_q, jof_q, jg_q, js_q, iw_q, iof_q, ig_q, is_q} <= 80'd0;
        end else if (step) begin
            is_q <= is_turns ? 10'd0 : is_q + 10'd1;
            if (is_turns) begin
                iw_q  <= iw_turns ? 10'd0 : iw_q + 10'd1;
                ig_q  <= (iw_turns || ig_end) ? 10'd0 : ig_q + 10'd1;
                iof_q <= iw_turns ? 10'd0 : iof_q + {9'd0, ig_end};
            end
            if (iw_turns) js_q <= js_turns ? 10'd0 : js_q + 10'd1;
            if (js_turns) begin
                jw_q  <= jw_turns ? 10'd0 : jw_q + 10'd1;
                jg_q  <= (jw_turns || jg_end) ? 10'd0 : jg_q + 10'd1;
                jof_q <= jw_turns ? 10'd0 : jof_q + {9'd0, jg_end};
            end
            if (jw_turns) bias_q <= !bias_q;
        end
    end

    assign bias = bias_q;
    assign jw   = jw_q;
    assign jof  = jof_q;
    assign jg   = jg_q;
    assign js   = js_q;
    assign iw   = iw_q;
    assign iof  = iof_q;
    assign ig   = ig_q;
    assign is   = is_q;
    assign last = bias_q && jw_turns;

    wire unused = &{1'b0, JW_LAST[31:10], JS_LAST[31:10], IW_LAST[31:10], IS_LAST[31:10], JG_LAST[31:10],
                    IG_LAST[31:10]};
endmodule
`default_nettype wire
