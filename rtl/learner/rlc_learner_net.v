// rlc_learner_net.v — one network with everything that trains it: forward, backward and weight-gradient units of all
// layers, a second forward chain for the target network, and the weight update units.
// SPDX-License-Identifier: Apache-2.0
//
// SIZES         neurons a layer, input first, "4-64-64-2"; 2 to 5 layers of 1 to 512
// LANES         elements of each layer's vector that travel in one word, "4-8-8-2"
// FORWARD       row groups of the forward unit of each weight layer, "1-8-1"
// BACKWARD      the same for the backward and the weight-gradient unit
// UPDATE_ROWS, UPDATE_COLS   outputs and inputs that the update unit of each weight layer takes a clock
// DP            columns: samples side by side
// OUT_WIDTH     bits of an output element
// RETURN_CLOCKS clocks from an output word to the delta that answers it, about: it sizes the queues between
// Other parameters: docs/learner.md
//
//   x --+-> FW 1 --+-> FW 2 --+-> ... FW M --> m_q        t --> TFW 1 --> ... TFW M --> m_t
//       | keep     | keep, mask
//       v          v
//      WA 1 <-+-- BW 2 <-+-- ...  BW M <-+-- s_d           WA l --> WU l --> weight bus l --> FW l, BW l, TFW l
//             +-> (layer 1)              +-> WA M
//
// idle          nothing is under way: the gates start anew
// flush         forgets every vector, and a complete gradient that may not be used yet; weights, moments and their order
//               stay. Not during an update. host_drop gives up the plane that the host moves
// waves         waves a batch; passes: forward vectors a wave, 1 or 2. A vector of kind 1 passes forward and leaves
//               nothing behind for the way back; one of kind 0 is answered by deltas
// permit        weights may be written (pulse counts of other nets permitting); sampled when a gradient is complete
// updated       pulse: all layers have the weights of one more step
// learnt        pulse: all gradients of a batch are complete
// bus           weight bus of every layer, for units outside that hold the same weights
// sat, busy, waiting   one field a stage: 1..4 forward, 5..8 target, 11..14 backward, 15..18 gradient, 19..22 weights,
//               23 range; sat counts elements (8 bits)
// equation      paper 000, section 3.2 and figure 6
`default_nettype none
module rlc_learner_net #(
    parameter [1023:0] SIZES             = "4-8-8-2",
    parameter [1023:0] LANES             = "4-4-4-2",
    parameter [1023:0] FORWARD           = "1-2-1",
    parameter [1023:0] BACKWARD          = "1-2-1",
    parameter [1023:0] UPDATE_ROWS       = "4-4-2",
    parameter [1023:0] UPDATE_COLS       = "1-2-1",
    parameter DP            = 1,
    parameter ACTOR         = 0,
    parameter OPTIMISER     = 2,
    parameter ROUND         = 0,
    parameter POLYAK        = 0,
    parameter BETA1_NUM     = 205,
    parameter BETA1_SHIFT   = 11,
    parameter BETA2_NUM     = 131,
    parameter BETA2_SHIFT   = 17,
    parameter WEIGHT_WIDTH  = 27,
    parameter WEIGHT_FRAC   = 22,
    parameter ACT_WIDTH     = 18,
    parameter GRAD_WIDTH    = 27,
    parameter OUT_WIDTH     = 27,
    parameter RETURN_CLOCKS = 20,
    // Derived; leave them alone.
    parameter LANES_IN      = field(LANES, 0),
    parameter LANES_OUT     = field(LANES, fields(LANES) - 1),
    parameter LAYERS        = fields(SIZES) - 1,
    parameter BUS_LANES     = widest(UPDATE_ROWS, UPDATE_COLS),
    parameter BUS           = bus_bits(BUS_LANES, WEIGHT_WIDTH)
) (
    input  wire                            clk,
    input  wire                            rst,
    input  wire                            idle,
    input  wire                            flush,
    input  wire                            host_drop,
    input  wire [16:0]                     waves,
    input  wire                            double,
    input  wire                            permit,
    output wire                            learnt,
    output wire                            updated,

    input  wire [24:0]                     cfg_act_frac,
    input  wire [24:0]                     cfg_delta_frac,
    input  wire [29:0]                     cfg_grad_frac,
    input  wire [17:0]                     cfg_rate,
    input  wire [5:0]                      cfg_rate_exp,
    input  wire [17:0]                     cfg_momentum,
    input  wire [19:0]                     cfg_log_rate,
    input  wire [19:0]                     cfg_log_eps,
    input  wire [19:0]                     cfg_log_clip,
    input  wire [31:0]                     cfg_sync_interval,
    input  wire [16:0]                     cfg_tau,
    input  wire [31:0]                     cfg_seed,
    input  wire                            seed_load,
    output wire                            cfg_ok,

    input  wire                            host_start,
    input  wire                            host_read,
    input  wire [1:0]                      host_plane,
    output wire                            host_busy,
    input  wire                            s_load_valid,
    output wire                            s_load_ready,
    input  wire [63:0]                     s_load_data,
    output wire                            m_read_valid,
    input  wire                            m_read_ready,
    output wire [63:0]                     m_read_data,
    output wire                            m_read_last,

    input  wire                            s_x_valid,
    output wire                            s_x_ready,
    input  wire [DP*LANES_IN*ACT_WIDTH-1:0] s_x_data,
    input  wire                            s_x_kind,
    input  wire                            s_t_valid,
    output wire                            s_t_ready,
    input  wire [DP*LANES_IN*ACT_WIDTH-1:0] s_t_data,
    output wire                            m_q_valid,
    input  wire                            m_q_ready,
    output wire [DP*LANES_OUT*OUT_WIDTH-1:0] m_q_data,
    output wire                            m_q_kind,
    output wire                            m_t_valid,
    input  wire                            m_t_ready,
    output wire [DP*LANES_OUT*OUT_WIDTH-1:0] m_t_data,
    input  wire                            s_d_valid,
    output wire                            s_d_ready,
    input  wire [DP*LANES_OUT*ACT_WIDTH-1:0] s_d_data,

    output wire [LAYERS*BUS-1:0]           bus,
    output wire [24*8-1:0]                 sat,
    output wire [23:0]                     busy,
    output wire [23:0]                     waiting
);
    `include "rlc_learner_defs.vh"

    localparam M = fields(SIZES) - 1;

    if (!(M >= 1 && M <= 4 && M == LAYERS)) begin : g_check_layers
        rlc_learner_net_illegal_SIZES_must_name_2_to_5_neuron_layers u_stop ();
    end
    if (!(fields(LANES) == M + 1 && fields(FORWARD) == M && fields(BACKWARD) == M && fields(UPDATE_ROWS) == M
         && fields(UPDATE_COLS) == M)) begin : g_check_fields
        rlc_learner_net_illegal_LANES_must_have_a_field_a_layer_and_the_other_lists_one_less u_stop ();
    end

    localparam PERIOD = period(SIZES, LANES, FORWARD, BACKWARD, DP + 3);

    // What works on vectors, beside what keeps weights.
    wire path_rst = rst || flush;

    // A target event every cfg_sync_interval updates.
    reg [31:0] since_q;
    wire [31:0] next = since_q + 32'd1;
    wire sync = cfg_sync_interval != 32'd0 && next >= cfg_sync_interval;
    always @(posedge clk)
        if (rst) since_q <= 32'd0;
        else if (updated) since_q <= sync ? 32'd0 : next;

    wire [16:0] forward_vectors = double ? {waves[15:0], 1'b0} : waves;

    // The host's turn goes through the layers in order.
    reg       host_q;
    reg       host_read_q;
    reg [1:0] host_plane_q;
    reg [2:0] turn_q;
    wire [LAYERS:1] host_done;
    wire [LAYERS:1] load_ready;
    wire [LAYERS:1] read_valid;
    wire [64*LAYERS-1:0] read_data;
    wire [LAYERS:1] read_last;
    wire      turn_done = |(host_done & (({{(LAYERS-1){1'b0}}, 1'b1}) << (turn_q - 3'd1)));
    always @(posedge clk)
        if (rst || host_drop) begin
            host_q <= 1'b0;
            turn_q <= 3'd1;
        end else if (!host_q) begin
            host_q <= host_start;
            turn_q <= 3'd1;
        end else if (turn_done) begin
            host_q <= {29'd0, turn_q} != M;
            turn_q <= turn_q + 3'd1;
        end
    always @(posedge clk)
        if (!host_q) begin
            host_read_q  <= host_read;
            host_plane_q <= host_plane;
        end
    assign host_busy = host_q;

    wire [LAYERS:1] turn = ({{(LAYERS-1){1'b0}}, 1'b1} << (turn_q - 3'd1)) & {LAYERS{host_q}};
    assign s_load_ready = |(load_ready & turn);
    assign m_read_valid = |(read_valid & turn);
    assign m_read_last  = read_last[M] && turn[M];
    reg [63:0] read_or;
    integer n;
    always @* begin
        read_or = 64'd0;
        for (n = 0; n < M; n = n + 1)
            if (turn[n+1]) read_or = read_or | read_data[64*n +: 64];
    end
    assign m_read_data = read_or;

    // A step is done when every layer is.
    reg  [LAYERS:1] fresh_q;
    wire [LAYERS:1] layer_updated;
    wire [LAYERS:1] fresh_d = fresh_q | layer_updated;
    assign updated = &fresh_d;
    reg  [LAYERS:1] complete_q;
    wire [LAYERS:1] layer_learnt;
    wire [LAYERS:1] complete_d = complete_q | layer_learnt;
    assign learnt = &complete_d;
    always @(posedge clk) begin
        fresh_q    <= (rst || updated) ? {LAYERS{1'b0}} : fresh_d;
        complete_q <= (path_rst || learnt) ? {LAYERS{1'b0}} : complete_d;
    end

    wire [LAYERS:1] layer_ok;
    assign cfg_ok = &layer_ok;

    genvar l;
    generate
        // Deltas of every layer. They flow against the order of the layers, and Yosys only follows references to what
        // stands further up.
        for (l = 1; l <= M; l = l + 1) begin : g_delta
            wire                                      valid;
            wire                                      ready;
            wire [DP*field(LANES, l)*ACT_WIDTH-1:0]   data;
        end

        for (l = 1; l <= M; l = l + 1) begin : g_layer
            localparam LJ   = field(LANES, l);
            localparam LI   = field(LANES, l-1);
            localparam WJ   = words(field(SIZES, l), LJ);
            localparam WI   = words(field(SIZES, l-1), LI);
            localparam G    = field(FORWARD, l-1);
            localparam B    = field(BACKWARD, l-1);
            localparam JB   = field(UPDATE_ROWS, l-1);
            localparam IB   = field(UPDATE_COLS, l-1);
            localparam U    = JB * IB;
            localparam OW   = (l == M) ? OUT_WIDTH : ACT_WIDTH;
            localparam KEEP = between(LANES, l, PERIOD, RETURN_CLOCKS);
            localparam SAT_BITS = $clog2(U + 1);

            if (!(LJ >= 1 && LI >= 1 && G >= 1 && B >= 1 && JB >= 1 && IB >= 1)) begin : g_check_ones
                rlc_learner_net_illegal_every_field_of_every_list_must_be_at_least_1 u_stop ();
            end
            if (!(field(SIZES, l) >= 1 && field(SIZES, l) <= 512
                 && field(SIZES, l-1) >= 1 && field(SIZES, l-1) <= 512)) begin : g_check_size
                rlc_learner_net_illegal_a_layer_has_1_to_512_neurons u_stop ();
            end
            if (!(U <= BUS_LANES && DP * LJ <= 255 && DP * LI <= 255 && U <= 255)) begin : g_check_counts
                rlc_learner_net_illegal_DP_times_the_lanes_and_UPDATE_ROWS_times_UPDATE_COLS_are_at_most_255 u_stop ();
            end

            // Fractions to shifts.
            wire [4:0] fa_in  = cfg_act_frac[5*(l-1) +: 5];
            wire [4:0] fa_out = cfg_act_frac[5*l +: 5];
            wire [4:0] fd_out = cfg_delta_frac[5*l +: 5];
            wire [5:0] fg     = cfg_grad_frac[6*l +: 6];
            localparam [7:0] WF = WEIGHT_FRAC;
            reg [7:0] forward_shift_q;
            reg [7:0] grad_shift_q;
            reg [7:0] rate_shift_q;
            reg [19:0] log_eps_q;
            always @(posedge clk) begin
                forward_shift_q <= WF + {3'd0, fa_in} - {3'd0, fa_out};
                grad_shift_q    <= {3'd0, fd_out} + {3'd0, fa_in} - {2'd0, fg};
                rate_shift_q    <= {2'd0, fg} + {2'd0, cfg_rate_exp} - WF;
                log_eps_q       <= cfg_log_eps + {3'd0, fg, 11'd0} - 20'd4096;
            end
            wire backward_ok;
            assign layer_ok[l] = forward_shift_q < 8'd48 && grad_shift_q < 8'd48 && backward_ok
                              && (OPTIMISER == 2 || rate_shift_q < 8'd64);

            // The weight bus of this layer.
            wire            w_valid;
            wire            t_valid;
            wire            w_bias;
            wire [9:0]      w_jw;
            wire [9:0]      w_jof;
            wire [9:0]      w_jg;
            wire [9:0]      w_js;
            wire [9:0]      w_iw;
            wire [9:0]      w_iof;
            wire [9:0]      w_ig;
            wire [9:0]      w_is;
            wire [U*WEIGHT_WIDTH-1:0] w_data;
            wire [U*WEIGHT_WIDTH-1:0] t_data;
            wire [BUS_LANES*WEIGHT_WIDTH-1:0] w_wide;
            assign w_wide[U*WEIGHT_WIDTH-1:0] = w_data;
            if (BUS_LANES > U) begin : g_pad
                assign w_wide[BUS_LANES*WEIGHT_WIDTH-1:U*WEIGHT_WIDTH] = {((BUS_LANES-U)*WEIGHT_WIDTH){1'b0}};
            end
            assign bus[(l-1)*BUS +: BUS] = {w_wide, w_valid, w_bias, w_jw, w_jof, w_jg, w_js, w_iw, w_iof, w_ig, w_is};

            // The words that enter: to the forward unit, and those of kind 0 to the queues for the way back.
            wire                       x_valid;
            wire                       x_ready;
            wire [DP*LI*ACT_WIDTH-1:0] x_data;
            wire                       x_kind;
            wire                       fw_ready;
            wire                       keep_ready;
            wire                       mask_ready;
            wire                       held = x_kind || (keep_ready && mask_ready);
            assign x_ready = fw_ready && held;

            wire                       k_valid;
            wire                       k_ready;
            wire [DP*LI*ACT_WIDTH-1:0] k_data;
            wire [$clog2(KEEP*WI+1)-1:0] k_count;
            rlc_fifo #(.WIDTH(DP * LI * ACT_WIDTH), .DEPTH(KEEP * WI), .STYLE(KEEP * WI > 64 ? "block" : "distributed")) u_keep (
                .clk(clk), .rst(path_rst), .s_valid(x_valid && !x_kind && fw_ready && mask_ready), .s_ready(keep_ready),
                .s_data(x_data), .m_valid(k_valid), .m_ready(k_ready), .m_data(k_data), .count(k_count)
            );

            // Forward.
            wire                     y_valid;
            wire                     y_ready;
            wire [DP*LJ*OW-1:0]      y_data;
            wire                     y_kind;
            wire [DP*LJ-1:0]         y_sat;
            wire                     y_range;
            rlc_learner_forward #(
                .DP(DP), .LANES_IN(LI), .LANES_OUT(LJ), .GROUPS(G), .WORDS_IN(WI), .WORDS_OUT(WJ), .JB(JB), .IB(IB),
                .RELU(l < M ? 1 : 0), .OUT_WIDTH(OW), .WEIGHT_WIDTH(WEIGHT_WIDTH), .X_WIDTH(ACT_WIDTH)
            ) u_forward (
                .clk(clk), .rst(path_rst), .idle(idle), .initial_open(1'b1), .vectors(forward_vectors),
                .updated(layer_updated[l]), .cfg_bias_shift(fa_in), .cfg_shift(forward_shift_q[5:0]),
                .s_valid(x_valid && held), .s_ready(fw_ready), .s_data(x_data), .s_kind(x_kind),
                .bus_valid(w_valid), .bus_bias(w_bias), .bus_jw(w_jw), .bus_jof(w_jof), .bus_jg(w_jg), .bus_js(w_js),
                .bus_iw(w_iw), .bus_is(w_is), .bus_data(w_data),
                .m_valid(y_valid), .m_ready(y_ready), .m_data(y_data), .m_kind(y_kind),
                .saturated(y_sat), .range(y_range), .busy(busy[l]), .waiting(waiting[l])
            );

            // The target network's forward.
            wire                       p_valid;
            wire                       p_ready;
            wire [DP*LI*ACT_WIDTH-1:0] p_data;
            wire                       t_out_valid;
            wire                       t_out_ready;
            wire [DP*LJ*OW-1:0]        t_out_data;
            wire                       t_out_kind;
            wire [DP*LJ-1:0]           t_sat;
            wire                       t_range;
            rlc_learner_forward #(
                .DP(DP), .LANES_IN(LI), .LANES_OUT(LJ), .GROUPS(G), .WORDS_IN(WI), .WORDS_OUT(WJ), .JB(JB), .IB(IB),
                .RELU(l < M ? 1 : 0), .OUT_WIDTH(OW), .WEIGHT_WIDTH(WEIGHT_WIDTH), .X_WIDTH(ACT_WIDTH)
            ) u_target (
                .clk(clk), .rst(path_rst), .idle(idle), .initial_open(1'b1), .vectors(waves),
                .updated(layer_updated[l]), .cfg_bias_shift(fa_in), .cfg_shift(forward_shift_q[5:0]),
                .s_valid(p_valid), .s_ready(p_ready), .s_data(p_data), .s_kind(1'b0),
                .bus_valid(t_valid), .bus_bias(w_bias), .bus_jw(w_jw), .bus_jof(w_jof), .bus_jg(w_jg), .bus_js(w_js),
                .bus_iw(w_iw), .bus_is(w_is), .bus_data(t_data),
                .m_valid(t_out_valid), .m_ready(t_out_ready), .m_data(t_out_data), .m_kind(t_out_kind),
                .saturated(t_sat), .range(t_range), .busy(busy[4+l]), .waiting(waiting[4+l])
            );
            wire unused_target = &{1'b0, t_out_kind, k_count};

            if (l == 1) begin : g_from_input
                assign x_valid   = s_x_valid;
                assign s_x_ready = x_ready;
                assign x_data    = s_x_data;
                assign x_kind    = s_x_kind;
                assign p_valid   = s_t_valid;
                assign s_t_ready = p_ready;
                assign p_data    = s_t_data;
            end else begin : g_from_layer
                assign x_valid = g_layer[l-1].y_valid;
                assign g_layer[l-1].y_ready = x_ready;
                assign x_data  = g_layer[l-1].y_data;
                assign x_kind  = g_layer[l-1].y_kind;
                assign p_valid = g_layer[l-1].t_out_valid;
                assign g_layer[l-1].t_out_ready = p_ready;
                assign p_data  = g_layer[l-1].t_out_data;
            end
            if (l == M) begin : g_to_output
                assign m_q_valid   = y_valid;
                assign y_ready     = m_q_ready;
                assign m_q_data    = y_data;
                assign m_q_kind    = y_kind;
                assign m_t_valid   = t_out_valid;
                assign t_out_ready = m_t_ready;
                assign m_t_data    = t_out_data;
            end

            // Deltas of this layer: to the backward unit and, through a short queue, to the weight gradient.
            wire                       d_valid = g_delta[l].valid;
            wire [DP*LJ*ACT_WIDTH-1:0] d_data  = g_delta[l].data;
            wire                       wa_ready;
            wire                       bw_ready;
            assign g_delta[l].ready = wa_ready && bw_ready;
            if (l == M) begin : g_from_loss
                assign g_delta[l].valid = s_d_valid;
                assign g_delta[l].data  = s_d_data;
                assign s_d_ready        = g_delta[l].ready;
            end
            wire                       q_valid;
            wire                       q_ready;
            wire [DP*LJ*ACT_WIDTH-1:0] q_data;
            wire [$clog2(2*WJ+3)-1:0]  q_count;
            rlc_fifo #(.WIDTH(DP * LJ * ACT_WIDTH), .DEPTH(2 * WJ + 2), .STYLE("distributed")) u_deltas (
                .clk(clk), .rst(path_rst), .s_valid(d_valid && bw_ready), .s_ready(wa_ready), .s_data(d_data),
                .m_valid(q_valid), .m_ready(q_ready), .m_data(q_data), .count(q_count)
            );
            wire unused_count = &{1'b0, q_count};

            if (l > 1) begin : g_back
                wire [4:0] fd_in = cfg_delta_frac[5*(l-1) +: 5];
                reg  [7:0] shift_q;
                always @(posedge clk) shift_q <= WF + {3'd0, fd_out} - {3'd0, fd_in};
                assign backward_ok = shift_q < 8'd48;

                wire              mask_valid;
                wire              mask_take;
                wire [DP*LI-1:0]  mask_data;
                wire [DP*LI-1:0]  positive;
                wire [$clog2(KEEP*WI+1)-1:0] mask_count;
                genvar e;
                for (e = 0; e < DP * LI; e = e + 1) begin : g_mask
                    // The rectifier's output is never negative.
                    assign positive[e] = |x_data[e*ACT_WIDTH +: ACT_WIDTH];
                end
                rlc_fifo #(.WIDTH(DP * LI), .DEPTH(KEEP * WI), .STYLE("distributed")) u_mask (
                    .clk(clk), .rst(path_rst), .s_valid(x_valid && !x_kind && fw_ready && keep_ready), .s_ready(mask_ready),
                    .s_data(positive), .m_valid(mask_valid), .m_ready(mask_take), .m_data(mask_data),
                    .count(mask_count)
                );
                wire unused_mask = &{1'b0, mask_count};

                wire                       b_valid;
                wire [DP*LI*ACT_WIDTH-1:0] b_data;
                wire [DP*LI-1:0]           b_sat;
                rlc_learner_backward #(
                    .DP(DP), .LANES_IN(LJ), .LANES_OUT(LI), .GROUPS(B), .WORDS_IN(WJ), .WORDS_OUT(WI), .JB(JB), .IB(IB),
                    .FIRST(0), .MASK(1), .WEIGHT_WIDTH(WEIGHT_WIDTH), .X_WIDTH(ACT_WIDTH)
                ) u_backward (
                    .clk(clk), .rst(path_rst), .cfg_shift(shift_q[5:0]),
                    .s_valid(d_valid && wa_ready), .s_ready(bw_ready), .s_data(d_data),
                    .s_mask_valid(mask_valid), .s_mask_ready(mask_take), .s_mask_data(mask_data),
                    .bus_valid(w_valid), .bus_bias(w_bias), .bus_jw(w_jw), .bus_js(w_js), .bus_iw(w_iw),
                    .bus_iof(w_iof), .bus_ig(w_ig), .bus_is(w_is), .bus_data(w_data),
                    .m_valid(b_valid), .m_ready(g_delta[l-1].ready), .m_data(b_data),
                    .saturated(b_sat), .busy(busy[10+l]), .waiting(waiting[10+l])
                );
                assign g_delta[l-1].valid = b_valid;
                assign g_delta[l-1].data  = b_data;
                rlc_popcount #(.WIDTH(DP * LI), .COUNT_WIDTH(8)) u_count (.clk(clk), .d(b_sat), .count(sat[8*(10+l) +: 8]));
            end else begin : g_bottom
                assign bw_ready    = 1'b1;
                assign mask_ready  = 1'b1;
                assign backward_ok = 1'b1;
                assign busy[10+l]  = 1'b0;
                assign waiting[10+l] = 1'b0;
                assign sat[8*(10+l) +: 8] = 8'd0;
            end

            // Weight gradient.
            wire            grad_en;
            wire            grad_bias;
            wire [9:0]      grad_jw;
            wire [9:0]      grad_js;
            wire [9:0]      grad_set;
            wire [9:0]      grad_group;
            wire [9:0]      grad_is;
            wire [U*48-1:0] grad_data;
            rlc_learner_outer #(
                .DP(DP), .LANES_J(LJ), .WORDS_J(WJ), .LANES_I(LI), .WORDS_I(WI), .GROUPS(B), .JB(JB), .IB(IB),
                .X_WIDTH(ACT_WIDTH)
            ) u_gradient (
                .clk(clk), .rst(path_rst), .idle(idle), .vectors(waves), .cfg_bias_shift(fa_in),
                .s_d_valid(q_valid), .s_d_ready(q_ready), .s_d_data(q_data),
                .s_x_valid(k_valid), .s_x_ready(k_ready), .s_x_data(k_data), .done(layer_learnt[l]),
                .grad_en(grad_en), .grad_bias(grad_bias), .grad_jw(grad_jw), .grad_js(grad_js), .grad_set(grad_set),
                .grad_group(grad_group), .grad_is(grad_is), .grad_data(grad_data),
                .busy(busy[14+l]), .waiting(waiting[14+l])
            );

            // Weight update: as soon as the gradient is complete and the weights may be written.
            reg  due_q;
            wire start = due_q && permit;
            always @(posedge clk)
                if (path_rst) due_q <= 1'b0;
                else     due_q <= layer_learnt[l] || (due_q && !start);
            wire                wu_busy;
            wire [SAT_BITS-1:0] sat_grad;
            wire [SAT_BITS-1:0] sat_weight;
            rlc_learner_update #(
                .LAYER(l), .ACTOR(ACTOR), .WORDS_J(WJ), .LANES_J(LJ), .WORDS_I(WI), .LANES_I(LI), .JB(JB), .IB(IB),
                .FORWARD(G), .BACKWARD(B), .OPTIMISER(OPTIMISER), .ROUND(ROUND), .POLYAK(POLYAK),
                .WEIGHT_WIDTH(WEIGHT_WIDTH), .WEIGHT_FRAC(WEIGHT_FRAC), .GRAD_WIDTH(GRAD_WIDTH),
                .BETA1_NUM(BETA1_NUM), .BETA1_SHIFT(BETA1_SHIFT), .BETA2_NUM(BETA2_NUM), .BETA2_SHIFT(BETA2_SHIFT)
            ) u_update (
                .clk(clk), .rst(rst), .start(start), .updated(layer_updated[l]), .busy(wu_busy),
                .grad_shift(grad_shift_q[5:0]), .rate(cfg_rate), .rate_shift(rate_shift_q[6:0]),
                .momentum(cfg_momentum), .log_rate(cfg_log_rate), .log_eps_l(log_eps_q), .log_clip(cfg_log_clip),
                .sync(sync), .tau(cfg_tau), .seed_load(seed_load), .seed(cfg_seed),
                .grad_en(grad_en), .grad_bias(grad_bias), .grad_jw(grad_jw), .grad_js(grad_js), .grad_set(grad_set),
                .grad_group(grad_group), .grad_is(grad_is), .grad_data(grad_data),
                .host_en(turn[l]), .host_read(host_read_q), .host_plane(host_plane_q), .host_done(host_done[l]),
                .s_valid(s_load_valid && turn[l]), .s_ready(load_ready[l]), .s_data(s_load_data),
                .m_valid(read_valid[l]), .m_ready(m_read_ready && turn[l]), .m_data(read_data[64*(l-1) +: 64]), .m_last(read_last[l]),
                .bus_w(w_valid), .bus_t(t_valid), .bus_bias(w_bias), .bus_jw(w_jw), .bus_jof(w_jof), .bus_jg(w_jg),
                .bus_js(w_js), .bus_iw(w_iw), .bus_iof(w_iof), .bus_ig(w_ig), .bus_is(w_is), .bus_wdata(w_data),
                .bus_tdata(t_data), .sat_grad(sat_grad), .sat_weight(sat_weight)
            );
            assign busy[18+l]    = wu_busy;
            assign waiting[18+l] = due_q && !permit;

            // Counts of limited elements.
            rlc_popcount #(.WIDTH(DP * LJ), .COUNT_WIDTH(8)) u_count_y (.clk(clk), .d(y_sat), .count(sat[8*l +: 8]));
            rlc_popcount #(.WIDTH(DP * LJ), .COUNT_WIDTH(8)) u_count_t (.clk(clk), .d(t_sat), .count(sat[8*(4+l) +: 8]));
            assign sat[8*(14+l) +: 8] = {{(8-SAT_BITS){1'b0}}, sat_grad};
            assign sat[8*(18+l) +: 8] = {{(8-SAT_BITS){1'b0}}, sat_weight};
        end

        // Stages that a shallower network does not have.
        for (l = M + 1; l <= 4; l = l + 1) begin : g_absent
            assign sat[8*l +: 8]      = 8'd0;
            assign sat[8*(4+l) +: 8]  = 8'd0;
            assign sat[8*(10+l) +: 8] = 8'd0;
            assign sat[8*(14+l) +: 8] = 8'd0;
            assign sat[8*(18+l) +: 8] = 8'd0;
            assign {busy[l], busy[4+l], busy[10+l], busy[14+l], busy[18+l]} = 5'd0;
            assign {waiting[l], waiting[4+l], waiting[10+l], waiting[14+l], waiting[18+l]} = 5'd0;
        end

        // Sums near the end of their range.
        wire [2*LAYERS-1:0] far;
        for (l = 1; l <= M; l = l + 1) begin : g_range
            assign far[2*l-2] = g_layer[l].y_range;
            assign far[2*l-1] = g_layer[l].t_range;
        end
    endgenerate
    rlc_popcount #(.WIDTH(2 * LAYERS), .COUNT_WIDTH(8)) u_count_range (.clk(clk), .d(far), .count(sat[8*23 +: 8]));
    assign sat[7:0] = 8'd0;
    assign sat[8*9 +: 16] = 16'd0;
    assign {busy[0], busy[10:9], busy[23]}             = 4'd0;
    assign {waiting[0], waiting[10:9], waiting[23]}    = 4'd0;
endmodule
`default_nettype wire
