// rlc_replay_pack.v — words of the experience stream to beats of the memory, low bits first.
// SPDX-License-Identifier: Apache-2.0
//
// s_*         words; s_last with a record's last: its beat goes out with zeros where no word stands
// m_*         beats. DATA >= WORD: floor(DATA / WORD) words each, the bits above them 0. Else a word is
//             ceil(WORD / DATA) beats. m_last with a record's last
// latency     1 clock; a word or a beat a clock, whichever there are more of
`default_nettype none
`include "rlc_axi.vh"
module rlc_replay_pack #(
    parameter WORD = 128, // bits of a word
    parameter DATA = 128  // bits of a beat
) (
    input  wire            clk,
    input  wire            rst,
    `RLC_STREAM_SLAVE(s, WORD),
    input  wire            s_last,
    `RLC_STREAM_MASTER(m, DATA),
    output wire            m_last
);
    if (DATA >= WORD) begin : g_join
        localparam RATIO = DATA / WORD;
        localparam SUB   = (RATIO > 1) ? $clog2(RATIO) : 1;
        reg  [RATIO*WORD-1:0] beat_q;
        reg                   full_q;
        reg                   last_q;
        wire [SUB-1:0]        sub;
        wire                  top;
        wire take = s_valid && s_ready;
        rlc_mod_counter #(.COUNT(RATIO)) u_sub (
            .clk(clk), .restart(rst || (take && s_last)), .step(take), .at(sub), .last(top)
        );

        // The beat that begins clears what the one before left.
        integer k;
        always @(posedge clk) begin
            if (take) begin
                last_q <= s_last;
                for (k = 0; k < RATIO; k = k + 1)
                    if (sub == k[SUB-1:0])       beat_q[k*WORD +: WORD] <= s_data;
                    else if (sub == {SUB{1'b0}}) beat_q[k*WORD +: WORD] <= {WORD{1'b0}};
            end
        end
        always @(posedge clk) full_q <= !rst && (take ? s_last || top : full_q && !m_ready);

        wire [DATA:0] wide = {{(DATA+1-RATIO*WORD){1'b0}}, beat_q};
        assign s_ready = !full_q || m_ready;
        assign m_valid = full_q;
        assign m_data  = wide[DATA-1:0];
        assign m_last  = last_q;
        wire unused = &{1'b0, wide[DATA]};
    end else begin : g_split
        localparam SPLIT = (WORD + DATA - 1) / DATA;
        localparam LEFT  = $clog2(SPLIT + 1);
        localparam [31:0] ALL = SPLIT;
        localparam [LEFT-1:0] ONE = 1;
        reg  [SPLIT*DATA-1:0] word_q;
        reg  [LEFT-1:0]       remaining_q; // beats of the word still to go
        reg                   last_q;
        wire [SPLIT*DATA:0] wide = {{(SPLIT*DATA+1-WORD){1'b0}}, s_data};

        assign s_ready = remaining_q == {LEFT{1'b0}} || (remaining_q == ONE && m_ready);
        assign m_valid = remaining_q != {LEFT{1'b0}};
        assign m_data  = word_q[DATA-1:0];
        assign m_last  = last_q && remaining_q == ONE;
        always @(posedge clk) begin
            if (rst) remaining_q <= {LEFT{1'b0}};
            else if (s_valid && s_ready) remaining_q <= ALL[LEFT-1:0];
            else if (m_valid && m_ready) remaining_q <= remaining_q - ONE;
        end
        always @(posedge clk) begin
            if (s_valid && s_ready) begin
                word_q <= wide[SPLIT*DATA-1:0];
                last_q <= s_last;
            end else if (m_ready) begin
                word_q <= word_q >> DATA;
            end
        end
        wire unused = &{1'b0, wide[SPLIT*DATA]};
    end
endmodule
`default_nettype wire
