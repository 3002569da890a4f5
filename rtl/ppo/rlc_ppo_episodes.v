// rlc_ppo_episodes.v — returns and lengths of the running episodes, and of the last ones that ended.
// SPDX-License-Identifier: Apache-2.0
//
// clear        pulse, a new run: no episode has ended, and every environment begins one. The first step comes at least
//              N_ENVS + 2 clocks later
// step         pulse, a step of the environment whose turn it is: reward, sfix(27,19); ends: the episode is over
// snap         pulse: episodes and returns take the present numbers, without the step of this clock
// episodes     how many had ended since clear at the last snap; returns: sum of their returns, signed, 19 fraction bits
// back         selects one of the last KEPT episodes, 0 the last one; rd_length, rd_return: 2 clocks later, while none ends
// limits       a length counts modulo 2^16, a return has 48 bits
`default_nettype none
`include "rlc_check.vh"
module rlc_ppo_episodes #(
    parameter N_ENVS    = 8,  // environments, which take turns, 1..1024
    parameter KEPT_LOG2 = 7   // log2 of the episodes that are kept, 1..10
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 clear,
    input  wire                 step,
    input  wire [26:0]          reward,
    input  wire                 ends,
    input  wire                 snap,
    output reg  [31:0]          episodes,
    output reg  [63:0]          returns,
    input  wire [KEPT_LOG2-1:0] back,
    output wire [15:0]          rd_length,
    output wire [47:0]          rd_return
);
    `RLC_CHECK(N_ENVS >= 1 && N_ENVS <= 1024, rlc_ppo_episodes_illegal_N_ENVS_must_be_1_to_1024)
    `RLC_CHECK(KEPT_LOG2 >= 1 && KEPT_LOG2 <= 10, rlc_ppo_episodes_illegal_KEPT_LOG2_must_be_1_to_10)

    // Lengths and returns go round with the turns; a new run begins with as many zeros as there are environments. One place
    // more than these, because a word goes in in the clock in which another one leaves.
    localparam COUNT = $clog2(N_ENVS + 1);
    localparam [31:0] ALL = N_ENVS;
    reg  [COUNT-1:0] zeros_q;
    reg              begins_q;                    // the queue takes nothing in the clock behind its reset
    wire             begins = rst || clear;
    wire             zero   = zeros_q != {COUNT{1'b0}} && !begins_q;
    wire             known;
    wire [63:0]      past;
    wire [47:0]      now_return = past[47:0] + {{21{reward[26]}}, reward};
    wire [15:0]      now_length = past[63:48] + 16'd1;
    wire             over = step && ends;
    always @(posedge clk) begins_q <= begins;
    always @(posedge clk) zeros_q <= begins ? ALL[COUNT-1:0] : zeros_q - {{(COUNT-1){1'b0}}, zero};
    rlc_queue #(.WIDTH(64), .DEPTH(N_ENVS + 1), .STYLE((N_ENVS > 64) ? "block" : "distributed")) u_turns (
        .clk(clk), .rst(begins), .s_valid(zero || step), .s_data((zero || ends) ? 64'd0 : {now_length, now_return}),
        .m_valid(known), .m_ready(step), .m_data(past)
    );
    rlc_assert_never u_known (.clk(clk), .rst(begins), .bad(step && (zero || !known)));

    reg [31:0] episodes_q;
    reg [63:0] returns_q;
    always @(posedge clk) begin
        episodes_q <= begins ? 32'd0 : episodes_q + {31'd0, over};
        if (begins)    returns_q <= 64'd0;
        else if (over) returns_q <= returns_q + {{16{now_return[47]}}, now_return};
        if (begins) begin
            episodes <= 32'd0;
            returns  <= 64'd0;
        end else if (snap) begin
            episodes <= episodes_q;
            returns  <= returns_q;
        end
    end

    reg [KEPT_LOG2-1:0] rd_addr_q;
    always @(posedge clk) rd_addr_q <= episodes_q[KEPT_LOG2-1:0] - 1'b1 - back;
    rlc_ram_1r1w #(.WIDTH(64), .DEPTH(1 << KEPT_LOG2), .STYLE("distributed"), .READ_ANY(1)) u_kept (
        .clk(clk), .wr_en(over), .wr_addr(episodes_q[KEPT_LOG2-1:0]), .wr_data({now_length, now_return}), .rd_en(1'b1),
        .rd_addr(rd_addr_q), .rd_data({rd_length, rd_return})
    );
endmodule
`default_nettype wire
