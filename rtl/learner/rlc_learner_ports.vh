// rlc_learner_ports.vh — what many modules of the learner have at their ports, said once, as macros.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_LEARNER_*_SETTINGS(KIND, END)   the settings of docs/learner.md, "Registers", by their owner: BATCH; TARGET, of when
//                            target networks follow; STEP, of any network's weights; NETS, of all networks side by side, the
//                            first lowest; NET, of one; PASS, of the actor's way through the critic. KIND is the kind of port
//                            or `wire`, END stands between two: `RLC_COMMA or ;. They stand still while the core is busy;
//                            seed_load is a pulse
// `RLC_LEARNER_NET_JOIN(n)   the NET settings of an instance, from those of all networks: number n's
// `RLC_LEARNER_FRACTIONS_AT(n), `RLC_LEARNER_FRACTIONS_FROM(P, word)   number n's fractions; their fields, P_act_frac and so on
// `RLC_LEARNER_HOST          the host's way to the parameter banks of weights: starts, words in and words out
// `RLC_LEARNER_LISTS(top)    a check: every list of SIZES, LANES and so on is of the same networks
// `RLC_LEARNER_AVERAGE       bits of avg_in and avg_out: of every layer of every network, the first lowest
`ifndef RLC_LEARNER_PORTS_VH
`define RLC_LEARNER_PORTS_VH
`include "rlc_axi.vh"
`include "rlc_check.vh"
`include "rlc_nn_words.vh"
`include "rlc_nn_optimisers.vh"
`include "rlc_learner_words.vh"
`include "rlc_rl_ports.vh"

`define RLC_LEARNER_BATCH_SETTINGS(KIND, END) \
    KIND [15:0] cfg_batch END \
    KIND        cfg_lag

`define RLC_LEARNER_TARGET_SETTINGS(KIND, END) \
    KIND [31:0] cfg_sync_interval

`define RLC_LEARNER_STEP_SETTINGS(KIND, END) \
    KIND [16:0] cfg_tau END \
    KIND [31:0] cfg_seed END \
    KIND        seed_load

`define RLC_LEARNER_NETS_SETTINGS(KIND, END) \
    KIND [lists(SIZES)*`RLC_LEARNER_FRACTIONS-1:0] cfg_fracs END \
    KIND [lists(SIZES)*`RLC_NN_SETTINGS_BITS-1:0] cfg_optimisers

`define RLC_LEARNER_NET_SETTINGS(KIND, END) \
    KIND [`RLC_LEARNER_FRACTIONS-1:0] cfg_frac END \
    KIND `RLC_NN_SETTINGS cfg_optimiser

`define RLC_LEARNER_NET_JOIN(n) \
    .cfg_frac(`RLC_LEARNER_FRACTIONS_AT(n)), \
    .cfg_optimiser(cfg_optimisers[(n)*`RLC_NN_SETTINGS_BITS +: `RLC_NN_SETTINGS_BITS])

`define RLC_LEARNER_FRACTIONS_AT(n) cfg_fracs[(n)*`RLC_LEARNER_FRACTIONS +: `RLC_LEARNER_FRACTIONS]
`define RLC_LEARNER_FRACTIONS_FROM(P, word) \
    `RLC_LEARNER_FRACTION_WIRES(P) \
    assign `RLC_LEARNER_FRACTIONS_OF(P) = word

`define RLC_LEARNER_PASS_SETTINGS(KIND, END) \
    KIND [17:0] cfg_pass_delta END \
    KIND [24:0] cfg_pass_frac

`define RLC_LEARNER_AVERAGE [average_all(SIZES, UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH)-1:0]

`define RLC_LEARNER_LISTS(top) \
    `RLC_CHECK(lists(LANES) == lists(SIZES) && lists(FORWARD) == lists(SIZES) && lists(BACKWARD) == lists(SIZES) \
               && lists(UPDATE_ROWS) == lists(SIZES) && lists(UPDATE_COLS) == lists(SIZES), \
               top``_illegal_LANES_FORWARD_BACKWARD_UPDATE_ROWS_and_UPDATE_COLS_must_be_of_as_many_networks_as_SIZES)

`define RLC_LEARNER_HOST \
    input  wire       host_start, \
    input  wire       host_read, \
    input  wire [index_bits(lists(SIZES))-1:0] host_network, \
    input  wire [1:0] host_param_bank, \
    output wire       host_busy, \
    `RLC_STREAM_SLAVE(s_load, 64), \
    `RLC_STREAM_MASTER(m_read, 64), \
    output wire       m_read_last

`endif
