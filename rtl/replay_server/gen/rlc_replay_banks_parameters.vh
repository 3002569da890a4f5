// rlc_replay_banks_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration replay_banks.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter BYTES            = 64,   // bytes of a beat of the line (8, 16, 32 or 64)
parameter DEPTH            = 512,  // beats that wait for a bank (8 to 16384)
parameter LEAVES_LOG2      = 12,   // log2 of the leaves of the tree (1 to 24)
parameter RADIX_LOG2       = 4,    // log2 of the radix, a decimal digit per level, leaves last (every digit 1 to 6)
parameter CAPACITY         = 4096, // largest number of slots (1 to 16777216)
parameter PRIORITY_WIDTH   = 18,   // bits of a priority (1 to 32)
parameter DRAW_WIDTH       = 32,   // bits of a draw (1 to 32)
parameter GENERATION_WIDTH = 8,    // bits of a generation tag; 0: no tags (0 to 16)
parameter SHARED           = 0,    // whether operations and samples share one copy of the leaves (0 or 1)
parameter HEAD_STYLE       = 2,    // memory of the head (0 auto, 1 distributed, 2 block, 3 ultra)
parameter HEAD_LATENCY     = 2,    // clocks of a read of the head (1 to 5)
parameter NARROW_STYLE     = 2,    // memories of the updates, a digit per level (every digit 0 auto, 1 distributed, 2 block, 3 ultra)
parameter NARROW_LATENCY   = 2,    // clocks of a read of the updates' memories, a digit per level (every digit 1 to 5)
parameter WIDE_STYLE       = 2,    // memories of the samples, a digit per level (every digit 0 auto, 1 distributed, 2 block, 3 ultra)
parameter WIDE_LATENCY     = 2,    // clocks of a read of the samples' memories, a digit per level (every digit 1 to 5)
parameter BYPASS           = 0,    // whether the device lacks RAM that reads before it writes (0 or 1)
parameter ADDS             = 2,    // adders in series per clock (1 to 6)
parameter RECORD_BYTES     = 48,   // bytes of a record (8 to 65400)
parameter PART_BYTES       = 1392, // bytes of the longest payload of a frame (256 to 65408)
parameter CLIENTS          = 256,  // client numbers (1 to 65536)
parameter SAMPLE_MAX       = 1024, // largest batch (1 to 32768)
parameter CREDIT           = 32,   // requests of a client that may be unanswered (1 to 64)
parameter WEIGHTS_MAX      = 0,    // bytes of the largest set of weights; 0: it has none (0 to 536870912)
parameter BANKS            = 8,    // servers behind one address, of which this is one (1, 2, 4, 8, 16, 32, 64, 128 or 256)
parameter ASSEMBLIES       = 0,    // PUTs in many parts of a client that are put together at once; 0: they have no credit (0 to 4)
parameter KEYED            = 0,    // whether each frame, in both directions, has a MAC with the key that clients and server share (0 or 1)
parameter ADDR_WIDTH       = 34    // bits of an address of m_axi (12 to 64)
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_REPLAY_BANKS_LEGAL
`define RLC_REPLAY_BANKS_LEGAL(top) \
    `RLC_CHECK(BYTES == 8 || BYTES == 16 || BYTES == 32 || BYTES == 64, \
               top``_illegal_BYTES_must_be_8_or_16_or_32_or_64) \
    `RLC_CHECK(DEPTH >= 8 && DEPTH <= 16384, \
               top``_illegal_DEPTH_must_be_8_to_16384)
`endif
