// rlc_replay_server_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration replay_server.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter RECORD_BYTES     = 48,                                                // bytes of a record (8 to 65400)
parameter PART_BYTES       = 1392,                                              // bytes of the longest payload of a frame (256 to 65408)
parameter CLIENTS          = 256,                                               // client numbers (1 to 65536)
parameter SAMPLE_MAX       = 1024,                                              // largest batch (1 to 32768)
parameter CREDIT           = 32,                                                // requests of a client that may be unanswered (1 to 64)
parameter WEIGHTS_MAX      = 0,                                                 // bytes of the largest set of weights; 0: it has none (0 to 536870912)
parameter BANKS            = 1,                                                 // servers behind one address, of which this is one (1, 2, 4, 8, 16, 32, 64, 128 or 256)
parameter ASSEMBLIES       = 0,                                                 // PUTs in many parts of a client that are put together at once; 0: they have no credit (0 to 4)
parameter KEYED            = 0,                                                 // whether each frame, in both directions, has a MAC with the key that clients and server share (0 or 1)
parameter ADDR_WIDTH       = 34,                                                // bits of an address of m_axi (12 to 64)
parameter LEAVES_LOG2      = 20,                                                // log2 of the leaves of the tree (1 to 24)
parameter RADIX_LOG2       = 4,                                                 // log2 of the radix, a decimal digit per level, leaves last (every digit 1 to 6)
parameter CAPACITY         = 1048576,                                           // largest number of slots (1 to 16777216)
parameter PRIORITY_WIDTH   = 18,                                                // bits of a priority (1 to 32)
parameter DRAW_WIDTH       = 32,                                                // bits of a draw (1 to 32)
parameter GENERATION_WIDTH = 16,                                                // bits of a generation tag; 0: no tags (0 to 16)
parameter SHARED           = 0,                                                 // whether operations and samples share one copy of the leaves (0 or 1)
parameter HEAD_STYLE       = 2,                                                 // memory of the head (0 auto, 1 distributed, 2 block, 3 ultra)
parameter HEAD_LATENCY     = 2,                                                 // clocks of a read of the head (1 to 5)
parameter NARROW_STYLE     = 2,                                                 // memories of the updates, a digit per level (every digit 0 auto, 1 distributed, 2 block, 3 ultra)
parameter NARROW_LATENCY   = 2,                                                 // clocks of a read of the updates' memories, a digit per level (every digit 1 to 5)
parameter WIDE_STYLE       = 2,                                                 // memories of the samples, a digit per level (every digit 0 auto, 1 distributed, 2 block, 3 ultra)
parameter WIDE_LATENCY     = 2,                                                 // clocks of a read of the samples' memories, a digit per level (every digit 1 to 5)
parameter BYPASS           = 0,                                                 // whether the device lacks RAM that reads before it writes (0 or 1)
parameter ADDS             = 2,                                                 // adders in series per clock (1 to 6)
parameter INDEX_WIDTH      = LEAVES_LOG2,                                       // derived, leave it alone: bits of a slot's number
parameter GENERATION_BITS  = (GENERATION_WIDTH > 0) ? GENERATION_WIDTH : 1,     // derived, leave it alone: bits of a generation on ports
parameter SUM_WIDTH        = PRIORITY_WIDTH + LEAVES_LOG2,                      // derived, leave it alone: bits of a total
parameter VALUE_WIDTH      = (SUM_WIDTH > DRAW_WIDTH) ? SUM_WIDTH : DRAW_WIDTH  // derived, leave it alone: bits of a request's value
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_REPLAY_SERVER_LEGAL
`define RLC_REPLAY_SERVER_LEGAL(top) \
    `RLC_CHECK(RECORD_BYTES >= 8 && RECORD_BYTES <= 65400, \
               top``_illegal_RECORD_BYTES_must_be_8_to_65400) \
    `RLC_CHECK(PART_BYTES >= 256 && PART_BYTES <= 65408, \
               top``_illegal_PART_BYTES_must_be_256_to_65408) \
    `RLC_CHECK(CLIENTS >= 1 && CLIENTS <= 65536, \
               top``_illegal_CLIENTS_must_be_1_to_65536) \
    `RLC_CHECK(SAMPLE_MAX >= 1 && SAMPLE_MAX <= 32768, \
               top``_illegal_SAMPLE_MAX_must_be_1_to_32768) \
    `RLC_CHECK(CREDIT >= 1 && CREDIT <= 64, \
               top``_illegal_CREDIT_must_be_1_to_64) \
    `RLC_CHECK(WEIGHTS_MAX >= 0 && WEIGHTS_MAX <= 536870912, \
               top``_illegal_WEIGHTS_MAX_must_be_0_to_536870912) \
    `RLC_CHECK(BANKS == 1 || BANKS == 2 || BANKS == 4 || BANKS == 8 || BANKS == 16 || BANKS == 32 || BANKS == 64 || BANKS == 128 || BANKS == 256, \
               top``_illegal_BANKS_must_be_1_or_2_or_4_or_8_or_16_or_32_or_64_or_128_or_256) \
    `RLC_CHECK(ASSEMBLIES >= 0 && ASSEMBLIES <= 4, \
               top``_illegal_ASSEMBLIES_must_be_0_to_4) \
    `RLC_CHECK(KEYED == 0 || KEYED == 1, \
               top``_illegal_KEYED_must_be_0_or_1) \
    `RLC_CHECK(ADDR_WIDTH >= 12 && ADDR_WIDTH <= 64, \
               top``_illegal_ADDR_WIDTH_must_be_12_to_64) \
    `RLC_CHECK(INDEX_WIDTH == (LEAVES_LOG2) && GENERATION_BITS == ((GENERATION_WIDTH > 0) ? GENERATION_WIDTH : 1) && SUM_WIDTH == (PRIORITY_WIDTH + LEAVES_LOG2) && VALUE_WIDTH == ((SUM_WIDTH > DRAW_WIDTH) ? SUM_WIDTH : DRAW_WIDTH), \
               top``_illegal_INDEX_WIDTH_and_GENERATION_BITS_and_SUM_WIDTH_and_VALUE_WIDTH_follow_from_the_others)
`endif
