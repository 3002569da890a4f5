// rlc_learner_net.sv — one network with everything that trains it: its layers, and who of them moves on.
// SPDX-License-Identifier: Apache-2.0
//
// SIZES         neurons a layer, input first, "4-64-64-2"; 2 to 5 layers
// LANES         elements of each layer's vector that travel in one word, "4-8-8-2"
// FORWARD, BACKWARD   row groups of the units of each weight layer, "1-8-1"
// UPDATE_ROWS, UPDATE_COLS   outputs and inputs that the update unit of each weight layer takes a clock
//
//   x --> FW 1 --> FW 2 --> ... FW M --> m_q        t --> TFW 1 --> ... TFW M --> m_t
//   WA 1 <-+-- BW 2 <-- ...  BW M <-+-- s_d
//          +-> (layer 1)            +-> WA M        WA l --> WU l --> weight bus l --> FW l, BW l, TFW l
//
// idle          nothing is under way: the gates start anew
// flush         forgets every vector, and a complete gradient that may not be used yet; weights, moments and their order
//               stay. Not during an update. host_drop gives up the parameter bank that the host moves
// batch_slices  batch slices a batch; double_dqn: each has two vectors at s_x, the first of kind 1
// permit        weights may be written (pulse counts of other nets permitting)
// updated       pulse: all layers have the weights of one more step
// learnt        pulse: all gradients of a batch are complete
// measured      with CLIP, a pulse behind learnt: squares has a sum of squares a layer, 56 bits each, the first layer's lowest.
//               The factor of all gradients stands with permit, and until updated
// host_*        loads or reads a parameter bank while host_network is NETWORK; its outputs are low while nothing is moved
// s_x_*, s_t_*  inputs of the network and of the target network, m_q_*, m_t_* their outputs, s_d_* deltas of m_q_*
// avg_in, avg_out   of every layer, the first lowest: the way to the average with other learners' weights (rlc_learner_layer)
// bus           weight bus of every layer, for units outside that hold the same weights
// sat, busy, waiting   {range, WU 4..1, WA 4..1, BW 4..1, TFW 4..1, FW 4..1}; sat counts elements (8 bits)
// equation      Meng et al. (2022), section 3.2 and figure 6
`default_nettype none
`include "rlc_learner_ports.vh"
module rlc_learner_net #(
    `include "rlc_learner_parameters.vh"
    `include "rlc_learner_network.vh"
    , parameter RETURN_CLOCKS = 20,  // clocks from an output word to the delta that answers it, about: it sizes queues
    // Derived; leave them alone.
    parameter LANES_OUT = field(NET_LANES, LAYERS)              // lanes of outputs
) (
    input  wire                              clk,
    input  wire                              rst,
    input  wire                              idle,
    input  wire                              flush,
    input  wire                              host_drop,
    input  wire [16:0]                       batch_slices,
    input  wire                              double_dqn,
    input  wire                              permit,
    output wire                              learnt,
    output wire                              updated,
    output wire                              measured,
    output wire [LAYERS*56-1:0]              squares,
    input  wire [17:0]                       factor,
    `RLC_LEARNER_TARGET_SETTINGS(input wire, `RLC_COMMA),
    `RLC_LEARNER_STEP_SETTINGS(input wire, `RLC_COMMA),
    `RLC_LEARNER_NET_SETTINGS(input wire, `RLC_COMMA),
    output wire                              cfg_ok,

    `RLC_LEARNER_HOST,

    `RLC_STREAM_SLAVE(s_x, WORD),
    input  wire                              s_x_kind,
    `RLC_STREAM_SLAVE(s_t, WORD),
    `RLC_STREAM_MASTER(m_q, DP*LANES_OUT*OUT_WIDTH),
    output wire                              m_q_kind,
    `RLC_STREAM_MASTER(m_t, DP*LANES_OUT*OUT_WIDTH),
    `RLC_STREAM_SLAVE(s_d, DP*LANES_OUT*ACT_WIDTH),

    input  wire [LAYERS*AVG-1:0]             avg_in,
    output wire [LAYERS*AVG-1:0]             avg_out,
    output wire [LAYERS*BUS-1:0]             bus,
    output wire [21*8-1:0]                   sat,
    output wire [20:0]                       busy,
    output wire [20:0]                       waiting
);
    `include "rlc_learner_defs.vh"

    `RLC_CHECK(LAYERS >= 1 && LAYERS <= 4, rlc_learner_net_illegal_SIZES_must_name_2_to_5_neuron_layers)
    `RLC_CHECK(fields(NET_LANES) == LAYERS + 1 && fields(NET_FORWARD) == LAYERS
               && fields(NET_BACKWARD) == LAYERS && fields(NET_ROWS) == LAYERS && fields(NET_COLS) == LAYERS,
               rlc_learner_net_illegal_LANES_must_have_a_field_a_layer_and_the_other_lists_one_less)

    wire [16:0] vectors = double_dqn ? {batch_slices[15:0], 1'b0} : batch_slices;
    wire path_rst = rst || flush;    // what works on vectors, beside what keeps weights

    // A target event every cfg_sync_interval updates.
    reg  [31:0] since_q;
    wire [31:0] next = since_q + 32'd1;
    wire        sync = cfg_sync_interval != 32'd0 && next >= cfg_sync_interval;
    always @(posedge clk)
        if (rst) since_q <= 32'd0;
        else if (updated) since_q <= sync ? 32'd0 : next;

    // The host's turn goes through the layers in order.
    reg       host_q, host_read_q;
    reg [1:0] host_param_bank_q;
    reg [LAYERS:1] turn_q;
    wire [LAYERS:1] host_done, load_ready, read_valid, read_last;
    localparam [LAYERS:1] FIRST = 1;
    localparam [31:0] NUMBER = NETWORK;
    always @(posedge clk)
        if (rst || host_drop) begin
            host_q <= 1'b0;
            turn_q <= FIRST;
        end else if (!host_q) begin
            host_q <= host_start && host_network == NUMBER[index_bits(lists(SIZES))-1:0];
            turn_q <= FIRST;
        end else if (|(host_done & turn_q)) begin
            host_q <= !turn_q[LAYERS];
            turn_q <= turn_q << 1;
        end
    always @(posedge clk)
        if (!host_q) begin
            host_read_q       <= host_read;
            host_param_bank_q <= host_param_bank;
        end
    assign host_busy    = host_q;
    assign s_load_ready = |load_ready;
    assign m_read_valid = |read_valid;
    assign m_read_last  = read_last[LAYERS];

    // A step is done when every layer is.
    reg  [LAYERS:1] fresh_q;
    wire [LAYERS:1] layer_updated;
    wire [LAYERS:1] fresh_d = fresh_q | layer_updated;
    assign updated = &fresh_d;
    reg  [LAYERS:1] complete_q;
    wire [LAYERS:1] layer_learnt;
    wire [LAYERS:1] complete_d = complete_q | layer_learnt;
    assign learnt = &complete_d;
    reg  [LAYERS:1] measured_q;
    wire [LAYERS:1] layer_measured;
    wire [LAYERS:1] measured_d = measured_q | layer_measured;
    assign measured = &measured_d;
    always @(posedge clk) begin
        fresh_q    <= (rst || updated) ? {LAYERS{1'b0}} : fresh_d;
        complete_q <= (path_rst || learnt) ? {LAYERS{1'b0}} : complete_d;
        measured_q <= (path_rst || measured) ? {LAYERS{1'b0}} : measured_d;
    end

    wire [LAYERS:1] ok;
    assign cfg_ok = &ok;

    wire [2*LAYERS-1:0] acc_overflow;         // sums near the end of their range
    rlc_popcount #(.WIDTH(2 * LAYERS), .COUNT_WIDTH(8)) u_count_range (.clk(clk), .rst(rst), .d(acc_overflow), .count(sat[8*20 +: 8]));
    assign busy[20]    = 1'b0;
    assign waiting[20] = 1'b0;

    genvar l;
    genvar n;
    for (l = 1; l <= LAYERS; l = l + 1) begin : g_layer
        localparam IN  = DP * field(NET_LANES, l - 1);
        localparam OUT = DP * field(NET_LANES, l);
        localparam OW  = (l == LAYERS) ? OUT_WIDTH : ACT_WIDTH;
        wire                     x_valid, x_ready, x_kind, p_valid, p_ready;
        wire                     y_valid, y_ready, y_kind, t_valid, t_ready;
        wire                     d_valid, d_ready, b_valid, b_ready;
        wire [IN*ACT_WIDTH-1:0]  x_data, p_data, b_data;
        wire [OUT*OW-1:0]        y_data, t_data;
        wire [OUT*ACT_WIDTH-1:0] d_data;
        wire [63:0]              read_data, read_so_far;
        wire [5*8-1:0]           layer_sat;
        wire [4:0]               layer_busy, layer_waiting;
        rlc_learner_layer #(
            `include "rlc_learner_args.vh"
            , .NETWORK(NETWORK), .TARGET(TARGET), .CLIP(CLIP), .AVERAGE(AVERAGE), .OUT_WIDTH(OUT_WIDTH), .LAYER(l), .RETURN_CLOCKS(RETURN_CLOCKS)
        ) u_layer (
            .*, .learnt(layer_learnt[l]), .updated(layer_updated[l]), .measured(layer_measured[l]),
            .squares(squares[56*l-56 +: 56]), .ok(ok[l]),
            .host_en(host_q && turn_q[l]), .host_read(host_read_q), .host_param_bank(host_param_bank_q),
            .host_done(host_done[l]), .load_ready(load_ready[l]), .read_valid(read_valid[l]), .read_last(read_last[l]),
            .avg_in(avg_in[(l-1)*AVG +: AVG]), .avg_out(avg_out[(l-1)*AVG +: AVG]),
            .bus(bus[(l-1)*BUS +: BUS]), .sat(layer_sat), .busy(layer_busy), .waiting(layer_waiting),
            .acc_overflow(acc_overflow[2*l-2 +: 2])
        );
        for (n = 0; n < 5; n = n + 1) begin : g_stage
            assign sat[8*(4*n+l-1) +: 8] = layer_sat[8*n +: 8];
            assign busy[4*n+l-1]         = layer_busy[n];
            assign waiting[4*n+l-1]      = layer_waiting[n];
        end

        // Deltas flow against the order of the layers; Yosys follows references to what stands further up.
        if (l == 1) begin : g_first
            `RLC_STREAM_ASSIGN(x, s_x);
            `RLC_STREAM_ASSIGN(p, s_t);
            assign x_kind      = s_x_kind;
            assign b_ready     = 1'b1;
            assign read_so_far = read_data;
            wire unused = &{1'b0, b_valid, b_data};
        end else begin : g_behind
            `RLC_STREAM_ASSIGN(x, g_layer[l-1].y);
            `RLC_STREAM_ASSIGN(p, g_layer[l-1].t);
            `RLC_STREAM_ASSIGN(g_layer[l-1].d, b);
            assign x_kind      = g_layer[l-1].y_kind;
            assign read_so_far = g_layer[l-1].read_so_far | read_data;
        end
        if (l == LAYERS) begin : g_last
            `RLC_STREAM_ASSIGN(m_q, y);
            `RLC_STREAM_ASSIGN(m_t, t);
            `RLC_STREAM_ASSIGN(d, s_d);
            assign m_q_kind    = y_kind;
            assign m_read_data = read_so_far;
        end
    end
    // Stages that a shallower network does not have.
    for (l = LAYERS + 1; l <= 4; l = l + 1) begin : g_absent
        for (n = 0; n < 5; n = n + 1) begin : g_stage
            assign sat[8*(4*n+l-1) +: 8] = 8'd0;
            assign busy[4*n+l-1]         = 1'b0;
            assign waiting[4*n+l-1]      = 1'b0;
        end
    end
endmodule
`default_nettype wire
