// rlc_learner_words.vh — words inside the learner and its stages. Written by `rlcores generate` from
// cores/learner/words.py; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_LEARNER_KIND          bits of a record's first element; `RLC_LEARNER_KIND_ACTION and so on its fields
// `RLC_LEARNER_FRACTIONS     bits of a network's numbers of fraction bits; `RLC_LEARNER_FRACTIONS_ACT and so on its fields
// `RLC_LEARNER_FRACTION_WIRES(P), `RLC_LEARNER_FRACTIONS_OF(P)   these fields as wires P_act_frac and so on; side by side again
// `RLC_LEARNER_ELEMENT_ACTION number of an element in a record, and so on; `RLC_LEARNER_ELEMENTS how many go before vectors
// `RLC_LEARNER_NETWORK_VALUE number of a network in the list, and so on; `RLC_LEARNER_NETWORKS how many a core may have
// `RLC_LEARNER_STAGE_IN      number of a stage, or of the first of several, in the order of the counters, and so on
// `RLC_LEARNER_NET_FW        the same of one network, and so on
`ifndef RLC_LEARNER_WORDS_VH
`define RLC_LEARNER_WORDS_VH

`define RLC_LEARNER_KIND 32
`define RLC_LEARNER_KIND_TERMINATED 31 +: 1
`define RLC_LEARNER_KIND_ACTION 0 +: 31
`define RLC_LEARNER_FRACTIONS 80
`define RLC_LEARNER_FRACTIONS_GRAD 50 +: 30
`define RLC_LEARNER_FRACTIONS_DELTA 25 +: 25
`define RLC_LEARNER_FRACTIONS_ACT 0 +: 25

`define RLC_LEARNER_FRACTION_WIRES(P) \
    wire [29:0] P``_grad_frac; wire [24:0] P``_delta_frac; wire [24:0] P``_act_frac;

`define RLC_LEARNER_FRACTIONS_OF(P) \
    {P``_grad_frac, P``_delta_frac, P``_act_frac}

`define RLC_LEARNER_ELEMENT_ACTION 0
`define RLC_LEARNER_ELEMENT_REWARD 1
`define RLC_LEARNER_ELEMENT_WEIGHT 2
`define RLC_LEARNER_ELEMENTS 3

`define RLC_LEARNER_NETWORK_VALUE 0
`define RLC_LEARNER_NETWORK_ACTOR 1
`define RLC_LEARNER_NETWORKS 2

`define RLC_LEARNER_STAGE_IN 0
`define RLC_LEARNER_STAGE_FW0 1
`define RLC_LEARNER_STAGE_TFW0 5
`define RLC_LEARNER_STAGE_BW0 9
`define RLC_LEARNER_STAGE_WA0 13
`define RLC_LEARNER_STAGE_WU0 17
`define RLC_LEARNER_STAGE_ACC_OVERFLOW0 21
`define RLC_LEARNER_STAGE_TD 22
`define RLC_LEARNER_STAGE_DELTA 23
`define RLC_LEARNER_STAGE_NONE 24
`define RLC_LEARNER_STAGE_FW1 33
`define RLC_LEARNER_STAGE_TFW1 37
`define RLC_LEARNER_STAGE_BW1 41
`define RLC_LEARNER_STAGE_WA1 45
`define RLC_LEARNER_STAGE_WU1 49
`define RLC_LEARNER_STAGE_ACC_OVERFLOW1 53
`define RLC_LEARNER_STAGE_TAIL 54
`define RLC_LEARNER_STAGE_PASS_FW 55
`define RLC_LEARNER_STAGE_PASS_BW 59
`define RLC_LEARNER_STAGE_END 63
`define RLC_LEARNER_STAGE_ALL 64

`define RLC_LEARNER_NET_FW 0
`define RLC_LEARNER_NET_TFW 4
`define RLC_LEARNER_NET_BW 8
`define RLC_LEARNER_NET_WA 12
`define RLC_LEARNER_NET_WU 16
`define RLC_LEARNER_NET_ACC_OVERFLOW 20
`define RLC_LEARNER_NET_ALL 21

`endif
