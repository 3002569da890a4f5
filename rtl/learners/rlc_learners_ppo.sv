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

    // Parts of a learner's weights: the layers of its networks, then the log-deviations.
    localparam NETWORKS = lists(SIZES);
    localparam LAYERS   = all_layers(SIZES, NETWORKS);
    localparam ALL      = average_all(SIZES, UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH) + `RLC_PPO_LOG_AVERAGE;
    localparam LATENCY  = average_latency(LEARNERS, WEIGHT_WIDTH, CROSS);

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

    wire [(LAYERS+1)*LEARNERS-1:0] part_waits;
    genvar n;
    genvar p;
    for (n = 0; n <= NETWORKS; n = n + 1) begin : g_network
        localparam NETWORK = n < NETWORKS;               // else the log-deviations
        localparam [1023:0] ROWS = list(UPDATE_ROWS, n);
        localparam [1023:0] COLS = list(UPDATE_COLS, n);
        localparam OWN   = NETWORK ? average_bits(ROWS, COLS, WEIGHT_WIDTH) : `RLC_PPO_LOG_AVERAGE;
        localparam PARTS = NETWORK ? fields(list(SIZES, n)) - 1 : 1;
        localparam FIRST_PART = all_layers(SIZES, n);
        localparam BEGIN = average_before(SIZES, UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH, n);
        for (p = 0; p < PARTS; p = p + 1) begin : g_part
            localparam AT    = BEGIN + p * OWN;
            localparam GROUP = NETWORK ? field(ROWS, p) * field(COLS, p) : 1;
            wire [LEARNERS*OWN-1:0] from_all, to_all;
            for (i = 0; i < LEARNERS; i = i + 1) begin : g_each
                assign from_all[i*OWN +: OWN]  = avg_out[i*ALL+AT +: OWN];
                assign avg_in[i*ALL+AT +: OWN] = to_all[i*OWN +: OWN];
            end
            rlc_learners_join #(
                .LEARNERS(LEARNERS), .LANES(GROUP), .WIDTH(WEIGHT_WIDTH), .BITS(OWN), .CROSS(CROSS)
            ) u_join (
                .clk(clk), .last(last), .s_learner(from_all), .m_learner(to_all),
                .waits(part_waits[(FIRST_PART+p)*LEARNERS +: LEARNERS])
            );
        end
    end
    assign waits = part_waits[LEARNERS-1:0];   // all parts wait alike
    wire unused = &{1'b0, part_waits, unused_exact};
endmodule
`default_nettype wire
