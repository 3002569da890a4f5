// rlc_rl_draws.v — the random words of an observation: a coin, then one word per output.
// SPDX-License-Identifier: Apache-2.0
//
// start        the coin is drawn; the next start comes after the other words. cfg_* are read in this clock
// draw         the generator's word; draw_step: it is taken in this clock
// word         draw is the word of output `at`; one per clock, from the clock after start on
// explore      from the clock after start on: the coin's upper half is below cfg_epsilon, ufix(17,16); noise: cfg_noise
`default_nettype none
module rlc_rl_draws #(
    parameter COUNT    = 2,                                // outputs, >= 1
    parameter AT_WIDTH = (COUNT > 1) ? $clog2(COUNT) : 1   // derived; leave it alone
) (
    input  wire                clk,
    input  wire                rst,
    input  wire [16:0]         cfg_epsilon,
    input  wire                cfg_noise,
    input  wire                start,
    input  wire [31:0]         draw,
    output wire                draw_step,
    output wire                word,
    output wire [AT_WIDTH-1:0] at,
    output wire                explore,
    output wire                noise
);
    reg  explore_q, noise_q, drawing_q;
    wire last;
    rlc_mod_counter #(.COUNT(COUNT)) u_at (.clk(clk), .restart(rst), .step(drawing_q), .at(at), .last(last));
    always @(posedge clk) begin
        if (start) begin
            explore_q <= {1'b0, draw[31:16]} < cfg_epsilon;
            noise_q   <= cfg_noise;
        end
        if (rst)        drawing_q <= 1'b0;
        else if (start) drawing_q <= 1'b1;
        else if (last)  drawing_q <= 1'b0;
    end
    assign draw_step = start || drawing_q;
    assign word      = drawing_q;
    assign explore   = explore_q;
    assign noise     = noise_q;
    rlc_assert_never u_soon (.clk(clk), .rst(rst), .bad(start && drawing_q));
    wire unused = &{1'b0, draw[15:0]};
endmodule
`default_nettype wire
