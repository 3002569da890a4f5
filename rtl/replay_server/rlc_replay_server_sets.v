// rlc_replay_server_sets.v — sets of weights: where a chunk goes, which one is wanted, and the answer that shows it.
// SPDX-License-Identifier: Apache-2.0
//
// asks         pulse: version, total and offset of a chunk are in `given`
// known        level until the next `asks`: status, words and area (0 to 2) of the chunk stand
// stores, store_words   the words that come next go to memory: of a chunk that is taken, of a part of a PUT
// offers       level: the answer's part waits for m_part_ready; m_text_*: its two words of head, then the chunk from s_beat_*
// shown        pulse: the last word has gone
// published    version of the newest set
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_replay_server_words.vh"
module rlc_replay_server_sets #(
    `include "rlc_replay_server_parameters.vh"
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [4:0]           phase,
    input  wire `RLC_SERVER_JOB    job,
    input  wire                 asks,
    input  wire [127:0]         given,
    output wire                 known,
    output wire [3:0]           status,
    output wire [12:0]          words,
    output wire [1:0]           area,
    output wire                 stores,
    output wire [12:0]          store_words,
    output wire                 offers,
    input  wire                 m_part_ready,
    `RLC_STREAM_MASTER(m_text, 64),
    input  wire                 s_beat_valid,
    input  wire [63:0]          s_beat_data,
    output wire                 takes_beat,
    output wire                 shown,
    output wire [63:0]          published
);
    `include "rlc_replay_server_defs.vh"
    `include "rlc_replay_server_layout.vh"
    `include "rlc_replay_server_phases.vh"
    localparam CHUNK_BITS = (CHUNKS > 1) ? $clog2(CHUNKS) : 1;
    wire        put   = job[`RLC_SERVER_JOB_WEIGHTS];
    wire [22:0] chunk = job[`RLC_SERVER_JOB_CHUNK];
    wire [63:0] version;
    wire [31:0] total;
    generate
        if (WEIGHTS_MAX != 0) begin : g_weights
            rlc_replay_server_weights #(.WEIGHTS_MAX(WEIGHTS_MAX), .CHUNK(CHUNK)) u_weights (
                .clk(clk), .rst(rst), .asks(asks), .put(put), .version(given[63:0]), .total(given[95:64]),
                .offset(put ? given[127:96] : given[95:64]), .chunk(chunk[CHUNK_BITS-1:0]), .done(known),
                .status(status), .words(words), .area(area), .held_version(version), .held_total(total), .published(published)
            );
        end else begin : g_none
            assign known     = 1'b1;
            assign status    = ST_NONE;
            assign words     = 13'd0;
            assign area      = 2'd0;
            assign version   = 64'd0;
            assign total     = 32'd0;
            assign published = 64'd0;
        end
    endgenerate
    assign stores      = job[`RLC_SERVER_JOB_KEEP] || status == ST_OK;
    assign store_words = job[`RLC_SERVER_JOB_KEEP] ? job[`RLC_SERVER_JOB_WORDS] : words;

    // ---- the answer: version, total and offset, then words from memory.
    reg         part_q;                               // the part was taken
    reg  [12:0] word_q;
    wire        shows = phase == PH_SHOW;
    wire        head  = word_q < 13'd2;
    wire        moves = shows && m_text_valid && m_text_ready;
    assign offers       = shows && !part_q;
    assign shown        = moves && word_q == words + 13'd1;
    assign m_text_valid = shows && part_q && (head || s_beat_valid);
    assign m_text_data  = !head ? s_beat_data : word_q[0] ? {given[95:64], total} : version;
    assign takes_beat   = moves && !head;
    always @(posedge clk) begin
        part_q <= shows && (part_q || m_part_ready);
        word_q <= !shows ? 13'd0 : moves ? word_q + 13'd1 : word_q;
    end
    wire unused = &{1'b0, rst, job, chunk, asks, put, given};
endmodule
`default_nettype wire
