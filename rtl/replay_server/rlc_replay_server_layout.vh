// rlc_replay_server_layout.vh — where things lie in the memory of a replay server, included inside a module with its parameters.
// SPDX-License-Identifier: Apache-2.0
//
// In pages of 4096 bytes: the records, then for each client the lists of its last 4 batches, then three sets of weights, then
// parts of PUTs, for each client 4 times 64.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
localparam CLIENT_BITS = (CLIENTS > 1) ? $clog2(CLIENTS) : 1;
localparam KEPT        = CLIENTS * 4;
localparam KEPT_BITS   = $clog2(KEPT);
localparam CHUNK       = PART_BYTES - 16;
localparam CHUNKS      = (WEIGHTS_MAX == 0) ? 1 : (WEIGHTS_MAX - 1) / CHUNK + 1;
localparam STRIDE_LOG2 = $clog2(RECORD_BYTES);
localparam LIST_LOG2   = $clog2(16 * SAMPLE_MAX);
localparam CHUNK_LOG2  = $clog2(CHUNK);
localparam PART_LOG2   = $clog2(PART_BYTES);

localparam integer RECORD_PAGES = (STRIDE_LOG2 >= 12) ? CAPACITY << ((STRIDE_LOG2 >= 12) ? STRIDE_LOG2 - 12 : 0)
                                : ((CAPACITY - 1) >> ((STRIDE_LOG2 < 12) ? 12 - STRIDE_LOG2 : 0)) + 1;
localparam integer LIST_PAGES   = (LIST_LOG2 >= 12) ? KEPT << ((LIST_LOG2 >= 12) ? LIST_LOG2 - 12 : 0)
                                : ((KEPT - 1) >> ((LIST_LOG2 < 12) ? 12 - LIST_LOG2 : 0)) + 1;
localparam integer SET_PAGES    = (WEIGHTS_MAX == 0) ? 0
                                : (CHUNK_LOG2 >= 12) ? CHUNKS << ((CHUNK_LOG2 >= 12) ? CHUNK_LOG2 - 12 : 0)
                                : ((CHUNKS - 1) >> ((CHUNK_LOG2 < 12) ? 12 - CHUNK_LOG2 : 0)) + 1;
localparam integer PARTS_PAGES  = (ASSEMBLIES == 0) ? 0
                                : (PART_LOG2 >= 12) ? (KEPT * 64) << ((PART_LOG2 >= 12) ? PART_LOG2 - 12 : 0)
                                : ((KEPT * 64 - 1) >> ((PART_LOG2 < 12) ? 12 - PART_LOG2 : 0)) + 1;
localparam [31:0] LISTS = RECORD_PAGES, SET_0 = LISTS + LIST_PAGES, SET_1 = SET_0 + SET_PAGES, SET_2 = SET_1 + SET_PAGES;
localparam [31:0] PARTS = SET_2 + SET_PAGES;
localparam integer PAGES = RECORD_PAGES + LIST_PAGES + 3 * SET_PAGES + PARTS_PAGES;
/* verilator lint_restore */
