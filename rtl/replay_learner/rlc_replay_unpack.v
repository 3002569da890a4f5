// rlc_replay_unpack.v — beats of the memory to words of the record stream: what rlc_replay_pack put together.
// SPDX-License-Identifier: Apache-2.0
//
// s_*         beats of whole records, one record after the other
// m_*         their words; what a record's last beat holds behind its last word is left out
// latency     1 clock; a word or a beat a clock, whichever there are more of
`default_nettype none
`include "rlc_axi.vh"
module rlc_replay_unpack #(
    parameter WORD  = 128, // bits of a word
    parameter DATA  = 128, // bits of a beat
    parameter WORDS = 3    // words a record, >= 2
) (
    input  wire            clk,
    input  wire            rst,
    `RLC_STREAM_SLAVE(s, DATA),
    `RLC_STREAM_MASTER(m, WORD)
);
    if (DATA >= WORD) begin : g_split
        localparam RATIO = DATA / WORD;
        reg  [RATIO*WORD-1:0] beat_q;
        reg                   valid_q;
        wire ends_record, beat_full;
        wire ends_beat = ends_record || beat_full;
        wire give      = valid_q && m_ready;
        rlc_mod_counter #(.COUNT(WORDS)) u_place (.clk(clk), .restart(rst), .step(give), .at(), .last(ends_record));
        rlc_mod_counter #(.COUNT(RATIO)) u_sub (
            .clk(clk), .restart(rst || (give && ends_record)), .step(give), .at(), .last(beat_full)
        );

        assign s_ready = !valid_q || (m_ready && ends_beat);
        assign m_valid = valid_q;
        assign m_data  = beat_q[WORD-1:0];
        always @(posedge clk)
            if (rst)          valid_q <= 1'b0;
            else if (s_ready) valid_q <= s_valid;
        always @(posedge clk) begin
            if (s_ready)   beat_q <= s_data[RATIO*WORD-1:0];
            else if (give) beat_q <= beat_q >> WORD;
        end
        wire unused = &{1'b0, s_data};
    end else begin : g_join
        localparam SPLIT = (WORD + DATA - 1) / DATA;
        localparam SUB   = $clog2(SPLIT);
        reg  [SPLIT*DATA-1:0] word_q;
        reg                   full_q;
        wire [SUB-1:0]        sub;
        wire take = s_valid && s_ready;
        wire ends;
        rlc_mod_counter #(.COUNT(SPLIT)) u_sub (.clk(clk), .restart(rst), .step(take), .at(sub), .last(ends));

        assign s_ready = !full_q || m_ready;
        assign m_valid = full_q;
        assign m_data  = word_q[WORD-1:0];
        integer k;
        always @(posedge clk) begin
            if (take)
                for (k = 0; k < SPLIT; k = k + 1)
                    if (sub == k[SUB-1:0]) word_q[k*DATA +: DATA] <= s_data;
        end
        always @(posedge clk) full_q <= !rst && (take ? ends : full_q && !m_ready);
        wire unused = &{1'b0, word_q};
    end
endmodule
`default_nettype wire
