// rlc_rl_td_loss.vh — settings of the loss of TD errors, as macros. Written by `rlcores generate` from
// cores/learner/loss_settings.py; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_RL_TD_LOSS_SETTINGS(KIND, END)   all of them; KIND is the kind of port or `wire`, END stands between two
// `RLC_RL_TD_ERROR_SETTINGS(KIND, END)  what a TD error needs, and `RLC_RL_TD_ERROR_JOIN for an instance with such ports
`ifndef RLC_RL_TD_LOSS_VH
`define RLC_RL_TD_LOSS_VH

`define RLC_RL_TD_LOSS_SETTINGS(KIND, END) \
    KIND [17:0] cfg_gamma END \
    KIND [17:0] cfg_reward_scale END \
    KIND [25:0] cfg_huber END \
    KIND        cfg_double

`define RLC_RL_TD_ERROR_SETTINGS(KIND, END) \
    KIND [17:0] cfg_gamma END \
    KIND [25:0] cfg_huber

`define RLC_RL_TD_ERROR_JOIN .cfg_gamma(cfg_gamma), .cfg_huber(cfg_huber)

`endif
