// rlc_rl_softmax.v — log2 of the probability of one of several logits, in their softmax.
// SPDX-License-Identifier: Apache-2.0
//
//   d_k = max x - x_k, t_k = d_k log2(e), m = -(t_a + log2(sum 2^-t_k))
//
// s_*       logits, sfix(27,16), in order, COUNT per vector, at most one per clock, no ready
// s_choice  a, with the vector's last logit
// m_*       log-probability, sfix(27,20), -55 … 0
// latency   COUNT + 21 clocks from a vector's last logit
// error     2^-16.8 of the natural logarithm of probabilities above e^-20. Model: rlcores.cores.policy.density
// cost      two DSP slices, two tables (rlc_log2, rlc_exp2)
`default_nettype none
`include "rlc_check.vh"
module rlc_rl_softmax #(
    parameter COUNT     = 2,                                // logits a vector, 1 to 256
    parameter AT_WIDTH  = (COUNT > 1) ? $clog2(COUNT) : 1   // derived; leave it alone
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                s_valid,
    input  wire signed [26:0]  s_data,
    input  wire [AT_WIDTH-1:0] s_choice,
    output wire                m_valid,
    output reg  signed [26:0]  m_data
);
    `RLC_CHECK(COUNT >= 1 && COUNT <= 256, rlc_rl_softmax_illegal_COUNT_must_be_1_to_256)

    // A vector is kept until its greatest logit is known. Two halves: one is filled, one is played.
    `RLC_LUT_RAM
    reg  signed [26:0]  mem [0:(2<<AT_WIDTH)-1];
    reg                 half_q, playing_q;
    reg  signed [26:0]  greatest_q, top_q;
    wire [AT_WIDTH-1:0] fill, play;
    wire                fill_end, play_end;
    wire                begins  = fill == {AT_WIDTH{1'b0}};
    wire                full    = s_valid && fill_end;
    wire signed [26:0]  greatest = (begins || s_data > greatest_q) ? s_data : greatest_q;
    rlc_mod_counter #(.COUNT(COUNT)) u_fill (.clk(clk), .restart(rst), .step(s_valid), .at(fill), .last(fill_end));
    rlc_mod_counter #(.COUNT(COUNT)) u_play (.clk(clk), .restart(rst), .step(playing_q), .at(play), .last(play_end));
    reg [AT_WIDTH-1:0] choice_q;
    always @(posedge clk) begin
        if (s_valid) begin
            mem[{half_q, fill}] <= s_data;
            greatest_q          <= greatest;
        end
        if (full) begin
            top_q    <= greatest;
            choice_q <= s_choice;
        end
        if (rst)       half_q <= 1'b0;
        else if (full) half_q <= !half_q;
        if (rst)       playing_q <= 1'b0;
        else if (full) playing_q <= 1'b1;
        else if (play_end) playing_q <= 1'b0;
    end
    rlc_assert_never u_never (.clk(clk), .rst(rst), .bad(full && playing_q && !play_end));

    // Stage 1: how far below the greatest. Stage 2: no more than 2^21 - 1.
    wire signed [26:0] x = mem[{!half_q, play}];
    reg  [27:0]        below_s1;
    reg  [20:0]        below_s2;
    wire signed [27:0] below = {top_q[26], top_q} - {x[26], x};
    always @(posedge clk) begin
        below_s1 <= below;
        below_s2 <= (below_s1[27:21] != 7'd0) ? {21{1'b1}} : below_s1[20:0];
    end

    // Stages 3 and on: t, 2^-t.
    wire [25:0] t_s4;
    wire [24:0] e_s12;
    rlc_rl_fall u_fall (.clk(clk), .d(below_s2), .t(t_s4), .e(e_s12));

    // Marks travel beside: the first and last of a vector, the chosen one.
    localparam FALL = 12;
    wire [1:0]       marks_s12;
    reg  [FALL-1:0]  ends_q;
    wire             ends = playing_q && play_end;
    rlc_delay #(.WIDTH(2), .CLOCKS(FALL)) u_marks (
        .clk(clk), .d({playing_q, play == {AT_WIDTH{1'b0}}}), .q(marks_s12)
    );
    always @(posedge clk) ends_q <= rst ? {FALL{1'b0}} : {ends_q[FALL-2:0], ends};
    wire chosen_s4;
    rlc_delay #(.WIDTH(1), .CLOCKS(4)) u_chosen (.clk(clk), .d(playing_q && play == choice_q), .q(chosen_s4));
    reg [25:0] t_q;
    always @(posedge clk) if (chosen_s4) t_q <= t_s4;

    // Stage 13: the sum. Then its logarithm, beside which the chosen t waits.
    localparam SUM_WIDTH = 25 + 8;
    localparam LOG       = 7;
    reg  [SUM_WIDTH-1:0] sum_s13;
    reg                  done_s13;
    wire [25:0]          log;
    wire                 log_zero;
    always @(posedge clk) begin
        if (marks_s12[1]) sum_s13 <= (marks_s12[0] ? {SUM_WIDTH{1'b0}} : sum_s13) + {8'd0, e_s12};
        done_s13 <= ends_q[FALL-1] && !rst;
    end
    rlc_log2 #(.IN_WIDTH(SUM_WIDTH)) u_log (.clk(clk), .x(sum_s13), .y(log), .zero(log_zero));
    wire [25:0] t_last;
    reg  [25:0] t_s5;
    wire [25:0] t_log;
    assign t_last = chosen_s4 ? t_s4 : t_q;
    always @(posedge clk) if (ends_q[3]) t_s5 <= t_last;
    rlc_delay #(.WIDTH(26), .CLOCKS(FALL - 4 + LOG)) u_wait (.clk(clk), .d(t_s5), .q(t_log));
    wire [LOG:0] done_line;
    reg  [LOG:0] done_q;
    assign done_line = {done_q[LOG-1:0], done_s13};
    always @(posedge clk) done_q <= rst ? {(LOG+1){1'b0}} : done_line;
    wire signed [26:0] total = {1'b0, t_log} + {1'b0, log} - (27'd24 << 20);
    always @(posedge clk) m_data <= -total;
    assign m_valid = done_q[LOG];
    wire unused = log_zero;
endmodule
`default_nettype wire
