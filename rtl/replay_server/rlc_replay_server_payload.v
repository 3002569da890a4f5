// rlc_replay_server_payload.v — a request's words, from the front or from memory, each to where it belongs.
// SPDX-License-Identifier: Apache-2.0
//
// s_word_*     words from the front; s_beat_*: words of a PUT whose parts are in memory, from `gathered` on until the next request
// from_memory  level: these are wanted, and taken with word_ready
// word_*       the present word, whoever takes it
// m_prio_*     it has a priority. m_record_*: it is a record's, a chunk's or a part's, and goes to memory
// list_ready   a word of a READ is taken
// stores, store_words   the words of a chunk or part that go to memory; those of a chunk that does not are thrown away
// first        pulse: the first word of an update, generation and slot
// taken        pulse: the last word. named: pulse, the words before a chunk are here. chunk_over: level in PH_STORE
// beta, given  of a SAMPLE: beta, and the generator's state; of weights: version, total and offset
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_replay_server_words.vh"
module rlc_replay_server_payload #(
    parameter RECORD_BYTES = 48, // bytes of a record
    parameter ASSEMBLIES   = 0   // PUTs in many parts of a client at once
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [4:0]           phase,
    input  wire `RLC_SERVER_JOB    job,
    input  wire                 does,
    input  wire `RLC_SERVER_HEAD   s_head,
    `RLC_STREAM_SLAVE(s_word, 64),
    input  wire                 s_beat_valid,
    input  wire [63:0]          s_beat_data,
    input  wire                 gathered,
    output wire                 from_memory,
    output wire                 word_valid,
    output wire                 word_ready,
    output wire [63:0]          word_data,
    output wire                 m_prio_valid,
    input  wire                 m_prio_ready,
    output wire                 m_record_valid,
    input  wire                 m_record_ready,
    input  wire                 list_ready,
    input  wire                 stores,
    input  wire [12:0]          store_words,
    output wire                 first,
    output wire                 taken,
    output wire                 named,
    output wire                 chunk_over,
    output wire [15:0]          beta,
    output wire [127:0]         given
);
    `include "rlc_replay_server_phases.vh"
    localparam [31:0] WORDS_32 = RECORD_BYTES / 8;
    reg         replay_q;
    always @(posedge clk) replay_q <= ASSEMBLIES != 0 && !rst && !does && (replay_q || gathered);
    assign from_memory  = replay_q;
    assign word_valid   = replay_q ? s_beat_valid : s_word_valid;
    assign word_data    = replay_q ? s_beat_data : s_word_data;
    assign s_word_ready = word_ready && !replay_q;

    reg  [15:0]  word_q;        // of a record with its priority, of an update, of a SAMPLE's
    reg  [15:0]  remaining_q;   // records, updates
    reg  [12:0]  chunk_q;       // words of the chunk that are to come
    reg          named_q;
    reg  [15:0]  beta_q;
    reg  [127:0] given_q;
    wire        put           = phase == PH_PUT;
    wire        prio          = phase == PH_PRIO;
    wire        sample        = phase == PH_TAKE;
    wire        pays_priority = (put && word_q == 16'd0) || (prio && word_q == 16'd1);
    wire        pays_record   = put && word_q != 16'd0;
    wire        pays_chunk    = phase == PH_STORE && chunk_q != 13'd0;
    wire        names         = phase == PH_NAME && !named_q;
    wire        record_last   = word_q == (put ? WORDS_32[15:0] : 16'd1);
    wire        take          = word_valid && word_ready;
    assign taken      = take && (sample ? word_q == (job[`RLC_SERVER_JOB_SEEDS] ? 16'd2 : 16'd0) : record_last && remaining_q == 16'd1);
    assign first      = take && prio && word_q == 16'd0;
    assign word_ready = pays_priority ? m_prio_ready : pays_record ? m_record_ready : pays_chunk ? m_record_ready || !stores
                      : names || prio || sample || (phase == PH_LIST && job[`RLC_SERVER_JOB_READ] && list_ready);
    assign m_prio_valid   = word_valid && pays_priority;
    assign m_record_valid = word_valid && (pays_record || (pays_chunk && stores));
    always @(posedge clk) begin
        named_q <= take && names && word_q == 16'd1 && !rst;
        if (does || gathered) begin
            word_q      <= 16'd0;
            remaining_q <= does ? s_head[`RLC_SERVER_HEAD_COUNT] : job[`RLC_SERVER_JOB_COUNT];
        end else if (take) begin
            word_q <= (!sample && record_last) ? 16'd0 : word_q + 16'd1;
            if (!sample && record_last) remaining_q <= remaining_q - 16'd1;
        end
        if (take && sample) begin
            if (word_q == 16'd0) beta_q  <= word_data[15:0];
            else                 given_q <= {word_data, given_q[127:64]};
        end
        if (take && names) given_q <= {word_data, given_q[127:64]};
        if (phase == PH_KNOW)        chunk_q <= store_words;
        else if (take && pays_chunk) chunk_q <= chunk_q - 13'd1;
    end
    assign named      = named_q;
    assign chunk_over = chunk_q == 13'd0;
    assign beta       = beta_q;
    assign given      = given_q;
    wire unused = &{1'b0, s_head, job};
endmodule
`default_nettype wire
