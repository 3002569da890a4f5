// rlc_replay_server_kept.v — the heads of each client's last batches, and what the answer of a batch begins with.
// SPDX-License-Identifier: Apache-2.0
//
// swept        all heads are cleared after a reset
// starts       pulse: a new batch begins, with this total and size. keeps: pulse, its head is kept (in the same clock)
// same         in PH_FOUND: the batch that is wanted is the one that is kept
// listed       the batch's list is here
// go           pulse: told_total and told_size stand for the answer, and its text may begin
`default_nettype none
`include "rlc_replay_server_words.vh"
module rlc_replay_server_kept #(
    `include "rlc_replay_server_parameters.vh"
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [4:0]             phase,
    input  wire `RLC_SERVER_JOB      job,
    input  wire                   keeps,
    input  wire                   starts,
    input  wire [SUM_WIDTH-1:0]   total,
    input  wire [INDEX_WIDTH:0]   size,
    input  wire                   listed,
    output wire                   swept,
    output wire                   same,
    output reg                    go,
    output reg  [63:0]            told_total,
    output reg  [31:0]            told_size
);
    `include "rlc_replay_server_layout.vh"
    `include "rlc_replay_server_phases.vh"
    localparam [31:0] KEPT_32 = KEPT;
    localparam WIDTH = 32 + 64 + 16 + SUM_WIDTH + INDEX_WIDTH + 1;
    wire [17:0]  number    = {job[`RLC_SERVER_JOB_CLIENT], job[`RLC_SERVER_JOB_SLOT]};
    wire [31:0]  epoch     = job[`RLC_SERVER_JOB_EPOCH];
    wire [63:0]  seq_number = job[`RLC_SERVER_JOB_SEQUENCE];
    wire [15:0]  count     = job[`RLC_SERVER_JOB_COUNT];
    wire         again     = job[`RLC_SERVER_JOB_AGAIN];
    wire         lists     = phase == PH_LIST;

    // ---- one without entries is never asked for: the front knows that it was EMPTY.
    reg  [KEPT_BITS:0]     sweep_q;
    wire [31:0]            kept_epoch;
    wire [63:0]            kept_sequence;
    wire [15:0]            kept_count;
    wire [SUM_WIDTH-1:0]   kept_total;
    wire [INDEX_WIDTH:0]   kept_size;
    assign swept = sweep_q == KEPT_32[KEPT_BITS:0];
    always @(posedge clk)
        if (rst)         sweep_q <= {(KEPT_BITS+1){1'b0}};
        else if (!swept) sweep_q <= sweep_q + 1'b1;
    rlc_ram_1r1w #(.WIDTH(WIDTH), .DEPTH(KEPT), .STYLE("block"), .READ_ANY(1)) u_heads (
        .clk(clk),
        .wr_en(!swept || keeps), .wr_addr(swept ? number[KEPT_BITS-1:0] : sweep_q[KEPT_BITS-1:0]),
        .wr_data(swept ? {epoch, seq_number, count, total, size} : {WIDTH{1'b0}}),
        .rd_en(phase == PH_FIND), .rd_addr(number[KEPT_BITS-1:0]),
        .rd_data({kept_epoch, kept_sequence, kept_count, kept_total, kept_size})
    );
    assign same = kept_epoch == epoch && kept_sequence == seq_number && kept_count == count;

    always @(posedge clk) begin
        if (starts || (lists && !go)) begin
            told_total <= {{(64-SUM_WIDTH){1'b0}}, again ? kept_total : total};
            told_size  <= {{(31-INDEX_WIDTH){1'b0}}, again ? kept_size : size};
        end
        go <= (starts || (lists && listed)) && !rst;
    end
    wire unused = &{1'b0, number, job};
endmodule
`default_nettype wire
