// rlc_nn_optimisers.vh — which optimisers there are, their settings and their state. Written by `rlcores generate` from
// the declarations in tools/rlcores/cores/learner/optimisers.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_NN_SETTINGS            the settings side by side, `RLC_NN_SETTINGS_BITS bits; `RLC_NN_RATE and so on are those of each
// `RLC_NN_SETTINGS_OF(OWN, SHARED)   them from signals: OWN_rate and what else a network has of its own, SHARED_momentum and so on
// `RLC_NN_OWN_WIRES(P), `RLC_NN_SHARED_WIRES(P)   such signals, P_rate and so on
// `RLC_NN_ADAM_SETTINGS(..) and so on   those of one optimiser, given in the order of its declaration, and nothing else
`ifndef RLC_NN_OPTIMISERS_VH
`define RLC_NN_OPTIMISERS_VH

`define RLC_NN_SETTINGS_BITS 126
`define RLC_NN_SETTINGS [125:0]
`define RLC_NN_RATE 0 +: 18
`define RLC_NN_RATE_EXP 18 +: 6
`define RLC_NN_MOMENTUM 24 +: 18
`define RLC_NN_LOG_RATE 42 +: 20
`define RLC_NN_LOG_EPS 62 +: 20
`define RLC_NN_LOG_CLIP 82 +: 20
`define RLC_NN_DECAY 102 +: 24

`define RLC_NN_SETTINGS_OF(OWN, SHARED) \
    {OWN``_decay, SHARED``_log_clip, SHARED``_log_eps, OWN``_log_rate, SHARED``_momentum, OWN``_rate_exp, OWN``_rate}

`define RLC_NN_OWN_WIRES(P) \
    wire [17:0] P``_rate; wire [5:0] P``_rate_exp; wire [19:0] P``_log_rate; wire [23:0] P``_decay;

`define RLC_NN_SHARED_WIRES(P) \
    wire [17:0] P``_momentum; wire [19:0] P``_log_eps; wire [19:0] P``_log_clip;

`define RLC_NN_SGD_SETTINGS(RATE, RATE_EXP) \
    {24'd0, 20'd0, 20'd0, 20'd0, 18'd0, RATE_EXP, RATE}

`define RLC_NN_MOMENTUM_SETTINGS(RATE, RATE_EXP, MOMENTUM) \
    {24'd0, 20'd0, 20'd0, 20'd0, MOMENTUM, RATE_EXP, RATE}

`define RLC_NN_ADAM_SETTINGS(LOG_RATE, LOG_EPS, LOG_CLIP) \
    {24'd0, LOG_CLIP, LOG_EPS, LOG_RATE, 18'd0, 6'd0, 18'd0}

`define RLC_NN_ADAMW_SETTINGS(LOG_RATE, LOG_EPS, LOG_CLIP, DECAY) \
    {DECAY, LOG_CLIP, LOG_EPS, LOG_RATE, 18'd0, 6'd0, 18'd0}

`endif
