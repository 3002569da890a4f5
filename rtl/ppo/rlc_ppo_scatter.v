// rlc_ppo_scatter.v — takes batch slices of DP columns apart into samples, one after the other.
// SPDX-License-Identifier: Apache-2.0
//
// s_*        words of a batch slice, column d lane k at element d * LANES + k
// m_*        DP samples per batch slice, the first column's first; each has SIZE elements, the first one lowest
// latency    2 clocks from a batch slice's last word to its first sample
// throughput one word and one sample per clock; a batch slice comes in while the one before leaves
`default_nettype none
`include "rlc_axi.vh"
module rlc_ppo_scatter #(
    parameter DP    = 2,  // columns
    parameter LANES = 1,  // elements per word and column
    parameter SIZE  = 2,  // elements of a sample
    parameter WIDTH = 27  // bits of an element
) (
    input  wire clk,
    input  wire rst,
    `RLC_STREAM_SLAVE(s, DP*LANES*WIDTH),
    `RLC_STREAM_MASTER(m, SIZE*WIDTH)
);
    localparam WORDS  = (SIZE + LANES - 1) / LANES;
    localparam WORD   = LANES * WIDTH;
    localparam COLUMN = WORDS * WORD;

    reg  [DP*COLUMN-1:0] fill_q, play_q;
    reg                  full_q, playing_q;
    wire                 fill_end, play_end;
    wire                 move = full_q && (!playing_q || (m_ready && play_end));
    wire                 take = s_valid && s_ready;
    wire                 give = playing_q && m_ready;
    wire [DP*COLUMN+COLUMN-1:0] onward = {{COLUMN{1'b0}}, play_q};
    assign s_ready = !full_q || move;
    assign m_valid = playing_q;
    assign m_data  = play_q[SIZE*WIDTH-1:0];
    rlc_mod_counter #(.COUNT(WORDS)) u_fill (.clk(clk), .restart(rst), .step(take), .at(), .last(fill_end));
    rlc_mod_counter #(.COUNT(DP)) u_play (.clk(clk), .restart(rst), .step(give), .at(), .last(play_end));

    // A column's first word moves down to its low end.
    genvar d;
    for (d = 0; d < DP; d = d + 1) begin : g_column
        wire [COLUMN+WORD-1:0] pushed = {s_data[d*WORD +: WORD], fill_q[d*COLUMN +: COLUMN]};
        always @(posedge clk) if (take) fill_q[d*COLUMN +: COLUMN] <= pushed[COLUMN+WORD-1:WORD];
        wire unused = &{1'b0, pushed[WORD-1:0]};
    end
    always @(posedge clk) begin
        if (rst) begin
            full_q    <= 1'b0;
            playing_q <= 1'b0;
        end else begin
            full_q    <= (take && fill_end) || (full_q && !move);
            playing_q <= move || (playing_q && !(give && play_end));
        end
        if (move)      play_q <= fill_q;
        else if (give) play_q <= onward[DP*COLUMN+COLUMN-1:COLUMN];
    end
    wire unused = &{1'b0, onward[COLUMN-1:0], play_q};
endmodule
`default_nettype wire
