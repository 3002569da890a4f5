// rlc_replay_server_job.v — takes one request after the other, and says what the memory does at a time.
// SPDX-License-Identifier: Apache-2.0
//
// s_do_*       a request; s_head: its head. A PUT and a PRIO are taken at once, all others when the tree has settled
// does         pulse: it is taken; puts: it is a PUT whose records come with it; draws: it is a SAMPLE or a READ. job: it, from the
//              clock behind until the next one
// phase        rlc_replay_server_phases.vh
// status       of an answer without text
// the others   what ends a phase: cleared (the tree has begun to clear itself), swept (the heads are clear), taken (the payload's
//              last word), loads, none (the generator is loaded; no slot has a priority), same (it is the batch that is wanted),
//              listed, finished (rlc_replay_server_batch), kept (a new batch's list is on its way to memory), named, known (rlc_replay_server_sets),
//              stored (a chunk, too), gathered (all parts are in memory), shown, m_part_ready (an answer went)
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_replay_server_words.vh"
module rlc_replay_server_job #(
    parameter ASSEMBLIES = 0 // PUTs in many parts of a client at once
) (
    input  wire                 clk,
    input  wire                 rst,
    `RLC_STREAM_SLAVE(s_do, `RLC_SERVER_ASKED_BITS),
    input  wire `RLC_SERVER_HEAD   s_head,
    output wire                 does,
    output wire                 puts,
    output wire                 draws,
    output reg  `RLC_SERVER_JOB    job,
    output reg  [4:0]           phase,
    output reg  [3:0]           status,
    input  wire                 cleared,
    input  wire                 settled,
    input  wire                 swept,
    input  wire                 taken,
    input  wire                 loads,
    input  wire                 none,
    input  wire                 same,
    input  wire                 listed,
    input  wire                 finished,
    input  wire                 kept,
    input  wire                 named,
    input  wire                 known,
    input  wire [3:0]           known_status,
    input  wire                 stored,
    input  wire                 gathered,
    input  wire                 shown,
    input  wire                 m_part_ready
);
    `include "rlc_replay_server_defs.vh"
    `include "rlc_replay_server_phases.vh"
    wire [2:0]  op    = s_head[`RLC_SERVER_HEAD_OP];
    wire [63:0] seq_number = s_head[`RLC_SERVER_HEAD_SEQUENCE];
    wire [2:0]  flags = s_head[`RLC_SERVER_HEAD_FLAGS];
    wire [15:0] row   = s_head[`RLC_SERVER_HEAD_PART];
    wire        part  = ASSEMBLIES != 0 && s_do_data[`RLC_SERVER_ASKED_KEEP];
    wire        put   = op == OP_PUT && !part;
    wire        quick = put || op == OP_PRIO;
    assign does       = s_do_valid && s_do_ready;
    assign puts       = does && put;
    assign draws      = does && (op == OP_SAMPLE || op == OP_READ);
    assign s_do_ready = phase == PH_IDLE && (quick || settled);
    always @(posedge clk)
        if (does) begin
            job[`RLC_SERVER_JOB_FRESH]    <= op == OP_SAMPLE && !s_do_data[`RLC_SERVER_ASKED_AGAIN];
            job[`RLC_SERVER_JOB_AGAIN]    <= op == OP_SAMPLE && s_do_data[`RLC_SERVER_ASKED_AGAIN];
            job[`RLC_SERVER_JOB_READ]     <= op == OP_READ;
            job[`RLC_SERVER_JOB_WEIGHTS]  <= op == OP_WEIGHTS;
            job[`RLC_SERVER_JOB_KEEP]     <= part;
            job[`RLC_SERVER_JOB_WHOLE]    <= s_do_data[`RLC_SERVER_ASKED_WHOLE];
            job[`RLC_SERVER_JOB_SEEDS]    <= flags[2];
            job[`RLC_SERVER_JOB_WEIGHS]   <= flags[1];
            job[`RLC_SERVER_JOB_STRATA]   <= flags[0];
            job[`RLC_SERVER_JOB_CLIENT]   <= s_head[`RLC_SERVER_HEAD_CLIENT];
            job[`RLC_SERVER_JOB_SLOT]     <= part ? s_do_data[`RLC_SERVER_ASKED_WAY] : seq_number[1:0];
            job[`RLC_SERVER_JOB_PART]     <= row[5:0];
            job[`RLC_SERVER_JOB_WORDS]    <= s_head[`RLC_SERVER_HEAD_WORDS];
            job[`RLC_SERVER_JOB_COUNT]    <= s_head[`RLC_SERVER_HEAD_COUNT];
            job[`RLC_SERVER_JOB_CHUNK]    <= s_head[`RLC_SERVER_HEAD_CHUNK];
            job[`RLC_SERVER_JOB_EPOCH]    <= s_head[`RLC_SERVER_HEAD_EPOCH];
            job[`RLC_SERVER_JOB_SEQUENCE] <= seq_number;
        end

    wire keep  = job[`RLC_SERVER_JOB_KEEP];
    wire fresh = job[`RLC_SERVER_JOB_FRESH];
    always @(posedge clk) begin
        if (rst) phase <= PH_BEGIN;
        else
            case (phase)
                PH_BEGIN:  if (cleared) phase <= PH_CLEARS;
                PH_CLEARS: if (settled && swept) phase <= PH_IDLE;
                PH_IDLE:   if (does) phase <= part ? PH_KNOW : (op == OP_PUT) ? PH_PUT : (op == OP_PRIO) ? PH_PRIO
                                            : (op == OP_SAMPLE) ? PH_TAKE : (op == OP_READ) ? PH_LIST : PH_NAME;
                PH_PUT:    if (taken) phase <= PH_ANSWER;
                PH_PRIO:   if (taken) phase <= PH_ANSWER;
                PH_TAKE:   if (taken) phase <= job[`RLC_SERVER_JOB_AGAIN] ? PH_FIND : PH_SEED;
                PH_SEED:   if (loads) phase <= none ? PH_ANSWER : PH_TEXT;
                PH_FIND:   phase <= PH_FOUND;
                PH_FOUND:  phase <= same ? PH_LIST : PH_ANSWER;
                PH_LIST:   if (listed) phase <= PH_TEXT;
                PH_TEXT:   if (finished && (!fresh || kept)) phase <= PH_IDLE;
                PH_NAME:   if (named) phase <= PH_KNOW;
                PH_KNOW:   if (known || keep) phase <= (job[`RLC_SERVER_JOB_WEIGHTS] || keep) ? PH_STORE
                                                     : (known_status == ST_OK) ? PH_SHOW : PH_ANSWER;
                PH_STORE:  if (stored) phase <= (keep && job[`RLC_SERVER_JOB_WHOLE]) ? PH_GATHER : PH_ANSWER;
                PH_GATHER: if (gathered) phase <= PH_PUT;
                PH_SHOW:   if (shown) phase <= PH_IDLE;
                default:   if (m_part_ready) phase <= PH_IDLE;
            endcase
        status <= (phase == PH_KNOW || phase == PH_STORE) ? known_status : (phase == PH_SEED) ? ST_EMPTY
                : (phase == PH_FOUND) ? ST_OLD : (phase == PH_ANSWER) ? status : ST_OK;
    end
    wire unused = &{1'b0, s_head, s_do_data, job, row};
endmodule
`default_nettype wire
