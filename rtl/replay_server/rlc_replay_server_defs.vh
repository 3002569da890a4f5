// rlc_replay_server_defs.vh — codes of the protocol (docs/net.md), included inside a module.
// SPDX-License-Identifier: Apache-2.0

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
localparam [2:0] OP_HELLO   = 3'd0;
localparam [2:0] OP_PUT     = 3'd1;
localparam [2:0] OP_SAMPLE  = 3'd2;
localparam [2:0] OP_READ    = 3'd3;
localparam [2:0] OP_PRIO    = 3'd4;
localparam [2:0] OP_WEIGHTS = 3'd5;
localparam [2:0] OP_GET     = 3'd6;
localparam [2:0] OP_STAT    = 3'd7;

localparam [3:0] ST_OK       = 4'd0;
localparam [3:0] ST_EMPTY    = 4'd1;
localparam [3:0] ST_GONE     = 4'd2;
localparam [3:0] ST_STALE    = 4'd3;
localparam [3:0] ST_REFUSED  = 4'd4;
localparam [3:0] ST_WAIT     = 4'd5;
localparam [3:0] ST_PART     = 4'd6;
localparam [3:0] ST_OLD      = 4'd7;
localparam [3:0] ST_EPOCH    = 4'd8;
localparam [3:0] ST_INSTANCE = 4'd9;
localparam [3:0] ST_SCHEMA   = 4'd10;
localparam [3:0] ST_NONE     = 4'd11;
localparam [3:0] ST_COOKIE   = 4'd12;
localparam [3:0] ST_ADDRESS  = 4'd13;

// What is wrong with a datagram.
localparam [2:0] BAD_NONE      = 3'd0;
localparam [2:0] BAD_LENGTH    = 3'd1;
localparam [2:0] BAD_VERSION   = 3'd2;
localparam [2:0] BAD_CRC       = 3'd3;
localparam [2:0] BAD_MALFORMED = 3'd4;
localparam [2:0] BAD_KEY       = 3'd5;

// What the window says of a request.
localparam [2:0] SAYS_ACCEPT = 3'd0;
localparam [2:0] SAYS_REPEAT = 3'd1;
localparam [2:0] SAYS_CREDIT = 3'd2;
localparam [2:0] SAYS_WAIT   = 3'd3;
localparam [2:0] SAYS_EPOCH  = 3'd4;
localparam [2:0] SAYS_ADDRESS = 3'd5;
/* verilator lint_restore */
