// rlc_learners_average.v — the average of several learners' numbers: their exact sum over LEARNERS, rounded half up.
// SPDX-License-Identifier: Apache-2.0
//
// s_data       LANES numbers of WIDTH bits, signed, of each learner; the first learner's lowest
// m_data       their averages, LATENCY clocks later
// order        a tree of adders; sums are exact, so no order of the learners changes a bit
// latency      LATENCY clocks: CROSS in and CROSS out, one a level of the tree, and the division: 1 if LEARNERS is a power
//              of two, else 2 and those of rlc_umul. One group a clock, no reset
// cost         LEARNERS - 1 adders a lane; if LEARNERS is no power of two, 4 DSP slices a lane
`default_nettype none
`include "rlc_check.vh"
module rlc_learners_average #(
    parameter LEARNERS = 4,  // 2 to 16
    parameter LANES    = 4,  // numbers a group, >= 1
    parameter WIDTH    = 27, // bits of a number, 19 to 27
    parameter CROSS    = 1   // registers on the way in, and on the way out, >= 1: for borders between dies
) (
    input  wire                            clk,
    input  wire [LEARNERS*LANES*WIDTH-1:0] s_data,
    output wire [LANES*WIDTH-1:0]          m_data
);
    `RLC_CHECK(LEARNERS >= 2 && LEARNERS <= 16, rlc_learners_average_illegal_LEARNERS_must_be_2_to_16)
    `RLC_CHECK(LANES >= 1 && CROSS >= 1, rlc_learners_average_illegal_LANES_and_CROSS_must_be_at_least_1)
    `RLC_CHECK(WIDTH >= 19 && WIDTH <= 27, rlc_learners_average_illegal_WIDTH_must_be_19_to_27)

    `include "rlc_learners_division.vh"
    localparam LEVELS = $clog2(LEARNERS);
    localparam LEAVES = 1 << LEVELS;
    localparam SUM    = WIDTH + LEVELS;
    localparam TWOS   = twos(LEARNERS);          // LEARNERS = 2^TWOS * ODD
    localparam [31:0] ODD = LEARNERS >> TWOS;
    localparam NUMBER = WIDTH + $clog2(ODD);     // bits of what is divided by ODD, made positive
    localparam PLACES = WIDTH + 2 * $clog2(ODD); // enough for a reciprocal to be exact
    localparam [31:0]   HALF       = LEARNERS / 2;
    localparam [63:0]   DIVISOR    = {32'd0, ODD};
    localparam [63:0]   RECIPROCAL = ((64'd1 << PLACES) + DIVISOR - 64'd1) / DIVISOR;
    localparam [63:0]   LOWEST     = {63'd0, 1'b1} << (WIDTH - 1);
    localparam [63:0]   OFFSET     = LOWEST * DIVISOR;

    wire [LEARNERS*LANES*WIDTH-1:0] data;
    wire [LANES*WIDTH-1:0]          average;
    rlc_delay #(.WIDTH(LEARNERS * LANES * WIDTH), .CLOCKS(CROSS)) u_in (.clk(clk), .d(s_data), .q(data));
    rlc_delay #(.WIDTH(LANES * WIDTH), .CLOCKS(CROSS)) u_out (.clk(clk), .d(average), .q(m_data));

    genvar lane;
    genvar k;
    for (lane = 0; lane < LANES; lane = lane + 1) begin : g_lane
        // Node k is the sum of nodes 2k and 2k + 1; the leaves are the learners.
        for (k = 1; k < 2 * LEAVES; k = k + 1) begin : g_node
            wire signed [SUM-1:0] sum;
            if (k < LEAVES) begin : g_sum
                reg signed [SUM-1:0] sum_q;
                always @(posedge clk) sum_q <= g_node[2*k].sum + g_node[2*k+1].sum;
                assign sum = sum_q;
            end else if (k - LEAVES < LEARNERS) begin : g_learner
                wire signed [WIDTH-1:0] own = data[((k-LEAVES)*LANES+lane)*WIDTH +: WIDTH];
                assign sum = {{LEVELS{own[WIDTH-1]}}, own};
            end else begin : g_none
                assign sum = {SUM{1'b0}};
            end
        end

        wire signed [SUM:0] total   = {g_node[1].sum[SUM-1], g_node[1].sum} + HALF[SUM:0];
        wire signed [SUM:0] shifted = total >>> TWOS;
        if (ODD == 1) begin : g_shift
            reg [WIDTH-1:0] average_q;
            always @(posedge clk) average_q <= shifted[WIDTH-1:0];
            assign average[lane*WIDTH +: WIDTH] = average_q;
            wire unused = &{1'b0, shifted[SUM:WIDTH]};
        end else begin : g_divide
            // Times a reciprocal, of a number that is not negative.
            reg  [NUMBER-1:0]        number_q;
            reg  [WIDTH-1:0]         average_q;
            wire [NUMBER+PLACES-1:0] product;
            wire [SUM:0]             above    = shifted + OFFSET[SUM:0];
            wire [WIDTH-1:0]         quotient = product[PLACES +: WIDTH];
            rlc_umul #(.A_WIDTH(NUMBER), .B_WIDTH(PLACES)) u_divide (
                .clk(clk), .a(number_q), .b(RECIPROCAL[PLACES-1:0]), .p(product)
            );
            always @(posedge clk) begin
                number_q  <= above[NUMBER-1:0];
                average_q <= quotient - LOWEST[WIDTH-1:0];
            end
            assign average[lane*WIDTH +: WIDTH] = average_q;
            wire unused = &{1'b0, above, product};
        end
    end
endmodule
`default_nettype wire
