// rlc_sumtree_pick_formal.v — the child in which a target falls, for every word and every target below its sum.
// SPDX-License-Identifier: Apache-2.0
//
// Word and target wait beside the unit until the answer is there. Then the children before the chosen one are added:
// they must not pass the target, and with the chosen one they must. No other child satisfies both, so this is "the
// least i with w_0 + ... + w_i > target". The unit feeds forward only: a trace longer than its latency begins with
// nothing that could still matter, so the induction holds without knowing any register of the unit.
`default_nettype none
module rlc_sumtree_pick_formal #(
    parameter BITS  = 3,
    parameter WIDTH = 2,
    parameter ADDS  = 1,
    parameter LEAF  = 1
) (
    input wire                       clk,
    input wire [(1<<BITS)*WIDTH-1:0] word,
    input wire [WIDTH+BITS-1:0]      target
);
    localparam CHILDREN = 1 << BITS;
    localparam LATENCY  = (BITS - 1 + ADDS - 1) / ADDS + BITS;

    // An inner level does not store its last child: the word has 0 in its place.
    wire [CHILDREN*WIDTH-1:0] given = (LEAF != 0) ? word : {{WIDTH{1'b0}}, word[(CHILDREN-1)*WIDTH-1:0]};
    wire [BITS-1:0]  choice;
    wire [WIDTH-1:0] rest;
    wire [WIDTH-1:0] value;
    rlc_sumtree_pick #(.BITS(BITS), .WIDTH(WIDTH), .ADDS(ADDS), .LEAF(LEAF)) dut (
        .clk(clk), .word(given), .target(target), .choice(choice), .rest(rest), .value(value)
    );

    wire [CHILDREN*WIDTH-1:0] word_x;
    wire [WIDTH+BITS-1:0]     target_x;
    rlc_delay #(.WIDTH(CHILDREN*WIDTH+WIDTH+BITS), .CLOCKS(LATENCY)) u_wait (
        .clk(clk), .d({word, target}), .q({word_x, target_x})
    );
    reg [3:0] clocks = 4'd0;
    always @(posedge clk) if (clocks != LATENCY) clocks <= clocks + 4'd1;

    reg [WIDTH+BITS-1:0] before;
    reg [WIDTH+BITS-1:0] sum;
    integer i;
    always @* begin
        before = 0;
        sum    = 0;
        for (i = 0; i < CHILDREN; i = i + 1) begin
            if (i < choice) before = before + word_x[i*WIDTH +: WIDTH];
            sum = sum + word_x[i*WIDTH +: WIDTH];
        end
    end
    wire [WIDTH-1:0] chosen = word_x[choice*WIDTH +: WIDTH];
    wire             valid  = clocks == LATENCY && target_x < sum;

    always @* begin
        if (valid) begin
            assert (before <= target_x);
            assert (target_x - before < chosen);
            assert (rest == target_x - before);
            // So it is never a child of 0.
            assert (chosen != 0);
            assert (value == (LEAF != 0 ? chosen : {WIDTH{1'b0}}));
        end
    end

    // Not vacuous: the first and the last child, and one with only 0 before it.
    always @* begin
        cover (valid && choice == 0 && rest == 0);
        cover (valid && &choice && before != 0);
        cover (valid && &choice && before == 0);
    end
endmodule
`default_nettype wire
