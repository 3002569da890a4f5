// rlc_rl_prio.v — puts the priorities of DP columns in a row: one a clock, in the order of the records.
// SPDX-License-Identifier: Apache-2.0
//
// s_*        one batch slice a word: a priority, `record` and `last` a column
// m_*        the priorities of the columns with a record, in order. m_last with the batch's last record; if that is no
//            valid record, a 0 takes its place
// latency    1 clock; a batch slice takes DP clocks, or longer when m stalls
// proof      verif/learner/formal/rlc_rl_prio.sby: nothing lost, doubled or out of order, every last goes out
`default_nettype none
`include "rlc_axi.vh"
module rlc_rl_prio #(
    parameter DP    = 2, // columns
    parameter WIDTH = 26 // bits of a priority, at most 32
) (
    input  wire                clk,
    input  wire                rst,
    `RLC_STREAM_SLAVE(s, DP*WIDTH),
    input  wire [DP-1:0]       s_record,
    input  wire [DP-1:0]       s_last,
    `RLC_STREAM_MASTER(m, 32),
    output wire                m_last
);
    localparam COUNT_WIDTH = $clog2(DP + 2);
    localparam [31:0] DP_32 = DP;

    // The column whose turn it is stands in the lowest places.
    reg [COUNT_WIDTH-1:0] remaining_q; // columns of the batch slice still to go
    reg [DP*WIDTH-1:0]    data_q;
    reg [DP-1:0]          record_q, last_q;

    wire some = remaining_q != {COUNT_WIDTH{1'b0}};
    wire one  = remaining_q == {{(COUNT_WIDTH-1){1'b0}}, 1'b1};
    wire next = some && (m_ready || !m_valid);

    assign s_ready = !some || (one && next);
    assign m_valid = some && (record_q[0] || last_q[0]);
    assign m_data  = {{(32-WIDTH){1'b0}}, data_q[WIDTH-1:0] & {WIDTH{record_q[0]}}};
    assign m_last  = last_q[0];

    always @(posedge clk) begin
        if (rst) remaining_q <= {COUNT_WIDTH{1'b0}};
        else if (s_valid && s_ready) remaining_q <= DP_32[COUNT_WIDTH-1:0];
        else if (next) remaining_q <= remaining_q - 1'b1;
    end

    always @(posedge clk) begin
        if (s_valid && s_ready) begin
            data_q   <= s_data;
            record_q <= s_record;
            last_q   <= s_last;
        end else if (next) begin
            data_q   <= data_q >> WIDTH;
            record_q <= record_q >> 1;
            last_q   <= last_q >> 1;
        end
    end
endmodule
`default_nettype wire
