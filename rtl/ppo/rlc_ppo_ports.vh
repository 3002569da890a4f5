// rlc_ppo_ports.vh — settings and commands of the PPO core, said once, as macros.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_PPO_LOOP_SETTINGS(KIND, END)   what the loop around the networks is set to: rlc_ppo_train_ctrl
// `RLC_PPO_TRAIN_SETTINGS(KIND, END)  what the networks are set to beside it: rlc_ppo_networks. KIND is the kind of port or
//                            `wire`, END stands between two: `RLC_COMMA or ;. All change while idle: docs/ppo_core.md
// `RLC_PPO_AVERAGE           bits of avg_in and avg_out: rlc_ppo_networks
// `RLC_PPO_LOG_AVERAGE       bits of the log-deviations' part of them: {log-deviation, go, step}
// `RLC_PPO_RUN               start, resume, halt and drop, and what a run says of itself: rlc_ppo_phase_fsm
`ifndef RLC_PPO_PORTS_VH
`define RLC_PPO_PORTS_VH
`include "rlc_learner_ports.vh"

`define RLC_PPO_LOOP_SETTINGS(KIND, END) \
    KIND [127:0] cfg_seed END \
    KIND         cfg_external_rollout END \
    KIND         cfg_lockstep END \
    KIND [31:0]  cfg_todo END \
    KIND [31:0]  cfg_iterations END \
    KIND [12:0]  cfg_steps END \
    KIND [7:0]   cfg_epochs END \
    KIND [15:0]  cfg_batch END \
    KIND [4:0]   cfg_batch_bits END \
    KIND [20:0]  cfg_batch_log END \
    KIND [17:0]  cfg_gamma END \
    KIND [17:0]  cfg_gamma_lambda END \
    KIND [17:0]  cfg_reward_scale

`define RLC_PPO_TRAIN_SETTINGS(KIND, END) \
    KIND [16:0]  cfg_batch_slices END \
    KIND [lists(SIZES)*`RLC_LEARNER_FRACTIONS-1:0] cfg_fracs END \
    KIND [5:0]   cfg_logs_frac END \
    KIND [19:0]  cfg_log_eps END \
    KIND [19:0]  cfg_log_clip END \
    KIND [19:0]  cfg_clip END \
    KIND [16:0]  cfg_entropy END \
    KIND [17:0]  cfg_value END \
    KIND [25:0]  cfg_value_clip END \
    KIND [27:0]  cfg_norm END \
    KIND [27:0]  cfg_rate

`define RLC_PPO_AVERAGE [average_all(SIZES, UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH) + `RLC_PPO_LOG_AVERAGE-1:0]
`define RLC_PPO_LOG_AVERAGE (27 + 2)

`define RLC_PPO_RUN \
    input  wire        start, \
    input  wire        resume, \
    input  wire        halt, \
    input  wire        drop, \
    output wire        idle, \
    output wire        resumes, \
    output wire [31:0] iteration, \
    output wire        ev_iteration

`endif
