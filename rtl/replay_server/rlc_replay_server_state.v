// rlc_replay_server_state.v — what STAT reports of the memory.
// SPDX-License-Identifier: Apache-2.0
//
// puts, starts  pulses with a number: that many records are put, a batch of that many is drawn.
//               ended: pulses of rlc_replay_server_tree
// the others   as the tree and rlc_replay_server_sets have them now
`default_nettype none
`include "rlc_replay_server_words.vh"
module rlc_replay_server_state #(
    parameter INDEX_WIDTH    = 20, // bits of a slot's number
    parameter PRIORITY_WIDTH = 18, // bits of a priority
    parameter SUM_WIDTH      = 38  // bits of a total
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      puts,
    input  wire [15:0]               put_count,
    input  wire                      starts,
    input  wire [15:0]               batch_count,
    input  wire `RLC_SERVER_ENDED       ended,
    input  wire [INDEX_WIDTH:0]      size,
    input  wire [INDEX_WIDTH-1:0]    next,
    input  wire [SUM_WIDTH-1:0]      total,
    input  wire [PRIORITY_WIDTH-1:0] largest,
    input  wire [63:0]               version,
    output wire `RLC_SERVER_STATE       state
);
    reg [63:0] records_q, samples_q, updates_q, stale_q, range_q, saturated_q;
    always @(posedge clk)
        if (rst) begin
            records_q   <= 64'd0;
            samples_q   <= 64'd0;
            updates_q   <= 64'd0;
            stale_q     <= 64'd0;
            range_q     <= 64'd0;
            saturated_q <= 64'd0;
        end else begin
            if (puts)                            records_q   <= records_q + {48'd0, put_count};
            if (starts)                          samples_q   <= samples_q + {48'd0, batch_count};
            if (ended[`RLC_SERVER_ENDED_UPDATED])   updates_q   <= updates_q + 64'd1;
            if (ended[`RLC_SERVER_ENDED_STALE])     stale_q     <= stale_q + 64'd1;
            if (ended[`RLC_SERVER_ENDED_RANGE])     range_q     <= range_q + 64'd1;
            if (ended[`RLC_SERVER_ENDED_SATURATED]) saturated_q <= saturated_q + 64'd1;
        end
    wire [32:0] widest = {{(33-PRIORITY_WIDTH){1'b0}}, largest};
    assign state[`RLC_SERVER_STATE_SIZE]      = {{(31-INDEX_WIDTH){1'b0}}, size};
    assign state[`RLC_SERVER_STATE_NEXT]      = {{(32-INDEX_WIDTH){1'b0}}, next};
    assign state[`RLC_SERVER_STATE_TOTAL]     = {{(64-SUM_WIDTH){1'b0}}, total};
    assign state[`RLC_SERVER_STATE_LARGEST]   = widest[31:0];
    assign state[`RLC_SERVER_STATE_VERSION]   = version;
    assign state[`RLC_SERVER_STATE_RECORDS]   = records_q;
    assign state[`RLC_SERVER_STATE_SAMPLES]   = samples_q;
    assign state[`RLC_SERVER_STATE_UPDATES]   = updates_q;
    assign state[`RLC_SERVER_STATE_STALE]     = stale_q;
    assign state[`RLC_SERVER_STATE_RANGE]     = range_q;
    assign state[`RLC_SERVER_STATE_SATURATED] = saturated_q;
    wire unused = &{1'b0, widest[32]};
endmodule
`default_nettype wire
