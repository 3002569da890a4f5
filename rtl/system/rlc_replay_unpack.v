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
        localparam SUB   = (RATIO > 1) ? $clog2(RATIO) : 1;
        localparam PLACE = $clog2(WORDS);
        localparam [31:0] TOP  = RATIO - 1;
        localparam [31:0] LAST = WORDS - 1;
        reg  [RATIO*WORD-1:0] beat_q;
        reg                   valid_q;
        reg  [SUB-1:0]        sub_q;    // of the word in its beat
        reg  [PLACE-1:0]      place_q;  // of the word in its record
        wire ends_record = place_q == LAST[PLACE-1:0];
        wire ends_beat   = ends_record || sub_q == TOP[SUB-1:0];
        wire give        = valid_q && m_ready;

        assign s_ready = !valid_q || (m_ready && ends_beat);
        assign m_valid = valid_q;
        assign m_data  = beat_q[WORD-1:0];
        always @(posedge clk) begin
            if (rst) begin
                valid_q <= 1'b0;
                sub_q   <= {SUB{1'b0}};
                place_q <= {PLACE{1'b0}};
            end else begin
                if (s_ready) valid_q <= s_valid;
                if (give) begin
                    sub_q   <= ends_beat ? {SUB{1'b0}} : sub_q + 1'b1;
                    place_q <= ends_record ? {PLACE{1'b0}} : place_q + 1'b1;
                end
            end
        end
        always @(posedge clk) begin
            if (s_ready)   beat_q <= s_data[RATIO*WORD-1:0];
            else if (give) beat_q <= beat_q >> WORD;
        end
        wire unused = &{1'b0, s_data};
    end else begin : g_join
        localparam SPLIT = (WORD + DATA - 1) / DATA;
        localparam SUB   = $clog2(SPLIT);
        localparam [31:0] TOP = SPLIT - 1;
        reg  [SPLIT*DATA-1:0] word_q;
        reg  [SUB-1:0]        sub_q;
        reg                   full_q;
        wire take = s_valid && s_ready;
        wire ends = sub_q == TOP[SUB-1:0];

        assign s_ready = !full_q || m_ready;
        assign m_valid = full_q;
        assign m_data  = word_q[WORD-1:0];
        integer k;
        always @(posedge clk) begin
            if (take)
                for (k = 0; k < SPLIT; k = k + 1)
                    if (sub_q == k[SUB-1:0]) word_q[k*DATA +: DATA] <= s_data;
        end
        always @(posedge clk) begin
            if (rst) begin
                full_q <= 1'b0;
                sub_q  <= {SUB{1'b0}};
            end else begin
                full_q <= take ? ends : full_q && !m_ready;
                if (take) sub_q <= ends ? {SUB{1'b0}} : sub_q + 1'b1;
            end
        end
        wire unused = &{1'b0, word_q};
    end
endmodule
`default_nettype wire
