// rlc_sumtree_pick.v — finds the child in which a target falls: the least i with w_0 + ... + w_i > target.
// SPDX-License-Identifier: Apache-2.0
//
// word      the children, child i at word[i*WIDTH +: WIDTH]
// target    below the sum of the word; otherwise the answer is some child, without meaning
// choice    the child; rest: the target less the children before it, so rest < the child's value
// latency   SUM_CLOCKS + BITS clocks from word and target, one a clock; SUM_CLOCKS = ceil((BITS-1) / ADDS)
//
// The word is halved BITS times. Each step needs the sum of the left half only: if the target is below it the search
// goes left, else right with the target less by it. All sums of left halves are added up before the first step.
//
//      w0 w1 w2 w3 w4 w5 w6 w7          step 0 compares with w0+w1+w2+w3
//      [ left 4  ] [ right 4 ]          step 1 with w0+w1 or w4+w5
//      [l 2] [r 2] [l 2] [r 2]          step 2 with w0, w2, w4 or w6
`default_nettype none
module rlc_sumtree_pick #(
    parameter BITS  = 4,  // log2 of the children of a word, 1..6
    parameter WIDTH = 18, // bits of a child
    parameter ADDS  = 2,  // adders in series in one clock of the sums, >= 1
    // 1: `value` is the chosen child; 0: `value` is 0, and the last child of a word is never looked at
    parameter LEAF  = 0
) (
    input  wire                          clk,
    input  wire [(1<<BITS)*WIDTH-1:0]    word,
    input  wire [WIDTH+BITS-1:0]         target,
    output wire [BITS-1:0]               choice,
    output wire [WIDTH-1:0]              rest,
    output wire [WIDTH-1:0]              value
);
    localparam SUM_CLOCKS = (BITS - 1 + ADDS - 1) / ADDS;

    genvar j;
    genvar i;
    genvar e;

    // Sums of 2^j neighbours are added in clock ceil(j / ADDS) - 1. Of every level the last sum is never needed: it is
    // the right half of something.
    for (j = 0; j < BITS; j = j + 1) begin : g_sum
        localparam COUNT = 1 << (BITS - j);
        localparam SIZE  = WIDTH + j;
        localparam CLOCK = (j + ADDS - 1) / ADDS;       // when they are registered; the word comes in clock 0
        localparam NEXT  = (j + ADDS) / ADDS;           // the same of the next level
        localparam KEEP  = (j == 0 && LEAF != 0) ? 2 : 1;  // a leaf word keeps its right children too
        wire [COUNT*SIZE-1:0] fresh;
        wire [COUNT*SIZE-1:0] onward;                   // to the next level's adders
        wire [COUNT/2*KEEP*SIZE-1:0] left;
        wire [COUNT/2*KEEP*SIZE-1:0] waiting;           // left halves, in the clock of the first step
        if (j == 0) begin : g_word
            assign fresh  = word;
            assign onward = word;
        end else begin : g_add
            for (i = 0; i < COUNT - 1; i = i + 1) begin : g_pair
                assign fresh[i*SIZE +: SIZE] = {1'b0, g_sum[j-1].onward[2*i*(SIZE-1) +: SIZE-1]}
                                             + {1'b0, g_sum[j-1].onward[(2*i+1)*(SIZE-1) +: SIZE-1]};
            end
            assign fresh[(COUNT-1)*SIZE +: SIZE] = {SIZE{1'b0}};
            if (NEXT > CLOCK) begin : g_register
                reg [(COUNT-1)*SIZE-1:0] sums_q;
                always @(posedge clk) sums_q <= fresh[0 +: (COUNT-1)*SIZE];
                assign onward = {{SIZE{1'b0}}, sums_q};
            end else begin : g_series
                assign onward = fresh;
            end
        end
        if (KEEP == 2) begin : g_both
            assign left = word;
        end else begin : g_left
            for (i = 0; i < COUNT / 2; i = i + 1) begin : g_half
                assign left[i*SIZE +: SIZE] = (NEXT > CLOCK) ? onward[2*i*SIZE +: SIZE] : fresh[2*i*SIZE +: SIZE];
            end
        end
        // `onward` is one clock older than `fresh` when it is registered.
        rlc_delay #(
            .WIDTH(COUNT/2*KEEP*SIZE), .CLOCKS(SUM_CLOCKS - ((j == 0 || NEXT > CLOCK) ? CLOCK : CLOCK - 1))
        ) u_wait (.clk(clk), .d(left), .q(waiting));
    end

    // Step e halves every list of left sums that is still needed, and the target goes on.
    for (e = 0; e < BITS; e = e + 1) begin : g_step
        localparam SIZE = WIDTH + BITS - 1 - e;  // of the left sum, and of the target after the step
        wire [SIZE:0]   from;
        wire [SIZE-1:0] against = g_list[BITS-1-e].g_half[e].list[0 +: SIZE];
        wire [SIZE+1:0] difference = {1'b0, from} - {2'b00, against};
        wire            right = !difference[SIZE+1];
        reg  [SIZE-1:0] target_q;
        always @(posedge clk) target_q <= right ? difference[SIZE-1:0] : from[SIZE-1:0];
        if (e == 0) begin : g_first
            rlc_delay #(.WIDTH(SIZE+1), .CLOCKS(SUM_CLOCKS)) u_target (.clk(clk), .d(target), .q(from));
            reg choice_q;
            always @(posedge clk) choice_q <= right;
        end else begin : g_next
            assign from = g_step[e-1].target_q;
            reg [e:0] choice_q;
            if (e == 1) begin : g_second
                always @(posedge clk) choice_q <= {g_step[0].g_first.choice_q, right};
            end else begin : g_later
                always @(posedge clk) choice_q <= {g_step[e-1].g_next.choice_q, right};
            end
        end
    end
    if (BITS == 1) begin : g_choice
        assign choice = g_step[0].g_first.choice_q;
    end else begin : g_choice
        assign choice = g_step[BITS-1].g_next.choice_q;
    end
    assign rest = g_step[BITS-1].target_q;

    for (j = 0; j < BITS; j = j + 1) begin : g_list
        localparam SIZE = WIDTH + j;
        localparam KEEP = (j == 0 && LEAF != 0) ? 2 : 1;
        for (e = 0; e <= BITS - 2 - j + KEEP; e = e + 1) begin : g_half
            localparam COUNT = KEEP << (BITS - 1 - j) >> e;
            wire [COUNT*SIZE-1:0] list;
            if (e == 0) begin : g_first
                assign list = g_sum[j].waiting;
            end else begin : g_next
                reg [COUNT*SIZE-1:0] list_q;
                always @(posedge clk)
                    list_q <= g_step[e-1].right ? g_list[j].g_half[e-1].list[COUNT*SIZE +: COUNT*SIZE]
                                                : g_list[j].g_half[e-1].list[0 +: COUNT*SIZE];
                assign list = list_q;
            end
        end
    end
    if (LEAF != 0) begin : g_value
        assign value = g_list[0].g_half[BITS].list;
    end else begin : g_value
        assign value = {WIDTH{1'b0}};
    end
endmodule
`default_nettype wire
