// rlc_learners_join.v — one layer of several learners: their updates begin in one clock, and their new weights become averages.
// SPDX-License-Identifier: Apache-2.0
//
// last         the step that is under way ends a round: a bit each learner (rlc_learners_rounds)
// s_learner    {0, weights, 0, due} of each learner, the first one's lowest; LANES weights of WIDTH bits (rlc_learner_layer)
// m_learner    {0, averages, go, last} to each: go when the updates of all are due in their last step
// waits        the update of a learner is due, and it is its round's last step
// latency      go comes 2 * CROSS clocks after the last update is due; averages LATENCY clocks after the weights
//              (rlc_learners_average)
`default_nettype none
module rlc_learners_join #(
    parameter LEARNERS = 2,  // 2 to 16
    parameter LANES    = 4,  // weights of a group, >= 1
    parameter WIDTH    = 27, // bits of a weight, 19 to 27
    parameter BITS     = LANES * WIDTH + 2,  // of a learner's way to the average: this, or more
    parameter CROSS    = 1   // registers on the way from a learner, and on the way back, >= 1
) (
    input  wire                     clk,
    input  wire [LEARNERS-1:0]      last,
    input  wire [LEARNERS*BITS-1:0] s_learner,
    output wire [LEARNERS*BITS-1:0] m_learner,
    output wire [LEARNERS-1:0]      waits
);
    localparam GROUP = LANES * WIDTH;
    wire [LEARNERS*GROUP-1:0] all;
    wire [GROUP-1:0]          average;
    wire [BITS-1:0]           wide = {{(BITS-GROUP){1'b0}}, average};
    wire [LEARNERS-1:0]       waits_here;
    wire                      go;
    genvar i;
    for (i = 0; i < LEARNERS; i = i + 1) begin : g_learner
        wire [BITS-1:0] own = s_learner[i*BITS +: BITS];
        wire             none, due;
        assign {all[i*GROUP +: GROUP], none, due} = own[GROUP+1:0];
        assign waits[i]                  = due && last[i];
        assign m_learner[i*BITS +: BITS] = {wide[BITS-3:0], go, last[i]};
        wire unused = &{1'b0, own, none};
    end
    rlc_learners_average #(.LEARNERS(LEARNERS), .LANES(LANES), .WIDTH(WIDTH), .CROSS(CROSS)) u_average (
        .clk(clk), .s_data(all), .m_data(average)
    );
    rlc_delay #(.WIDTH(LEARNERS), .CLOCKS(CROSS)) u_due (.clk(clk), .d(waits), .q(waits_here));
    rlc_delay #(.WIDTH(1), .CLOCKS(CROSS)) u_go (.clk(clk), .d(&waits_here), .q(go));
    wire unused = &{1'b0, wide};
endmodule
`default_nettype wire
