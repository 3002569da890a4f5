// rlc_ppo_samples.v — a network's outputs as samples, one after the other, each with what waited for it.
// SPDX-License-Identifier: Apache-2.0
//
// s_info_*   what waits for a sample's outputs; BATCH_SLICES batch slices of it wait at most
// s_end_*    a batch slice: one-hot, the column of its last sample
// s_*        outputs, words of a batch slice, column d lane k at element d * LANES + k
// m_*        a sample: SIZE elements, the first one lowest; m_info: its s_info; m_last: its batch slice has no further one.
//            A column without a sample goes nowhere
// latency    2 clocks from a batch slice's last word to its first sample
// throughput one sample per clock, and one clock for an empty column
`default_nettype none
`include "rlc_axi.vh"
module rlc_ppo_samples #(
    parameter DP           = 2,  // columns
    parameter LANES        = 1,  // elements per word and column
    parameter SIZE         = 2,  // elements of a sample
    parameter WIDTH        = 27, // bits of an element
    parameter INFO         = 1,  // bits of what waits for a sample
    parameter BATCH_SLICES = 4   // batch slices between the way in and the outputs
) (
    input  wire            clk,
    input  wire            rst,
    `RLC_STREAM_SLAVE(s_info, INFO),
    `RLC_STREAM_SLAVE(s_end, DP),
    `RLC_STREAM_SLAVE(s, DP*LANES*WIDTH),
    `RLC_STREAM_MASTER(m, SIZE*WIDTH),
    output wire [INFO-1:0] m_info,
    output wire            m_last
);
    wire            info_valid, end_valid, column_valid;
    wire [DP-1:0]   column_end;
    reg  [DP-1:0]   at_q;
    reg             past_q;                          // the columns behind the batch slice's last sample
    wire            there = column_valid && end_valid;
    wire            step  = there && (past_q || (info_valid && m_ready));
    localparam [DP-1:0] FIRST = 1;
    assign m_valid = there && !past_q && info_valid;
    assign m_last  = at_q == column_end;
    rlc_fifo #(.WIDTH(INFO), .DEPTH(BATCH_SLICES * DP), .STYLE("distributed")) u_info (
        .clk(clk), .rst(rst), `RLC_STREAM_JOIN(s, s_info), .m_valid(info_valid), .m_ready(step && !past_q),
        .m_data(m_info), .count()
    );
    rlc_fifo #(.WIDTH(DP), .DEPTH(BATCH_SLICES), .STYLE("distributed")) u_ends (
        .clk(clk), .rst(rst), `RLC_STREAM_JOIN(s, s_end), .m_valid(end_valid), .m_ready(step && at_q[DP-1]),
        .m_data(column_end), .count()
    );
    rlc_ppo_scatter #(.DP(DP), .LANES(LANES), .SIZE(SIZE), .WIDTH(WIDTH)) u_scatter (
        .clk(clk), .rst(rst), `RLC_STREAM_JOIN(s, s), .m_valid(column_valid), .m_ready(step), .m_data(m_data)
    );
    always @(posedge clk)
        if (rst) begin
            at_q   <= FIRST;
            past_q <= 1'b0;
        end else if (step) begin
            at_q   <= at_q[DP-1] ? FIRST : at_q << 1;
            past_q <= !at_q[DP-1] && (past_q || m_last);
        end
endmodule
`default_nettype wire
