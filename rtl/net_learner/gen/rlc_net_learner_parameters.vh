// rlc_net_learner_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration net_learner.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter PART_BYTES           = 1392,              // bytes of the longest payload of a frame (256 to 65408)
parameter CLIENTS              = 256,               // client numbers (1 to 65536)
parameter CREDIT               = 32,                // requests of a client that may be unanswered (1 to 64)
parameter KEYED                = 0,                 // whether each frame, in both directions, has a MAC with the key that clients and server share (0 or 1)
parameter [1023:0] SIZES       = "4-8-8-2",         // neurons per layer
parameter [1023:0] LANES       = "4-4-4-2",         // elements of each layer that travel in one word
parameter [1023:0] FORWARD     = "1-2-1",           // row groups of the forward unit of each weight layer
parameter [1023:0] BACKWARD    = "1-2-1",           // row groups of the backward and weight-gradient units of each weight layer
parameter [1023:0] UPDATE_ROWS = "4-4-2",           // outputs that the update unit of each weight layer takes per clock
parameter [1023:0] UPDATE_COLS = "1-2-1",           // inputs that the update unit of each weight layer takes per clock
parameter DP                   = 1,                 // samples that are computed side by side, one per column (1 to 255)
parameter BATCH_MAX            = 64,                // longest batch (1 to 16384)
parameter RECORDS              = 8,                 // batch slices of records that can wait in front of the network (1 to 1024)
parameter OPTIMISER            = 2,                 // optimiser (0 sgd, 1 momentum, 2 adam, 3 adamw)
parameter ROUND                = 0,                 // rounding of the update (0 nearest, 1 down, 2 stochastic)
parameter POLYAK               = 0,                 // whether target weights may be averaged (0 or 1)
parameter BETA1_NUM            = 205,               // Adam: 1 - beta1 = BETA1_NUM / 2^BETA1_SHIFT (at least 1)
parameter BETA1_SHIFT          = 11,                // see BETA1_NUM (at least 1)
parameter BETA2_NUM            = 131,               // Adam: 1 - beta2 = BETA2_NUM / 2^BETA2_SHIFT (at least 1)
parameter BETA2_SHIFT          = 17,                // see BETA2_NUM (at least 1)
parameter WEIGHT_WIDTH         = 27,                // bits of a weight (19 to 27)
parameter WEIGHT_FRAC          = 22,                // bits of fraction of a weight (1 to 26)
parameter ACT_WIDTH            = 18,                // bits of an activation (18)
parameter VALUE_WIDTH          = 27,                // bits of a value, a reward and a gradient of the loss (27)
parameter GRAD_WIDTH           = 27,                // bits of a weight gradient (19 to 27)
parameter LEAVES_LOG2          = 12,                // log2 of the leaves of the tree (1 to 24)
parameter RADIX_LOG2           = 4,                 // log2 of the radix, a decimal digit per level, leaves last (every digit 1 to 6)
parameter CAPACITY             = 4096,              // largest number of slots (1 to 16777216)
parameter PRIORITY_WIDTH       = 18,                // bits of a priority (1 to 32)
parameter DRAW_WIDTH           = 32,                // bits of a draw (1 to 32)
parameter GENERATION_WIDTH     = 8,                 // bits of a generation tag; 0: no tags (0 to 16)
parameter SHARED               = 0,                 // whether operations and samples share one copy of the leaves (0 or 1)
parameter HEAD_STYLE           = 2,                 // memory of the head (0 auto, 1 distributed, 2 block, 3 ultra)
parameter HEAD_LATENCY         = 2,                 // clocks of a read of the head (1 to 5)
parameter NARROW_STYLE         = 2,                 // memories of the updates, a digit per level (every digit 0 auto, 1 distributed, 2 block, 3 ultra)
parameter NARROW_LATENCY       = 2,                 // clocks of a read of the updates' memories, a digit per level (every digit 1 to 5)
parameter WIDE_STYLE           = 2,                 // memories of the samples, a digit per level (every digit 0 auto, 1 distributed, 2 block, 3 ultra)
parameter WIDE_LATENCY         = 2,                 // clocks of a read of the samples' memories, a digit per level (every digit 1 to 5)
parameter BYPASS               = 0,                 // whether the device lacks RAM that reads before it writes (0 or 1)
parameter ADDS                 = 2,                 // adders in series per clock (1 to 6)
parameter DATA_WIDTH           = 128,               // bits of a beat of m_axi (32, 64, 128, 256, 512 or 1024)
parameter ADDR_WIDTH           = 34,                // bits of an address of m_axi (12 to 64)
parameter READS                = 16,                // most reads in flight (2, 4, 8, 16, 32, 64, 128 or 256)
parameter WRITES               = 8,                 // most experiences between reservation and commit (2 to 256)
parameter AHEAD_MAX            = 4,                 // most batches that sampling may be ahead of the updates (0 to 255)
parameter ID_WIDTH             = $clog2(READS) + 2  // derived, leave it alone: bits of an ID of the memory's bus
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_NET_LEARNER_LEGAL
`define RLC_NET_LEARNER_LEGAL(top) \
    `RLC_CHECK(PART_BYTES >= 256 && PART_BYTES <= 65408, \
               top``_illegal_PART_BYTES_must_be_256_to_65408) \
    `RLC_CHECK(CLIENTS >= 1 && CLIENTS <= 65536, \
               top``_illegal_CLIENTS_must_be_1_to_65536) \
    `RLC_CHECK(CREDIT >= 1 && CREDIT <= 64, \
               top``_illegal_CREDIT_must_be_1_to_64) \
    `RLC_CHECK(KEYED == 0 || KEYED == 1, \
               top``_illegal_KEYED_must_be_0_or_1) \
    `RLC_CHECK(ID_WIDTH == ($clog2(READS) + 2), \
               top``_illegal_ID_WIDTH_follows_from_the_others)
`endif
