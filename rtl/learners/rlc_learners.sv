// rlc_learners.sv — several replay learners train one network: a bank each, and weights that are averaged every H steps.
// SPDX-License-Identifier: Apache-2.0
//
// parameters       those of rlc_replay_learner, and its own
//
// s_axil_*         registers of learner i from i * 0x10000 on, each as rlc_replay_learner has them; behind the last one's those of
//                  learners.rdl, with H, the length of a round; beyond them SLVERR
// s_axis_exp       experiences as of rlc_replay_learner, dealt to the learners in turn: the next one's begins behind TLAST
// s_axis_load, m_axis_read   parameter banks of weights of the learner that loads or reads: of one at a time
// m_axi_*          a memory for each learner, the first one's signals lowest
// irq              of any learner: STATUS of learners.rdl says whose
// step_done        pulses of each learner. The average of a round is in place with its last step's
// waits            a learner has a gradient and waits for those of others: a bit each
//
// A round's last step: the update of a layer begins in one clock in all learners, when each has its gradient. New weights
// come out of the update units in one order, meet in rlc_learners_average, and are replaced by the average before anybody
// sees them: those of the value network, and of the actor if there is one. So all learners must do the same number of steps.
// Target networks follow averages only if SYNC_INTERVAL is a multiple of H.
// With WEIGHTS.exact a batch's importance weights are relative to the largest of all learners' batches of the same number
// (rlc_learners_weights), so a batch is trained when all learners have sampled theirs.
// clocks           a round's last step takes LATENCY clocks more than another, and the waits
// reset            as of rlc_replay_learner
`include "rlc_axi.vh"
`default_nettype none
`include "rlc_check.vh"
`include "rlc_learner_ports.vh"
`include "rlc_sumtree_words.vh"
module rlc_learners #(
    `include "rlc_learners_parameters.vh"
) (
    input  wire                clk,
    input  wire                rst,
    `RLC_AXIL_SLAVE(s_axil, 21),
    `RLC_AXIS_SLAVE(s_axis_exp, field(LANES, 0)*32),
    `RLC_AXIS_SLAVE(s_axis_load, 64),
    `RLC_AXIS_MASTER(m_axis_read, 64),
    `RLC_AXI_WRITERS(m_axi, LEARNERS, ID_WIDTH, ADDR_WIDTH, DATA_WIDTH),
    `RLC_AXI_READERS(m_axi, LEARNERS, ID_WIDTH, ADDR_WIDTH, DATA_WIDTH),
    output wire                irq,
    output wire [LEARNERS-1:0] step_done,
    output wire [LEARNERS-1:0] waits
);
    `include "rlc_learner_defs.vh"
    `include "rlc_learners_division.vh"

    `RLC_LEARNERS_LEGAL(rlc_learners)

    localparam NETWORKS = lists(SIZES);
    localparam LAYERS   = all_layers(SIZES, NETWORKS);                                 // of all networks
    localparam ALL      = average_all(SIZES, UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH);  // bits of a learner's way to the average
    localparam LATENCY  = average_latency(LEARNERS, WEIGHT_WIDTH, CROSS);

    // A window for each learner, and one for what they share.
    wire [LEARNERS-1:0] last, irqs;
    wire [15:0]         cfg_average, cfg_done;
    wire                cfg_exact;
    `RLC_AXIL_WIRES(x, 16, LEARNERS + 1);
    rlc_axil_split #(.ADDR_WIDTH(21), .WINDOW_WIDTH(16), .PORTS(LEARNERS + 1)) u_split (.*, `RLC_AXIL_JOIN(m_axil, x));
    rlc_learners_ctrl #(.LEARNERS(LEARNERS), .CROSS(CROSS), .BANKS(1)) u_ctrl (
        .clk(clk), .rst(rst), `RLC_AXIL_PICK(s_axil, x, LEARNERS), .cfg_average(cfg_average), .cfg_done(cfg_done), .cfg_exact(cfg_exact),
        .waits(waits), .irqs(irqs), .irq(irq),
        .round_done(step_done[0] && last[0])
    );

    // Experiences: the learner whose turn it is, one bit.
    localparam [LEARNERS-1:0] FIRST = 1;
    reg  [LEARNERS-1:0]    turn_q;
    wire [LEARNERS-1:0]    exp_ready;
    assign s_axis_exp_tready  = |(exp_ready & turn_q);
    always @(posedge clk)
        if (rst) turn_q <= FIRST;
        else if (s_axis_exp_tvalid && s_axis_exp_tready && s_axis_exp_tlast)
            turn_q <= (turn_q << 1) | {{(LEARNERS-1){1'b0}}, turn_q[LEARNERS-1]};

    wire [LEARNERS-1:0]    load_valid, load_ready, read_valid, read_last;
    wire [LEARNERS*64-1:0] read_data;
    rlc_learners_param_banks #(.LEARNERS(LEARNERS)) u_param_banks (.*);

    // ---- the learners
    wire [LEARNERS*ALL-1:0] avg_in, avg_out;
    wire [LEARNERS*`RLC_SUMTREE_OWN_BITS-1:0] joint_own;
    wire [LEARNERS*`RLC_SUMTREE_ALL_BITS-1:0] joint_all;
    rlc_learners_weights #(.LEARNERS(LEARNERS), .CROSS(CROSS)) u_weights (
        .clk(clk), .rst(rst), .cfg_exact(cfg_exact), .s_learner(joint_own), .m_learner(joint_all)
    );
    genvar i;
    genvar l;
    genvar n;
    for (i = 0; i < LEARNERS; i = i + 1) begin : g_learner
        wire ev_batch, ev_kept, ev_lost, settled;
        wire `RLC_SUMTREE_TREE tree_state;
        wire [acting_layers(SIZES)-1:0] bus_valid;
        wire [acting_layers(SIZES) * acting_bits(UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH)-1:0] bus_data;
        rlc_replay_learner #(
            `include "rlc_replay_learner_args.vh"
            , .AVERAGE(LATENCY)
        ) u_loop (
            .clk(clk), .rst(rst), `RLC_AXIL_PICK(s_axil, x, i),
            .s_axis_exp_tdata(s_axis_exp_tdata), .s_axis_exp_tvalid(s_axis_exp_tvalid && turn_q[i]),
            .s_axis_exp_tready(exp_ready[i]), .s_axis_exp_tlast(s_axis_exp_tlast),
            .s_axis_load_tdata(s_axis_load_tdata), .s_axis_load_tvalid(load_valid[i]),
            .s_axis_load_tready(load_ready[i]), .s_axis_load_tlast(s_axis_load_tlast),
            .m_axis_read_tdata(read_data[i*64 +: 64]), .m_axis_read_tvalid(read_valid[i]),
            .m_axis_read_tready(m_axis_read_tready), .m_axis_read_tlast(read_last[i]),
            `RLC_AXI_PICK(m_axi, m_axi, i, ID_WIDTH, ADDR_WIDTH, DATA_WIDTH),
            .irq(irqs[i]), .hold_sampling(1'b0), .hold_steps(1'b0), .ev_batch(ev_batch), .ev_kept(ev_kept),
            .ev_lost(ev_lost), .settled(settled), .step_done(step_done[i]), .tree_state(tree_state),
            .bus_valid(bus_valid), .bus_data(bus_data), .avg_in(avg_in[i*ALL +: ALL]), .avg_out(avg_out[i*ALL +: ALL]),
            .joint_in(joint_all[i*`RLC_SUMTREE_ALL_BITS +: `RLC_SUMTREE_ALL_BITS]),
            .joint_out(joint_own[i*`RLC_SUMTREE_OWN_BITS +: `RLC_SUMTREE_OWN_BITS])
        );
        rlc_learners_rounds u_rounds (
            .clk(clk), .rst(rst), .cfg_average(cfg_average), .cfg_done(cfg_done), .step_done(step_done[i]), .last(last[i])
        );
        wire unused = &{1'b0, ev_batch, ev_kept, ev_lost, settled, tree_state, bus_valid, bus_data};
    end

    // ---- the average of each layer of each network
    wire [LAYERS*LEARNERS-1:0] layer_waits;
    for (n = 0; n < NETWORKS; n = n + 1) begin : g_network
        localparam [1023:0] ROWS = list(UPDATE_ROWS, n);
        localparam [1023:0] COLS = list(UPDATE_COLS, n);
        localparam OWN   = average_bits(ROWS, COLS, WEIGHT_WIDTH);
        localparam FIRST_LAYER = all_layers(SIZES, n);
        localparam BEGIN = average_before(SIZES, UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH, n);
        for (l = 0; l < fields(list(SIZES, n)) - 1; l = l + 1) begin : g_layer
            localparam AT = BEGIN + l * OWN;
            wire [LEARNERS*OWN-1:0] from_all, to_all;
            for (i = 0; i < LEARNERS; i = i + 1) begin : g_each
                assign from_all[i*OWN +: OWN]  = avg_out[i*ALL+AT +: OWN];
                assign avg_in[i*ALL+AT +: OWN] = to_all[i*OWN +: OWN];
            end
            rlc_learners_join #(
                .LEARNERS(LEARNERS), .LANES(field(ROWS, l) * field(COLS, l)), .WIDTH(WEIGHT_WIDTH), .BITS(OWN), .CROSS(CROSS)
            ) u_join (
                .clk(clk), .last(last), .s_learner(from_all), .m_learner(to_all),
                .waits(layer_waits[(FIRST_LAYER+l)*LEARNERS +: LEARNERS])
            );
        end
    end
    reg     [LEARNERS-1:0] any_waits;
    integer                k;
    always @* begin
        any_waits = {LEARNERS{1'b0}};
        for (k = 0; k < LAYERS; k = k + 1) any_waits = any_waits | layer_waits[k*LEARNERS +: LEARNERS];
    end
    assign waits = any_waits;
endmodule
`default_nettype wire
