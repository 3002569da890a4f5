// rlc_learners_ppo.sv — several PPO cores train one policy: each with its environments, and weights averaged every H minibatches.
// SPDX-License-Identifier: Apache-2.0
//
// parameters       those of rlc_ppo_env, of each; and its own
//
// s_axil_*         registers of learner i from i * 0x10000 on, each as rlc_ppo_env has them; behind the last one's those of
//                  learners.rdl, with H, the length of a round; beyond them SLVERR
// s_axis_load, m_axis_read   parameter banks of weights of the learner that loads or reads: of one at a time
// irq              of any learner: STATUS of learners.rdl says whose
// step_done        pulses of each learner: a minibatch is in its weights. The average of a round is in place with its last's
// waits            a learner has the gradient of a round's last minibatch and waits for those of others: a bit each
//
// A round's last minibatch: actor, critic and log-deviations of all learners are updated in one clock, and their new weights
// replaced by the average before anybody sees them (rlc_learners_join). So all learners must train the same number of
// minibatches. One that is to stop alone, or is aborted, holds the others until AVERAGE is 0.
// clocks           a round's last minibatch takes LATENCY + 2 * CROSS clocks more than another, and the waits
// reset            as of rlc_ppo_env
`include "rlc_axi.vh"
`default_nettype none
`include "rlc_check.vh"
`include "rlc_ppo_ports.vh"
module rlc_learners_ppo #(
    `include "rlc_learners_ppo_parameters.vh"
) (
    input  wire                clk,
    input  wire                rst,
    `RLC_AXIL_SLAVE(s_axil, 21),
    `RLC_AXIS_SLAVE(s_axis_load, 64),
    `RLC_AXIS_MASTER(m_axis_read, 64),
    output wire                irq,
    output wire [LEARNERS-1:0] step_done,
    output wire [LEARNERS-1:0] waits
);
    `include "rlc_learner_defs.vh"
    `include "rlc_learners_division.vh"

    `RLC_LEARNERS_PPO_LEGAL(rlc_learners_ppo)

    // Parts of a learner's weights: the actor's layers, then the critic's, then the log-deviations. Where each begins.
    localparam AM      = fields(ACTOR_SIZES) - 1;
    localparam M       = fields(SIZES) - 1;
    localparam PARTS   = AM + M + 1;
    localparam AVG_A   = average_bits(ACTOR_UPDATE_ROWS, ACTOR_UPDATE_COLS, WEIGHT_WIDTH);
    localparam AVG_C   = average_bits(UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH);
    localparam ALL     = AM * AVG_A + M * AVG_C + `RLC_PPO_LOG_AVERAGE;
    localparam LATENCY = average_latency(LEARNERS, WEIGHT_WIDTH, CROSS);

    // A window for each learner, and one for what they share.
    wire [LEARNERS-1:0] last, irqs;
    wire [15:0]         cfg_average, cfg_done;
    wire                unused_exact;      // there is no bank
    `RLC_AXIL_WIRES(x, 16, LEARNERS + 1);
    rlc_axil_split #(.ADDR_WIDTH(21), .WINDOW_WIDTH(16), .PORTS(LEARNERS + 1)) u_split (.*, `RLC_AXIL_JOIN(m_axil, x));
    rlc_learners_ctrl #(.LEARNERS(LEARNERS), .CROSS(CROSS)) u_ctrl (
        .clk(clk), .rst(rst), `RLC_AXIL_PICK(s_axil, x, LEARNERS), .cfg_average(cfg_average), .cfg_done(cfg_done), .cfg_exact(unused_exact),
        .waits(waits), .irqs(irqs), .irq(irq),
        .round_done(step_done[0] && last[0])
    );
    wire [LEARNERS-1:0]    load_valid, load_ready, read_valid, read_last;
    wire [LEARNERS*64-1:0] read_data;
    rlc_learners_param_banks #(.LEARNERS(LEARNERS)) u_param_banks (.*);

    wire [LEARNERS*ALL-1:0] avg_in, avg_out;
    genvar i;
    for (i = 0; i < LEARNERS; i = i + 1) begin : g_learner
        rlc_ppo_env #(
            `include "rlc_ppo_env_args.vh"
            , .AVERAGE(LATENCY)
        ) u_ppo (
            .clk(clk), .rst(rst), `RLC_AXIL_PICK(s_axil, x, i),
            .s_axis_load_tdata(s_axis_load_tdata), .s_axis_load_tvalid(load_valid[i]), .s_axis_load_tready(load_ready[i]),
            .s_axis_load_tlast(s_axis_load_tlast), .m_axis_read_tdata(read_data[i*64 +: 64]),
            .m_axis_read_tvalid(read_valid[i]), .m_axis_read_tready(m_axis_read_tready), .m_axis_read_tlast(read_last[i]),
            .irq(irqs[i]), .step_done(step_done[i]), .avg_in(avg_in[i*ALL +: ALL]), .avg_out(avg_out[i*ALL +: ALL])
        );
        rlc_learners_rounds u_rounds (
            .clk(clk), .rst(rst), .cfg_average(cfg_average), .cfg_done(cfg_done), .step_done(step_done[i]), .last(last[i])
        );
    end

    wire [PARTS*LEARNERS-1:0] part_waits;
    genvar p;
    for (p = 0; p < PARTS; p = p + 1) begin : g_part
        localparam A     = p < AM;
        localparam C     = p >= AM && p < AM + M;
        localparam BITS  = A ? AVG_A : C ? AVG_C : `RLC_PPO_LOG_AVERAGE;
        localparam AT    = A ? p * AVG_A : AM * AVG_A + (p - AM) * AVG_C;
        localparam GROUP = A ? field(ACTOR_UPDATE_ROWS, A ? p : 0) * field(ACTOR_UPDATE_COLS, A ? p : 0)
                         : C ? field(UPDATE_ROWS, C ? p - AM : 0) * field(UPDATE_COLS, C ? p - AM : 0) : 1;
        wire [LEARNERS*BITS-1:0] from_all, to_all;
        for (i = 0; i < LEARNERS; i = i + 1) begin : g_each
            assign from_all[i*BITS +: BITS]   = avg_out[i*ALL+AT +: BITS];
            assign avg_in[i*ALL+AT +: BITS] = to_all[i*BITS +: BITS];
        end
        rlc_learners_join #(
            .LEARNERS(LEARNERS), .LANES(GROUP), .WIDTH(WEIGHT_WIDTH), .BITS(BITS), .CROSS(CROSS)
        ) u_join (
            .clk(clk), .last(last), .s_learner(from_all), .m_learner(to_all), .waits(part_waits[p*LEARNERS +: LEARNERS])
        );
    end
    assign waits = part_waits[LEARNERS-1:0];   // all parts wait alike
    wire unused = &{1'b0, part_waits, unused_exact};
endmodule
`default_nettype wire
