// rlc_gae_words.vh — elements of the streams. Written by `rlcores generate` from
// cores/gae/words.py; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_GAE_ELEMENT_BITS        bits of an element; `RLC_GAE_ELEMENT_LANE and so on its fields
`ifndef RLC_GAE_WORDS_VH
`define RLC_GAE_WORDS_VH

`define RLC_GAE_ELEMENT_BITS 64
`define RLC_GAE_ELEMENT_LANE 50 +: 14
`define RLC_GAE_ELEMENT_KIND 48 +: 2
`define RLC_GAE_ELEMENT_VALUE 24 +: 24
`define RLC_GAE_ELEMENT_REWARD 0 +: 24

`define RLC_GAE_RESULT_BITS 64
`define RLC_GAE_RESULT_LANE 50 +: 14
`define RLC_GAE_RESULT_KIND 48 +: 2
`define RLC_GAE_RESULT_INDEX 32 +: 16
`define RLC_GAE_RESULT_RETURNED 16 +: 16
`define RLC_GAE_RESULT_ADVANTAGE 0 +: 16

`define RLC_GAE_WIDE_BITS 64
`define RLC_GAE_WIDE_LANE 50 +: 14
`define RLC_GAE_WIDE_KIND 48 +: 2
`define RLC_GAE_WIDE_RETURNED 24 +: 24
`define RLC_GAE_WIDE_ADVANTAGE 0 +: 24

`define RLC_GAE_TAG_BITS 16
`define RLC_GAE_TAG_LANE 2 +: 14
`define RLC_GAE_TAG_KIND 0 +: 2
`endif
