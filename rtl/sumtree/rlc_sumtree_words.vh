// rlc_sumtree_words.vh — words between a tree and who stands beside it. Written by `rlcores generate` from
// cores/sumtree/words.py, which says what each field is; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_SUMTREE_TREE          bits of a word, as a range; `RLC_SUMTREE_TREE_BITS how many; `RLC_SUMTREE_TREE_SIZE and so on its fields
// `RLC_SUMTREE_LOG           bits of a field log
`ifndef RLC_SUMTREE_WORDS_VH
`define RLC_SUMTREE_WORDS_VH

`define RLC_SUMTREE_TREE [159:0]
`define RLC_SUMTREE_TREE_BITS 160
`define RLC_SUMTREE_TREE_LARGEST 128 +: 32
`define RLC_SUMTREE_TREE_TOTAL 64 +: 64
`define RLC_SUMTREE_TREE_NEXT 32 +: 32
`define RLC_SUMTREE_TREE_SIZE 0 +: 32

`define RLC_SUMTREE_OWN [44:0]
`define RLC_SUMTREE_OWN_BITS 45
`define RLC_SUMTREE_OWN_VALID 44 +: 1
`define RLC_SUMTREE_OWN_LOG 0 +: 44

`define RLC_SUMTREE_ALL [45:0]
`define RLC_SUMTREE_ALL_BITS 46
`define RLC_SUMTREE_ALL_EXACT 45 +: 1
`define RLC_SUMTREE_ALL_VALID 44 +: 1
`define RLC_SUMTREE_ALL_LOG 0 +: 44

`define RLC_SUMTREE_LOG 44
`endif
