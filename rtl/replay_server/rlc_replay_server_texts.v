// rlc_replay_server_texts.v — payloads of answers that are made without the memory, and the counters that STAT reports.
// SPDX-License-Identifier: Apache-2.0
//
// cfg_*        what a HELLO is told, besides the parameters
// s_head       the request; verdict: of rlc_replay_server_verdict
// begins, accepts, counted   pulses: a datagram has come, a request was accepted, and what rlc_replay_server_verdict counts
// state        what STAT reports of the memory
// at, text     a word of the payload: of a HELLO's answer, of STAT's, or the parts that are there
`default_nettype none
`include "rlc_replay_server_words.vh"
module rlc_replay_server_texts #(
    parameter CAPACITY         = 1048576, // slots
    parameter RECORD_BYTES     = 48,      // bytes of a record
    parameter PART_BYTES       = 1392,    // bytes of the longest payload
    parameter CLIENTS          = 256,     // client numbers
    parameter SAMPLE_MAX       = 1024,    // largest batch
    parameter PRIORITY_WIDTH   = 18,      // bits of a priority
    parameter GENERATION_WIDTH = 16,      // bits of a generation
    parameter WEIGHTS_MAX      = 0,       // bytes of the largest set of weights
    parameter ASSEMBLIES       = 0,       // PUTs in many parts of a client at once
    parameter BANKS            = 1,       // servers behind one address; this one is cfg_bank
    parameter KEYED            = 0        // 1: frames have a MAC
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire [15:0]              cfg_alpha,
    input  wire [15:0]              cfg_scale,
    input  wire [31:0]              cfg_epsilon,
    input  wire [7:0]               cfg_bank,
    input  wire `RLC_SERVER_HEAD       s_head,
    input  wire                     begins,
    input  wire                     foreign,
    input  wire                     accepts,
    input  wire `RLC_SERVER_COUNTED    counted,
    input  wire `RLC_SERVER_STATE      state,
    input  wire `RLC_SERVER_VERDICT    verdict,
    input  wire [63:0]              schema,
    input  wire [63:0]              cookie,
    input  wire [63:0]              mask,
    input  wire [4:0]               at,
    output wire [63:0]              text
);
    `include "rlc_replay_server_defs.vh"
    localparam [31:0] CAPACITY_32 = CAPACITY, RECORD_32 = RECORD_BYTES, PART_32 = PART_BYTES, CLIENTS_32 = CLIENTS;
    localparam [31:0] WEIGHTS_32 = WEIGHTS_MAX, SAMPLE_32 = SAMPLE_MAX, PRIORITY_32 = PRIORITY_WIDTH, GENERATION_32 = GENERATION_WIDTH;
    localparam [31:0] OTHERS_32 = BANKS - 1, ASSEMBLIES_32 = ASSEMBLIES;

    // ---- counters, in the order of STAT but for those of the memory, which stand behind the first three.
    localparam COUNTERS = 13, BEFORE = 3;
    wire [2:0]          op  = s_head[`RLC_SERVER_HEAD_OP];
    wire [2:0]          bad = s_head[`RLC_SERVER_HEAD_BAD];
    wire [COUNTERS-1:0] counts = {
        counted[`RLC_SERVER_COUNTED_UNPROVED], begins && bad == BAD_NONE && foreign, counted[`RLC_SERVER_COUNTED_EPOCH],
        counted[`RLC_SERVER_COUNTED_WAITS], counted[`RLC_SERVER_COUNTED_CREDIT],
        (begins && bad == BAD_MALFORMED) || counted[`RLC_SERVER_COUNTED_LIES], KEYED != 0 && begins && bad == BAD_KEY,
        begins && bad == BAD_CRC, begins && bad == BAD_VERSION, begins && bad == BAD_LENGTH, counted[`RLC_SERVER_COUNTED_REPEATS],
        accepts, begins};
    reg [64*COUNTERS-1:0] count_q;
    integer i;
    always @(posedge clk)
        for (i = 0; i < COUNTERS; i = i + 1)
            if (rst)            count_q[64*i +: 64] <= 64'd0;
            else if (counts[i]) count_q[64*i +: 64] <= count_q[64*i +: 64] + 64'd1;

    wire [64*7-1:0]  told = {
        8'd0, cfg_bank & OTHERS_32[7:0], OTHERS_32[15:0], cfg_epsilon,
        cfg_scale, cfg_alpha, GENERATION_32[15:0], PRIORITY_32[15:0],
        ASSEMBLIES_32[15:0], 16'd4, verdict[`RLC_SERVER_VERDICT_TOLD],
        WEIGHTS_32, SAMPLE_32,
        CLIENTS_32, PART_32,
        RECORD_32, CAPACITY_32,
        schema};
    wire [64*25-1:0] stat = {
        count_q[64*BEFORE +: 64*(COUNTERS-BEFORE)],
        state[`RLC_SERVER_STATE_SATURATED], state[`RLC_SERVER_STATE_RANGE], state[`RLC_SERVER_STATE_STALE], state[`RLC_SERVER_STATE_UPDATES],
        state[`RLC_SERVER_STATE_SAMPLES], state[`RLC_SERVER_STATE_RECORDS],
        count_q[0 +: 64*BEFORE],
        state[`RLC_SERVER_STATE_VERSION], 32'd0, state[`RLC_SERVER_STATE_LARGEST], state[`RLC_SERVER_STATE_TOTAL],
        32'd0, state[`RLC_SERVER_STATE_NEXT], 32'd0, state[`RLC_SERVER_STATE_SIZE], 32'd0, CAPACITY_32};
    assign text = (op == OP_HELLO) ? ((verdict[`RLC_SERVER_VERDICT_STATUS] == ST_COOKIE) ? cookie : told[64*at[2:0] +: 64])
                : (ASSEMBLIES != 0 && op == OP_PUT) ? mask : stat[64*at +: 64];
    wire unused = &{1'b0, s_head, verdict};
endmodule
`default_nettype wire
