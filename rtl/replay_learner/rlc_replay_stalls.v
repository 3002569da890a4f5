// rlc_replay_stalls.v — why the learner waits: a pulse for each clock in which it would take a word and has none.
// SPDX-License-Identifier: Apache-2.0
//
// busy         the loop is; running: further batches will begin; enough: there are experiences to sample
// takes, has   the learner takes a word of a record; one is there
// asking       samples are asked of the tree or not answered
// answered, fed   pulses: the tree answered a sample; a record has left for the learner
// memory, tree, empty, order   pulses, at most one a clock: the first of these that holds. A record is on its way from
//              memory; the tree owes samples; there are too few experiences; sampling waits for updates. None at the
//              end, when nothing is left to sample
// flush        no record is on its way any more; held: one is, between the tree's answer and the learner
// latency      2 clocks
`default_nettype none
module rlc_replay_stalls #(
    parameter PLACES = 320 // records between the tree's answer and the learner, at most
) (
    input  wire clk,
    input  wire rst,
    input  wire busy,
    input  wire running,
    input  wire enough,
    input  wire takes,
    input  wire has,
    input  wire asking,
    input  wire answered,
    input  wire fed,
    input  wire flush,
    output wire held,
    output wire memory,
    output wire tree,
    output wire empty,
    output wire order
);
    // Samples answered whose records have not left.
    localparam WIDTH = $clog2(PLACES + 1);
    localparam [WIDTH-1:0] ONE = 1;
    reg [WIDTH-1:0] records_q;
    reg        records_some_q, starves_q, asking_q, running_q, enough_q;
    always @(posedge clk) begin
        if (rst || flush)          records_q <= {WIDTH{1'b0}};
        else if (answered && !fed) records_q <= records_q + ONE;
        else if (fed && !answered) records_q <= records_q - ONE;
    end
    always @(posedge clk) begin
        starves_q      <= busy && takes && !has && !rst;
        records_some_q <= held;
        asking_q       <= asking;
        running_q      <= running;
        enough_q       <= enough;
    end

    reg  [3:0] why_q;
    wire [3:0] why = records_some_q ? 4'b1000 : asking_q ? 4'b0100
                   : !running_q ? 4'b0000 : enough_q ? 4'b0001 : 4'b0010;
    always @(posedge clk) why_q <= why & {4{starves_q && !rst}};
    assign held = records_q != {WIDTH{1'b0}};
    assign {memory, tree, empty, order} = why_q;
endmodule
`default_nettype wire
