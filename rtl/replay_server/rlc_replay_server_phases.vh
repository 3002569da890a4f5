// rlc_replay_server_phases.vh — what the memory of a replay server does at a time, included inside a module.
// SPDX-License-Identifier: Apache-2.0

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
localparam [4:0] PH_BEGIN  = 5'd0;  // the tree is told to clear itself
localparam [4:0] PH_CLEARS = 5'd1;  // it does, and so do the heads of the last batches
localparam [4:0] PH_IDLE   = 5'd2;  // a request may come
localparam [4:0] PH_PUT    = 5'd3;  // records come
localparam [4:0] PH_PRIO   = 5'd4;  // updates come
localparam [4:0] PH_TAKE   = 5'd5;  // a SAMPLE's words come
localparam [4:0] PH_SEED   = 5'd6;  // the generator is loaded
localparam [4:0] PH_FIND   = 5'd7;  // a batch of before is looked for
localparam [4:0] PH_FOUND  = 5'd8;  // is it the one?
localparam [4:0] PH_LIST   = 5'd9;  // a list comes, and its slots are looked at
localparam [4:0] PH_TEXT   = 5'd10; // a batch is answered
localparam [4:0] PH_ANSWER = 5'd11; // an answer without text
localparam [4:0] PH_NAME   = 5'd12; // of weights: version, total and offset come
localparam [4:0] PH_KNOW   = 5'd13; // which set, and which area
localparam [4:0] PH_STORE  = 5'd14; // words of a chunk, or of a part, come
localparam [4:0] PH_SHOW   = 5'd15; // a chunk is answered
localparam [4:0] PH_GATHER = 5'd16; // all parts of a PUT are on their way to memory
/* verilator lint_restore */
