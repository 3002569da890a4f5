// rlc_ppo_env.sv — PPO and its environments on one chip: a processor loads weights, starts both, and reads how they learn.
// SPDX-License-Identifier: Apache-2.0
//
// parameters    those of rlc_ppo_axi and of rlc_env_axi; N_ENVS is common. The first sizes of critic and actor are the length of
//               an observation; the actor's last one is the number of actions, or with GAUSSIAN of an action's numbers
// s_axil_*      registers: PPO's (ppo.rdl) at 0x0000, the environments' (env.rdl) at 0x1000; elsewhere SLVERR
// s_axis_load, m_axis_read   parameter banks of weights: rlc_ppo_axi
// irq           high while an enabled interrupt of either is pending
// avg_in, avg_out, step_done   as of rlc_ppo. Alone: avg_in is 0
// order         COMMAND.start of PPO, then that of the environments; also after an abort of either
`include "rlc_axi.vh"
`default_nettype none
`include "rlc_check.vh"
`include "rlc_ppo_ports.vh"
module rlc_ppo_env #(
    `include "rlc_ppo_env_parameters.vh"
    , parameter AVERAGE = 0   // as of rlc_ppo_networks
) (
    input  wire clk,
    input  wire rst,
    `RLC_AXIL_SLAVE(s_axil, 16),
    `RLC_AXIS_SLAVE(s_axis_load, 64),
    `RLC_AXIS_MASTER(m_axis_read, 64),
    output wire irq,
    output wire step_done,
    input  wire `RLC_PPO_AVERAGE avg_in,
    output wire `RLC_PPO_AVERAGE avg_out
);
    `include "rlc_learner_defs.vh"
    `RLC_PPO_ENV_LEGAL(rlc_ppo_env)
    `RLC_CHECK(OBS == field(SIZES, 0) && OBS == field(acting(SIZES), 0),
               rlc_ppo_env_illegal_SIZES_of_both_networks_must_begin_with_the_numbers_of_an_observation_of_ENV)
    `RLC_CHECK((GAUSSIAN != 0) ? ACTIONS == 0 && COMPONENTS == field(acting(SIZES), acting_layers(SIZES))
                                : ACTIONS == field(acting(SIZES), acting_layers(SIZES)),
               rlc_ppo_env_illegal_SIZES_of_the_actor_must_end_with_the_actions_of_ENV_and_GAUSSIAN_is_for_numbers)

    `RLC_AXIL_WIRES(x, 12, 2);
    rlc_axil_split #(.ADDR_WIDTH(16), .WINDOW_WIDTH(12), .PORTS(2)) u_split (.*, `RLC_AXIL_JOIN(m_axil, x));

    `RLC_AXIS_WIRES(answer, ANSWER_BEAT);
    `RLC_AXIS_WIRES(action, ACTION_BEAT);
    wire ppo_irq, env_irq;
    rlc_ppo_axi #(
        `include "rlc_ppo_args.vh"
        , .AVERAGE(AVERAGE)
    ) u_ppo (
        .*, `RLC_AXIL_PICK(s_axil, x, 0), `RLC_AXIS_JOIN(s_axis_env, answer), `RLC_AXIS_JOIN(m_axis_act, action), .irq(ppo_irq)
    );
    rlc_env_axi #(
        `include "rlc_env_args.vh"
    ) u_env (
        .*, `RLC_AXIL_PICK(s_axil, x, 1), `RLC_AXIS_JOIN(s_axis, action), `RLC_AXIS_JOIN(m_axis, answer), .irq(env_irq)
    );
    assign irq = ppo_irq || env_irq;
endmodule
`default_nettype wire
