// rlc_sumtree_xbar.v — from lanes to banks: a queue in front of every bank that all lanes may fill in one clock.
// SPDX-License-Identifier: Apache-2.0
//
// s_*           valid/ready, one a lane, with the bank; a lane waits only for room in the queue of its own bank
// m_*           valid/ready, one a bank. Items of one lane for one bank keep their order; items that enter a queue in
//               one clock leave it in the order of their lanes
// idle          all queues are empty
// latency       2 clocks
// throughput    with every lane busy and banks at random, 8 lanes and QUEUE 16, 7.6 items a clock. A queue that takes
//               one item a clock would leave 5.0 of them
`default_nettype none
module rlc_sumtree_xbar #(
    parameter LANES     = 8,             // 2 or more
    parameter BANKS     = 8,             // a power of two, 2 or more
    parameter WIDTH     = 60,            // payload bits
    parameter QUEUE     = 16,            // clocks' worth of items a queue holds, see rlc_mfifo
    parameter BANK_BITS = $clog2(BANKS)  // derived, leave it alone
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire [LANES-1:0]           s_valid,
    output wire [LANES-1:0]           s_ready,
    input  wire [LANES*BANK_BITS-1:0] s_bank,
    input  wire [LANES*WIDTH-1:0]     s_data,
    output wire [BANKS-1:0]           m_valid,
    input  wire [BANKS-1:0]           m_ready,
    output wire [BANKS*WIDTH-1:0]     m_data,
    output wire                       idle
);
    wire [BANKS-1:0] room;
    wire [BANKS-1:0] empty;
    assign idle = &empty;

    genvar l;
    genvar b;
    for (l = 0; l < LANES; l = l + 1) begin : g_lane
        assign s_ready[l] = room[s_bank[l*BANK_BITS +: BANK_BITS]];
    end
    for (b = 0; b < BANKS; b = b + 1) begin : g_bank
        wire [LANES-1:0] wanted;
        for (l = 0; l < LANES; l = l + 1) begin : g_wanted
            assign wanted[l] = s_valid[l] && s_bank[l*BANK_BITS +: BANK_BITS] == b;
        end
        rlc_mfifo #(.WIDTH(WIDTH), .PUSHES(LANES), .DEPTH(QUEUE)) u_queue (
            .clk(clk), .rst(rst),
            .s_valid(wanted), .s_ready(room[b]), .s_data(s_data),
            .m_valid(m_valid[b]), .m_ready(m_ready[b]), .m_data(m_data[b*WIDTH +: WIDTH]),
            .empty(empty[b])
        );
    end
endmodule
`default_nettype wire
