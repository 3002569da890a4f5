// rlc_learner_layer.sv — one layer of weights with everything that trains it: forward, the target network's forward,
// backward, weight gradient and weight update.
// SPDX-License-Identifier: Apache-2.0
//
//   x --+-> FW --> y        p --> TFW --> t
//       +-> keep, mask
//       v                       WA --> WU --> weight bus --> FW, BW, TFW
//      WA, BW --> b <--+-- d
//
// x_*, y_*      words of the layer's inputs and outputs. A vector of kind 1 passes and leaves nothing behind for the way
//               back; one of kind 0 is answered by deltas
// p_*, t_*      the same of the target network
// d_*, b_*      deltas of the outputs and, but for the first layer, of the inputs
// vectors       vectors a batch at x; batch_slices: at p and d
// permit        weights may be written; sampled when the gradient is complete. sync: the target network takes them too
// learnt, updated   pulses: the gradient of a batch is complete; the weights are those of one more step
// measured      with CLIP, a pulse after learnt: squares is the sum of the gradient's squares (rlc_learner_update), and the layer
//               waits for permit and, with it, for the factor of its gradient, which stands still until updated
// avg_out, avg_in   {weights, 0, due} and {weights, go, step}: with AVERAGE, in a step of several learners an update that is
//               due waits for go, which all of them get in one clock, and its weights are those of avg_in, AVERAGE clocks
//               after avg_out. step stands still from before the update is due until it is done
// host_*        moves a parameter bank while host_en is high, as rlc_learner_update says; load_* and read_* are low otherwise
// bus           {weights, valid, weight_addr}, for units outside that hold the same weights
// sat, busy, waiting   {WU, WA, BW, TFW, FW}; sat counts elements (8 bits)
// acc_overflow  {TFW, FW}: a sum near the end of its range
// equation      Meng et al. (2022), section 3.2 and figure 6
`default_nettype none
`include "rlc_learner_ports.vh"
module rlc_learner_layer #(
    `include "rlc_learner_parameters.vh"
    `include "rlc_learner_network.vh"
    , parameter LAYER = 1,           // 1 is the first
    parameter RETURN_CLOCKS = 20,    // clocks from a word of the network's output to the delta that answers it, about
    // Derived; leave them alone.
    parameter LI = field(NET_LANES, LAYER - 1),                 // lanes of inputs
    parameter LJ = field(NET_LANES, LAYER),                     // lanes of outputs
    parameter OW = (LAYER == LAYERS) ? OUT_WIDTH : ACT_WIDTH    // bits of an output
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       path_rst,
    input  wire                       idle,
    input  wire [16:0]                vectors,
    input  wire [16:0]                batch_slices,
    input  wire                       permit,
    input  wire                       sync,
    output wire                       learnt,
    output wire                       updated,
    output wire                       measured,
    output wire [55:0]                squares,
    input  wire [17:0]                factor,
    `RLC_LEARNER_STEP_SETTINGS(input wire, `RLC_COMMA),
    `RLC_LEARNER_NET_SETTINGS(input wire, `RLC_COMMA),
    output wire                       ok,

    input  wire                       host_en,
    input  wire                       host_read,
    input  wire [1:0]                 host_param_bank,
    output wire                       host_done,
    input  wire                       s_load_valid,
    output wire                       load_ready,
    input  wire [63:0]                s_load_data,
    output wire                       read_valid,
    input  wire                       m_read_ready,
    output wire [63:0]                read_data,
    output wire                       read_last,

    `RLC_STREAM_SLAVE(x, DP*LI*ACT_WIDTH),
    input  wire                       x_kind,
    `RLC_STREAM_MASTER(y, DP*LJ*OW),
    output wire                       y_kind,
    `RLC_STREAM_SLAVE(p, DP*LI*ACT_WIDTH),
    `RLC_STREAM_MASTER(t, DP*LJ*OW),
    `RLC_STREAM_SLAVE(d, DP*LJ*ACT_WIDTH),
    `RLC_STREAM_MASTER(b, DP*LI*ACT_WIDTH),

    input  wire [AVG-1:0]             avg_in,
    output wire [AVG-1:0]             avg_out,
    output wire [BUS-1:0]             bus,
    output wire [5*8-1:0]             sat,
    output wire [4:0]                 busy,
    output wire [4:0]                 waiting,
    output wire [1:0]                 acc_overflow
);
    `include "rlc_learner_defs.vh"

    localparam WJ   = words(field(NET_SIZES, LAYER), LJ);
    localparam WI   = words(field(NET_SIZES, LAYER - 1), LI);
    localparam G    = field(NET_FORWARD, LAYER - 1);
    localparam B    = field(NET_BACKWARD, LAYER - 1);
    localparam JB   = field(NET_ROWS, LAYER - 1);
    localparam IB   = field(NET_COLS, LAYER - 1);
    localparam U    = JB * IB;
    localparam RELU = LAYER < LAYERS;
    localparam SUM  = (BATCH_MAX > `RLC_NN_NARROW_BATCH) ? 50 : 48; // bits of a gradient's sum
    // Batch slices that the queues for the way back hold.
    localparam KEEP = between(
        NET_LANES, LAYER, period(NET_SIZES, NET_LANES, NET_FORWARD, NET_BACKWARD, DP + 3), RETURN_CLOCKS
    );

    `RLC_CHECK(field(NET_SIZES, LAYER) >= 1 && field(NET_SIZES, LAYER - 1) >= 1 && LJ >= 1 && LI >= 1 && G >= 1 && B >= 1
               && JB >= 1 && IB >= 1,
               rlc_learner_layer_illegal_every_field_of_every_list_must_be_at_least_1)
    `RLC_CHECK(DP * LJ <= 255 && DP * LI <= 255 && U <= 255,
               rlc_learner_layer_illegal_DP_times_the_lanes_and_UPDATE_ROWS_times_UPDATE_COLS_are_at_most_255)

    // Fractions to shifts.
    wire        settings_fit;
    `RLC_LEARNER_FRACTIONS_FROM(cfg, cfg_frac);
    wire [4:0]  fa_in  = cfg_act_frac[5*(LAYER-1) +: 5];
    wire [4:0]  fa_out = cfg_act_frac[5*LAYER +: 5];
    wire [4:0]  fd_in  = cfg_delta_frac[5*(LAYER-1) +: 5];
    wire [4:0]  fd_out = cfg_delta_frac[5*LAYER +: 5];
    wire [5:0]  fg     = cfg_grad_frac[6*LAYER +: 6];
    localparam [7:0] WF = WEIGHT_FRAC;
    reg  [7:0]  forward_shift_q, backward_shift_q, grad_shift_q;
    always @(posedge clk) begin
        forward_shift_q  <= WF + {3'd0, fa_in} - {3'd0, fa_out};
        backward_shift_q <= WF + {3'd0, fd_out} - {3'd0, fd_in};
        grad_shift_q     <= {3'd0, fd_out} + {3'd0, fa_in} - {2'd0, fg};
    end
    assign ok = forward_shift_q < 8'd48 && grad_shift_q < 8'd48 && (LAYER == 1 || backward_shift_q < 8'd48)
             && settings_fit;

    // Weights come from the update unit.
    wire                                 bus_w, bus_t;
    wire `RLC_NN_WEIGHT_ADDR              bus_addr;
    wire [U*WEIGHT_WIDTH-1:0]            bus_wdata, bus_tdata;
    localparam WEIGHTS = BUS - `RLC_NN_WEIGHT_BUS_DATA; // bits of weights on the bus, of this layer's the lower ones
    wire [WEIGHTS+U*WEIGHT_WIDTH-1:0]    bus_wide = {{WEIGHTS{1'b0}}, bus_wdata};
    assign bus = {bus_wide[WEIGHTS-1:0], bus_w, bus_addr};

    // The words that enter: to the forward unit, and those of kind 0 to the queues for the way back.
    wire fw_ready, keep_ready, mask_ready;
    wire held   = x_kind || (keep_ready && mask_ready);
    wire leaves = x_valid && !x_kind && fw_ready;
    assign x_ready = fw_ready && held;

    wire                       k_valid, k_ready;
    wire [DP*LI*ACT_WIDTH-1:0] k_data;
    rlc_fifo #(
        .WIDTH(DP * LI * ACT_WIDTH), .DEPTH(KEEP * WI), .STYLE(KEEP * WI > 64 ? "block" : "distributed")
    ) u_keep (
        .*, .rst(path_rst), .s_valid(leaves && mask_ready), .s_ready(keep_ready), .s_data(x_data),
        .m_valid(k_valid), .m_ready(k_ready), .m_data(k_data), .count()
    );

    wire [DP*LJ-1:0] y_sat, t_sat;
    wire             t_kind;
    rlc_nn_forward #(
        .DP(DP), .LANES_IN(LI), .LANES_OUT(LJ), .GROUPS(G), .WORDS_IN(WI), .WORDS_OUT(WJ), .JB(JB), .IB(IB),
        .RELU(RELU), .OUT_WIDTH(OW), .WEIGHT_WIDTH(WEIGHT_WIDTH), .X_WIDTH(ACT_WIDTH)
    ) u_forward (
        .*, .rst(path_rst), .initial_open(1'b1), .cfg_bias_shift(fa_in), .cfg_shift(forward_shift_q[5:0]),
        .s_valid(x_valid && held), .s_ready(fw_ready), .s_data(x_data), .s_kind(x_kind), .bus_valid(bus_w),
        .bus_data(bus_wdata), `RLC_STREAM_JOIN(m, y), .m_kind(y_kind), .saturated(y_sat), .acc_overflow(acc_overflow[0]),
        .busy(busy[0]), .waiting(waiting[0])
    );
    if (TARGET != 0) begin : g_target
        rlc_nn_forward #(
            .DP(DP), .LANES_IN(LI), .LANES_OUT(LJ), .GROUPS(G), .WORDS_IN(WI), .WORDS_OUT(WJ), .JB(JB), .IB(IB),
            .RELU(RELU), .OUT_WIDTH(OW), .WEIGHT_WIDTH(WEIGHT_WIDTH), .X_WIDTH(ACT_WIDTH)
        ) u_target (
            .*, .rst(path_rst), .initial_open(1'b1), .vectors(batch_slices), .cfg_bias_shift(fa_in),
            .cfg_shift(forward_shift_q[5:0]), `RLC_STREAM_JOIN(s, p), .s_kind(1'b0), .bus_valid(bus_t),
            .bus_data(bus_tdata), `RLC_STREAM_JOIN(m, t), .m_kind(t_kind), .saturated(t_sat), .acc_overflow(acc_overflow[1]),
            .busy(busy[1]), .waiting(waiting[1])
        );
    end else begin : g_target
        assign p_ready    = 1'b1;
        assign t_valid    = 1'b0;
        assign t_data     = {(DP*LJ*OW){1'b0}};
        assign t_kind     = 1'b0;
        assign t_sat      = {(DP*LJ){1'b0}};
        assign acc_overflow[1]     = 1'b0;
        assign busy[1]    = 1'b0;
        assign waiting[1] = 1'b0;
        wire unused = &{1'b0, p_valid, p_data, t_ready, bus_t, bus_tdata};
    end
    wire unused_kind = &{1'b0, t_kind};

    // Deltas: to the backward unit and, through a short queue, to the weight gradient.
    wire                       wa_ready, bw_ready, q_valid, q_ready;
    wire [DP*LJ*ACT_WIDTH-1:0] q_data;
    assign d_ready = wa_ready && bw_ready;
    rlc_fifo #(.WIDTH(DP * LJ * ACT_WIDTH), .DEPTH(2 * WJ + 2), .STYLE("distributed")) u_deltas (
        .*, .rst(path_rst), .s_valid(d_valid && bw_ready), .s_ready(wa_ready), .s_data(d_data),
        .m_valid(q_valid), .m_ready(q_ready), .m_data(q_data), .count()
    );
    if (LAYER > 1) begin : g_back
        wire             mask_valid, mask_take;
        wire [DP*LI-1:0] mask_data, positive, b_sat;
        genvar e;
        for (e = 0; e < DP * LI; e = e + 1) begin : g_mask
            // The rectifier's output is never negative.
            assign positive[e] = |x_data[e*ACT_WIDTH +: ACT_WIDTH];
        end
        rlc_fifo #(.WIDTH(DP * LI), .DEPTH(KEEP * WI), .STYLE("distributed")) u_mask (
            .*, .rst(path_rst), .s_valid(leaves && keep_ready), .s_ready(mask_ready), .s_data(positive),
            .m_valid(mask_valid), .m_ready(mask_take), .m_data(mask_data), .count()
        );
        rlc_nn_backward #(
            .DP(DP), .LANES_IN(LJ), .LANES_OUT(LI), .GROUPS(B), .WORDS_IN(WJ), .WORDS_OUT(WI), .JB(JB), .IB(IB),
            .FIRST(0), .MASK(1), .WEIGHT_WIDTH(WEIGHT_WIDTH), .X_WIDTH(ACT_WIDTH)
        ) u_backward (
            .*, .rst(path_rst), .cfg_shift(backward_shift_q[5:0]), .s_valid(d_valid && wa_ready), .s_ready(bw_ready),
            .s_data(d_data), .s_mask_valid(mask_valid), .s_mask_ready(mask_take), .s_mask_data(mask_data),
            .bus_valid(bus_w), .bus_data(bus_wdata), `RLC_STREAM_JOIN(m, b), .saturated(b_sat), .busy(busy[2]),
            .waiting(waiting[2])
        );
        rlc_popcount #(.WIDTH(DP * LI), .COUNT_WIDTH(8)) u_count (.clk(clk), .rst(rst), .d(b_sat), .count(sat[23:16]));
    end else begin : g_bottom
        assign bw_ready    = 1'b1;
        assign mask_ready  = 1'b1;
        assign b_valid     = 1'b0;
        assign b_data      = {(DP*LI*ACT_WIDTH){1'b0}};
        assign busy[2]     = 1'b0;
        assign waiting[2]  = 1'b0;
        assign sat[23:16]  = 8'd0;
        wire unused = &{1'b0, b_ready, backward_shift_q};
    end

    wire                    grad_en;
    wire `RLC_NN_WEIGHT_ADDR grad_addr;
    wire [U*SUM-1:0]        grad_data;
    rlc_nn_weight_grad #(
        .DP(DP), .LANES_J(LJ), .WORDS_J(WJ), .LANES_I(LI), .WORDS_I(WI), .GROUPS(B), .JB(JB), .IB(IB), .X_WIDTH(ACT_WIDTH),
        .SUM_WIDTH(SUM)
    ) u_gradient (
        .*, .rst(path_rst), .vectors(batch_slices), .cfg_bias_shift(fa_in), `RLC_STREAM_JOIN(s_d, q),
        `RLC_STREAM_JOIN(s_x, k), .done(learnt), .busy(busy[3]), .waiting(waiting[3])
    );

    // Weight update: as soon as the gradient is complete and the weights may be written.
    reg  due_q;
    wire measure = CLIP != 0 && learnt;
    wire ready;
    wire average = AVERAGE != 0 && avg_in[0];
    wire writes  = due_q && permit && (!average || avg_in[1]);
    wire start   = measure || writes;
    wire [U*WEIGHT_WIDTH-1:0]         own_w;
    wire [WEIGHTS+U*WEIGHT_WIDTH-1:0] own_wide = {{WEIGHTS{1'b0}}, own_w};
    wire [WEIGHTS+U*WEIGHT_WIDTH-1:0] avg_wide = {{(U*WEIGHT_WIDTH){1'b0}}, avg_in[AVG-1:2]};
    assign avg_out = (AVERAGE != 0) ? {own_wide[WEIGHTS-1:0], 1'b0, due_q && permit && ready} : {AVG{1'b0}};
    wire unused_avg = &{1'b0, avg_wide[WEIGHTS+U*WEIGHT_WIDTH-1:U*WEIGHT_WIDTH], avg_in[1:0], ready};
    always @(posedge clk)
        if (path_rst) due_q <= 1'b0;
        else          due_q <= ((CLIP != 0) ? measured : learnt) || (due_q && !writes);
    assign waiting[4] = due_q && !writes;

    localparam COUNT = $clog2(U + 1);
    wire [COUNT-1:0] sat_grad, sat_weight;
    wire             s_ready, m_valid, m_last;
    wire [63:0]      m_data;
    assign load_ready = s_ready && host_en;
    assign read_valid = m_valid && host_en;
    assign read_data  = m_data & {64{host_en}};
    assign read_last  = m_last && host_en;
    rlc_learner_update #(
        .LAYER(LAYER), .NETWORK(NETWORK), .WORDS_J(WJ), .LANES_J(LJ), .WORDS_I(WI), .LANES_I(LI), .JB(JB), .IB(IB),
        .FORWARD(G), .BACKWARD(B), .OPTIMISER(OPTIMISER), .ROUND(ROUND), .POLYAK(POLYAK),
        .TARGET(TARGET), .CLIP(CLIP), .AVERAGE(AVERAGE), .WEIGHT_WIDTH(WEIGHT_WIDTH), .WEIGHT_FRAC(WEIGHT_FRAC), .GRAD_WIDTH(GRAD_WIDTH),
        .BETA1_NUM(BETA1_NUM), .BETA1_SHIFT(BETA1_SHIFT), .BETA2_NUM(BETA2_NUM), .BETA2_SHIFT(BETA2_SHIFT),
        .SUM_WIDTH(SUM)
    ) u_update (
        .*, .shared_w(avg_wide[U*WEIGHT_WIDTH-1:0]), .busy(busy[4]), .grad_shift(grad_shift_q[5:0]), .grad_frac(fg),
        .tau(cfg_tau), .seed(cfg_seed), .settings(cfg_optimiser),
        .s_valid(s_load_valid && host_en), .s_data(s_load_data), .m_ready(m_read_ready && host_en)
    );

    // Counts of saturated elements.
    rlc_popcount #(.WIDTH(DP * LJ), .COUNT_WIDTH(8)) u_count_y (.clk(clk), .rst(rst), .d(y_sat), .count(sat[7:0]));
    rlc_popcount #(.WIDTH(DP * LJ), .COUNT_WIDTH(8)) u_count_t (.clk(clk), .rst(rst), .d(t_sat), .count(sat[15:8]));
    assign sat[39:24] = {{(8-COUNT){1'b0}}, sat_weight, {(8-COUNT){1'b0}}, sat_grad};
endmodule
`default_nettype wire
