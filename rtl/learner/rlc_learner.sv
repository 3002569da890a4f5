// rlc_learner.sv — trains a small network on chip: DQN and double DQN, or with an actor network DDPG. Native core.
// SPDX-License-Identifier: Apache-2.0
//
// Network 0 is the value network, 1 the actor; without one it is DQN. With an actor the value network's input is the state,
// padded to whole words, and then the action; both networks have the same lanes at the input, and the actor's output has
// these lanes too.
//
// run, busy     batches begin while run is high; a batch begun is trained to its end. Registers change while not busy
// abort_in      high for a clock or more: batches taken in whole are trained to their end, half a batch is forgotten, a load
//               or a read is given up (a parameter bank loaded in part must be loaded again). Weights, moments and counts stay.
//               Meanwhile records are taken and dropped, and priorities and words read go on as long as they are taken at
//               once. aborting: until the core is idle; it is busy so long
// stale          {read, prio}: what stood there in an abort and was not taken
// step_done     pulse: the weights of one more step are in place; steps counts them
// hold          a complete gradient waits, and is not used, as long as this is high. Alone: 0
// bus_*         weights of the network that acts (the actor, if there is one) as they change or are loaded: a bit a layer
//               says that a group comes, in the order of docs/learner_update.md; layer 1 lowest
// avg_*         with AVERAGE, the way of new weights to their average with those of other learners, and back:
//               rlc_learner_layer, a layer each, the value network's first, the lowest lowest
// cfg_*         docs/learner_registers.md; cfg_ok: the fractions make shifts that exist
// host_*        loads or reads one parameter bank (0 weights, 1 target, 2 first, 3 second moment) of one network; only while not busy
// s_rec_*       records; m_prio_*: |TD| in record order, last with the batch
// sat_count     elements saturated, a stage; unit_busy, unit_wait: a bit a stage. Stages: docs/learner.md
//
//   records -> batch -+-> s, a  ---------------> value net ---> Q ----> loss --> priorities
//                     +-> s' (, a' = mu'(s')) -> its target --> Q' --->   |
//                     +-> info ---------------------------------------->  +--> deltas -> value net
//   with an actor (rlc_learner_actor):  s -> actor -> tanh -> a -> pass through the critic -> da -> tail -> deltas -> actor
`default_nettype none
`include "rlc_learner_ports.vh"
module rlc_learner #(
    `include "rlc_learner_parameters.vh"
    , parameter AVERAGE = 0   // clocks from a group at avg_out to its average at avg_in; 0: it learns alone, and avg_in is 0
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   run,
    output wire                   busy,
    input  wire                   abort_in,
    output reg                    aborting,
    output wire [1:0]             stale,
    output wire                   step_done,
    output reg  [31:0]            steps,
    input  wire                   hold,
    output wire [acting_layers(SIZES)-1:0] bus_valid,
    output wire [acting_layers(SIZES) * acting_bits(UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH)-1:0] bus_data,
    input  wire `RLC_LEARNER_AVERAGE avg_in,
    output wire `RLC_LEARNER_AVERAGE avg_out,
    `RLC_LEARNER_BATCH_SETTINGS(input wire, `RLC_COMMA),
    `RLC_RL_TD_LOSS_SETTINGS(input wire, `RLC_COMMA),
    `RLC_LEARNER_TARGET_SETTINGS(input wire, `RLC_COMMA),
    `RLC_LEARNER_STEP_SETTINGS(input wire, `RLC_COMMA),
    `RLC_LEARNER_NETS_SETTINGS(input wire, `RLC_COMMA),
    `RLC_LEARNER_PASS_SETTINGS(input wire, `RLC_COMMA),
    output wire                   cfg_ok,

    `RLC_LEARNER_HOST,

    `RLC_STREAM_SLAVE(s_rec, field(LANES, 0)*32),
    `RLC_STREAM_MASTER(m_prio, 32),
    output wire                   m_prio_last,

    input  wire                   sat_clear,
    output wire [64*32-1:0]       sat_count,
    output wire [63:0]            unit_busy,
    output wire [63:0]            unit_wait
);
    `include "rlc_learner_defs.vh"

    localparam M         = fields(SIZES) - 1;
    localparam ACTOR     = lists(SIZES) > 1;
    localparam [1023:0] ACTING = acting(SIZES);
    localparam LANES_IN  = field(LANES, 0);
    localparam LANES_OUT = field(LANES, M);
    localparam BUS       = bus_bits(UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH);
    localparam AVG       = average_bits(UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH);
    localparam AVG_A     = average_all(SIZES, UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH) - M * AVG;    // of all of the actor
    localparam ACTING_LAYERS  = acting_layers(SIZES);
    localparam ACTING_WEIGHTS = acting_bits(UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH);
    localparam ACTING_BUS     = `RLC_NN_WEIGHT_BUS_DATA + ACTING_WEIGHTS;
    localparam SIZE_S    = field(ACTING, 0);
    localparam SIZE_A    = ACTOR ? field(ACTING, ACTING_LAYERS) : 0;
    localparam ACTIONS   = field(SIZES, M);
    localparam WORDS_S   = words(SIZE_S, LANES_IN);
    localparam WORDS_A   = words(SIZE_A, LANES_IN);
    localparam WORD      = DP * LANES_IN * ACT_WIDTH;
    localparam PERIOD    = period(SIZES, LANES, FORWARD, BACKWARD, DP + 3);
    localparam PERIOD_A  = period(ACTING, acting(LANES), acting(FORWARD), acting(BACKWARD), DP + 3);
    localparam AHEAD     = ACTOR ? ACTING_LAYERS * (PERIOD_A + 40) + 40 : 0;      // clocks of an actor's forward chain, about
    localparam LOSS      = 40;                                         // clocks of the loss, about

    `RLC_LEARNER_LEGAL(rlc_learner)
    `RLC_CHECK(AVERAGE >= 0 && AVERAGE <= 64, rlc_learner_illegal_AVERAGE_must_be_0_to_64)
    `RLC_CHECK(WEIGHT_FRAC < WEIGHT_WIDTH, rlc_learner_illegal_WEIGHT_FRAC_must_be_less_than_WEIGHT_WIDTH)
    `RLC_CHECK(!ACTOR || (ACTIONS == 1 && field(acting(LANES), 0) == LANES_IN
               && field(acting(LANES), ACTING_LAYERS) == LANES_IN && field(SIZES, 0) == WORDS_S * LANES_IN + SIZE_A),
               rlc_learner_illegal_a_critic_has_one_output_and_takes_padded_state_and_action_and_the_actors_LANES)
    `RLC_CHECK(lists(SIZES) <= `RLC_LEARNER_NETWORKS, rlc_learner_illegal_SIZES_must_be_of_1_or_2_networks)
    `RLC_LEARNER_LISTS(rlc_learner)

    // Batch slices a batch: counted while idle, without a divider.
    reg  [15:0] batch_q;
    reg  [16:0] covered_q, batch_slices_q;
    reg         covers_q;  // batch_slices_q of them cover batch_q records
    localparam [31:0] STEP = DP;
    wire [16:0] covered_d = covered_q + STEP[16:0];
    wire        counted   = batch_q == cfg_batch && covers_q;
    always @(posedge clk)
        if (rst || (!busy && batch_q != cfg_batch)) begin
            batch_q        <= cfg_batch;
            covered_q      <= 17'd0;
            batch_slices_q <= 17'd0;
            covers_q       <= cfg_batch == 16'd0;
        end else if (!covers_q) begin
            covered_q      <= covered_d;
            batch_slices_q <= batch_slices_q + 17'd1;
            covers_q       <= covered_d >= {1'b0, batch_q};
        end

    // cfg_ok is deep logic, and the settings stand still while a batch may begin.
    reg cfg_ok_q;
    always @(posedge clk) cfg_ok_q <= cfg_ok;

    // Abort: when every batch that was taken in whole is trained, all that is left of vectors belongs to half a batch.
    reg  [3:0]  flush_q;        // clocks of it that are still to come
    reg  [15:0] owed_q;         // whole batches that are not trained
    reg  [1:0]  waits_q;        // a batch whose end is taken in this clock counts two clocks later
    wire        whole;
    reg         flush;          // flush_q != 0
    wire        path_rst  = rst || flush;
    wire        flushes   = aborting && !flush && waits_q[1] && owed_q == 16'd0;
    always @(posedge clk)
        if (rst) begin
            aborting   <= 1'b0;
            waits_q    <= 2'd0;
            flush_q    <= 4'd0;
            flush      <= 1'b0;
            owed_q     <= 16'd0;
        end else begin
            aborting   <= abort_in || (aborting && flush_q != 4'd1);
            waits_q    <= {2{aborting && !flush}} & {waits_q[0], 1'b1};
            flush_q    <= flushes ? 4'd8 : flush_q - {3'd0, flush};
            flush      <= flushes || flush_q > 4'd1;
            owed_q     <= owed_q + {15'd0, whole} - {15'd0, step_done};
        end

    // Records to batch slices.
    localparam IN_COUNT = $clog2(LANES_IN + 1);
    wire                loading, rec_ready;
    wire                s_valid, s_ready, a_valid, a_ready, n_valid, n_ready, info_valid, info_ready;
    wire [WORD-1:0]     s_data, a_data, n_data;
    wire [DP*64-1:0]    info_data;
    wire [IN_COUNT-1:0] sat_in;
    assign s_rec_ready = rec_ready || aborting;
    rlc_learner_batch #(
        .DP(DP), .LANES(LANES_IN), .SIZE_S(SIZE_S), .SIZE_A(SIZE_A), .ACTIONS(ACTIONS), .RECORDS(RECORDS)
    ) u_batch (
        .*, .rst(path_rst), .run(run && counted && cfg_ok_q && !host_busy), .cfg_batch(cfg_batch),
        .busy(loading), .whole(whole), .s_valid(s_rec_valid && !aborting), .s_ready(rec_ready), .s_data(s_rec_data),
        `RLC_STREAM_JOIN(m_s, s), `RLC_STREAM_JOIN(m_a, a), `RLC_STREAM_JOIN(m_s2, n), `RLC_STREAM_JOIN(m_info, info),
        .sat_in(sat_in)
    );

    // Busy: a batch is being taken in, waits in the queues, or is under way. The margin covers the way into the queues.
    reg  [7:0]  under_way_q;
    reg  [15:0] margin_q;
    wire [DP-1:0] lasts;
    wire begun = info_valid && info_ready && |lasts;
    always @(posedge clk)
        if (path_rst) begin
            under_way_q <= 8'd0;
            margin_q    <= 16'd0;
        end else begin
            under_way_q <= under_way_q + {7'd0, begun} - {7'd0, step_done};
            margin_q    <= {margin_q[14:0], loading || info_valid};
        end
    assign busy = loading || info_valid || under_way_q != 8'd0 || |margin_q || aborting;
    reg  idle;                                       // a clock late: nothing moves yet then, and nothing any more
    always @(posedge clk) idle <= path_rst || !busy;

    always @(posedge clk)
        if (rst) steps <= 32'd0;
        else if (step_done) steps <= steps + 32'd1;

    // What leaves, before an abort may cut it off. Of the two networks only one moves a parameter bank; the other is silent.
    wire        prio_valid, prio_ready, prio_last;
    wire [31:0] prio_data;
    wire        value_host_busy, value_load_ready, value_read_valid, value_read_last;
    wire        actor_host_busy, actor_load_ready, actor_read_valid, actor_read_last, read_ready;
    wire [63:0] value_read_data, actor_read_data;
    assign host_busy    = value_host_busy || actor_host_busy;
    assign s_load_ready = value_load_ready || actor_load_ready;
    rlc_abort_out #(.WIDTH(33)) u_prio_out (
        .clk(clk), .rst(rst), .drop(aborting),
        .s_valid(prio_valid), .s_ready(prio_ready), .s_data({prio_last, prio_data}),
        .m_valid(m_prio_valid), .m_ready(m_prio_ready), .m_data({m_prio_last, m_prio_data}), .stale(stale[0])
    );
    rlc_abort_out #(.WIDTH(65)) u_read_out (
        .clk(clk), .rst(rst), .drop(aborting), .s_valid(value_read_valid || actor_read_valid), .s_ready(read_ready),
        .s_data({value_read_last || actor_read_last, value_read_data | actor_read_data}),
        .m_valid(m_read_valid), .m_ready(m_read_ready), .m_data({m_read_last, m_read_data}), .stale(stale[1])
    );

    // Value network.
    wire                 value_ok, value_permit, value_learnt, value_updated;
    wire                 x_valid, x_ready, x_kind, t_valid, t_ready;
    wire                 q_valid, q_ready, q_kind, qt_valid, qt_ready, d_valid, d_ready;
    wire [WORD-1:0]      x_data, t_data;
    wire [DP*LANES_OUT*VALUE_WIDTH-1:0] q_data, qt_data;
    wire [DP*LANES_OUT*ACT_WIDTH-1:0]   d_data;
    wire [M*BUS-1:0]     bus;
    wire [ACTING_LAYERS*ACTING_BUS-1:0] acting_bus;   // as a layer's bus: {weights, valid, weight_addr}
    wire [21*8-1:0]      value_sat;
    wire [20:0]          value_busy, value_wait;
    wire                 double_dqn = cfg_double && !ACTOR;
    wire                 host_drop = aborting;
    wire [16:0]          batch_slices     = batch_slices_q;
    rlc_learner_net #(
        `include "rlc_learner_args.vh"
        , .NETWORK(`RLC_LEARNER_NETWORK_VALUE), .AVERAGE(AVERAGE), .RETURN_CLOCKS(LOSS + AHEAD + PERIOD)
    ) u_value (
        .*, `RLC_LEARNER_NET_JOIN(`RLC_LEARNER_NETWORK_VALUE), .avg_in(avg_in[M*AVG-1:0]), .avg_out(avg_out[M*AVG-1:0]),
        .permit(value_permit), .learnt(value_learnt), .updated(value_updated), .measured(),
        .squares(), .factor(18'd0), .cfg_ok(value_ok),
        .host_busy(value_host_busy), .s_load_ready(value_load_ready), .m_read_valid(value_read_valid),
        .m_read_ready(read_ready), .m_read_data(value_read_data), .m_read_last(value_read_last),
        `RLC_STREAM_JOIN(s_x, x), .s_x_kind(x_kind), `RLC_STREAM_JOIN(s_t, t), `RLC_STREAM_JOIN(m_q, q),
        .m_q_kind(q_kind), `RLC_STREAM_JOIN(m_t, qt), `RLC_STREAM_JOIN(s_d, d), .sat(value_sat), .busy(value_busy),
        .waiting(value_wait)
    );

    // Loss.
    localparam TD_COUNT    = $clog2(2 * DP + 1);
    localparam DELTA_COUNT = $clog2(DP + 1);
    wire                   loss_info_valid, loss_info_ready;
    wire [DP*64-1:0]       loss_info_data;
    wire [TD_COUNT-1:0]    sat_td;
    wire [DELTA_COUNT-1:0] sat_delta;
    `RLC_LEARNER_FRACTIONS_FROM(value, `RLC_LEARNER_FRACTIONS_AT(`RLC_LEARNER_NETWORK_VALUE));
    wire [4:0]             fq = value_act_frac[5*M +: 5];
    wire [4:0]             fd = value_delta_frac[5*M +: 5];
    wire unused_frac = &{1'b0, value_act_frac, value_delta_frac, value_grad_frac};
    reg  [5:0]             reward_shift_q;
    reg  [7:0]             delta_shift_q;
    always @(posedge clk) begin
        reward_shift_q <= 6'd33 - {1'b0, fq};
        delta_shift_q  <= 8'd17 + {3'd0, fq} - {3'd0, fd};
    end
    rlc_rl_td_loss #(.DP(DP), .ACTIONS(ACTIONS), .LANES(LANES_OUT), .VALUE_WIDTH(VALUE_WIDTH)) u_loss (
        .*, .rst(path_rst), `RLC_STREAM_JOIN(s_q, q), .s_q_kind(q_kind), `RLC_STREAM_JOIN(s_t, qt),
        `RLC_STREAM_JOIN(s_info, loss_info), .cfg_double(double_dqn), .cfg_reward_shift(reward_shift_q),
        .cfg_delta_shift(delta_shift_q[5:0]), `RLC_STREAM_JOIN(m_delta, d), `RLC_STREAM_JOIN(m_prio, prio),
        .m_prio_last(prio_last), .sat_td(sat_td), .sat_delta(sat_delta)
    );
    wire loss_ok = delta_shift_q < 8'd48;

    // What each stage limits, and whether it works or waits: the places are those of rlc_learner_words.vh.
    localparam STAGES   = `RLC_LEARNER_STAGE_ALL;
    localparam OF_VALUE = `RLC_LEARNER_NET_ALL;
    localparam OF_ACTOR = `RLC_LEARNER_STAGE_END - `RLC_LEARNER_STAGE_FW1;   // with its way through the critic
    localparam BETWEEN  = `RLC_LEARNER_STAGE_FW1 - `RLC_LEARNER_STAGE_NONE;
    wire [8*OF_ACTOR-1:0] actor_sat;
    wire [OF_ACTOR-1:0]   actor_busy, actor_wait;
    wire [STAGES*8-1:0]   events;
    assign events[8*`RLC_LEARNER_STAGE_IN +: 8]           = {{(8-IN_COUNT){1'b0}}, sat_in};
    assign events[8*`RLC_LEARNER_STAGE_FW0 +: 8*OF_VALUE] = value_sat;
    assign events[8*`RLC_LEARNER_STAGE_TD +: 8]           = {{(8-TD_COUNT){1'b0}}, sat_td};
    assign events[8*`RLC_LEARNER_STAGE_DELTA +: 8]        = {{(8-DELTA_COUNT){1'b0}}, sat_delta};
    assign events[8*`RLC_LEARNER_STAGE_NONE +: 8*BETWEEN] = {(8*BETWEEN){1'b0}};
    assign events[8*`RLC_LEARNER_STAGE_FW1 +: 8*OF_ACTOR] = actor_sat;
    assign events[8*`RLC_LEARNER_STAGE_END +: 8]          = 8'd0;
    // Input and loss are no units.
    assign unit_busy = {1'b0, actor_busy, {BETWEEN{1'b0}}, 2'd0, value_busy, 1'b0};
    assign unit_wait = {1'b0, actor_wait, {BETWEEN{1'b0}}, 2'd0, value_wait, 1'b0};
    rlc_learner_counters #(.STAGES(STAGES)) u_counters (
        .clk(clk), .rst(rst), .clear(sat_clear), .events(events), .counts(sat_count)
    );

    genvar i;
    for (i = 0; i < DP; i = i + 1) begin : g_last
        wire [`RLC_RL_INFO_BITS-1:0] word = info_data[`RLC_RL_INFO_BITS*i +: `RLC_RL_INFO_BITS];
        assign lasts[i] = word[`RLC_RL_INFO_LAST];
        wire unused = &{1'b0, word};
    end

    for (i = 0; i < ACTING_LAYERS; i = i + 1) begin : g_acting
        assign bus_valid[i] = acting_bus[i*ACTING_BUS + `RLC_NN_WEIGHT_BUS_VALID];
        assign bus_data[i*ACTING_WEIGHTS +: ACTING_WEIGHTS] =
            acting_bus[i*ACTING_BUS + `RLC_NN_WEIGHT_BUS_DATA +: ACTING_WEIGHTS];
    end
    wire unused_places = &{1'b0, acting_bus};

    if (!ACTOR) begin : g_dqn
        // The next states go to the target network and, for double DQN, in front of the states to the online one.
        wire            ahead_valid, ahead_ready, turn_s_ready, turn_valid;
        wire [WORD-1:0] ahead_data;
        wire [WORD:0]   turn_data;
        rlc_learner_fork #(.WIDTH(WORD)) u_next (
            .*, .rst(path_rst), .use_b(double_dqn), `RLC_STREAM_JOIN(s, n), `RLC_STREAM_JOIN(m_a, t),
            `RLC_STREAM_JOIN(m_b, ahead)
        );
        rlc_learner_join #(.WIDTH(WORD + 1), .WORDS_A(WORDS_S), .WORDS_B(WORDS_S)) u_turns (
            .*, .rst(path_rst), .s_a_valid(ahead_valid), .s_a_ready(ahead_ready), .s_a_data({1'b1, ahead_data}),
            .s_b_valid(s_valid && double_dqn), .s_b_ready(turn_s_ready), .s_b_data({1'b0, s_data}),
            .m_valid(turn_valid), .m_ready(x_ready && double_dqn), .m_data(turn_data)
        );
        assign x_valid = double_dqn ? turn_valid : s_valid;
        assign x_kind  = double_dqn && turn_data[WORD];
        assign x_data  = double_dqn ? turn_data[WORD-1:0] : s_data;
        assign s_ready = double_dqn ? turn_s_ready : x_ready;
        assign a_ready = 1'b1;

        assign loss_info_valid = info_valid;
        assign info_ready      = loss_info_ready;
        assign loss_info_data  = info_data;

        assign value_permit = !hold;
        assign step_done    = value_updated;
        assign cfg_ok       = value_ok && loss_ok;
        assign {actor_host_busy, actor_load_ready, actor_read_valid, actor_read_last} = 4'd0;
        assign actor_read_data = 64'd0;
        assign actor_sat       = {(30*8){1'b0}};
        assign actor_busy      = 30'd0;
        assign actor_wait      = 30'd0;
        assign acting_bus   = bus;
        wire unused = &{1'b0, a_valid, a_data, value_learnt};
    end else begin : g_ddpg
        // The record's parts, each to its two takers.
        wire             xs_valid, xs_ready, bs_valid, bs_ready, mark_valid, mark_ready, ddpg_ok;
        wire [WORD-1:0]  xs_data, bs_data;
        wire [DP*64-1:0] mark_data;
        wire [DP-1:0]    marks;
        for (i = 0; i < DP; i = i + 1) begin : g_mark
            wire [`RLC_RL_INFO_BITS-1:0] word = mark_data[`RLC_RL_INFO_BITS*i +: `RLC_RL_INFO_BITS];
            assign marks[i] = word[`RLC_RL_INFO_VALID];
            wire unused = &{1'b0, word};
        end
        rlc_learner_fork #(.WIDTH(WORD)) u_states (
            .*, .rst(path_rst), .use_b(1'b1), `RLC_STREAM_JOIN(s, s), `RLC_STREAM_JOIN(m_a, xs),
            `RLC_STREAM_JOIN(m_b, bs)
        );
        rlc_learner_join #(.WIDTH(WORD), .WORDS_A(WORDS_S), .WORDS_B(WORDS_A)) u_taken (
            .*, .rst(path_rst), `RLC_STREAM_JOIN(s_a, xs), `RLC_STREAM_JOIN(s_b, a), `RLC_STREAM_JOIN(m, x)
        );
        assign x_kind = 1'b0;
        rlc_learner_fork #(.WIDTH(DP * 64)) u_info (
            .*, .rst(path_rst), .use_b(1'b1), `RLC_STREAM_JOIN(s, info), `RLC_STREAM_JOIN(m_a, loss_info),
            `RLC_STREAM_JOIN(m_b, mark)
        );

        rlc_learner_actor #(
            `include "rlc_learner_args.vh"
            , .AHEAD(AHEAD), .AVERAGE(AVERAGE)
        ) u_ddpg (
            .*, .avg_in(avg_in[M*AVG +: AVG_A]), .avg_out(avg_out[M*AVG +: AVG_A]), .actor_bus(acting_bus), .cfg_ok(ddpg_ok), .host_busy(actor_host_busy), .s_load_ready(actor_load_ready),
            .m_read_valid(actor_read_valid), .m_read_ready(read_ready), .m_read_data(actor_read_data),
            .m_read_last(actor_read_last), .s_live_valid(mark_valid), .s_live_ready(mark_ready), .s_live_data(marks),
            `RLC_STREAM_JOIN(s_s, bs), `RLC_STREAM_JOIN(s_n, n), `RLC_STREAM_JOIN(m_t, t), .sat(actor_sat),
            .busy(actor_busy), .waiting(actor_wait)
        );
        assign cfg_ok = value_ok && loss_ok && ddpg_ok;
    end
endmodule
`default_nettype wire
