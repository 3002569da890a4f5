// rlc_net_learner.sv — a learner for actors on other machines: they put experiences over UDP, and get its weights.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/net_learner.md.
//
//   s_udp --> front --> PUT --> experiences --> replay learner --> weights --> GET --> front --> m_udp
//
// parameters   those of rlc_replay_learner, and its own
// s_udp_*, m_udp_*  payloads of datagrams, as rlc_replay_server_front's
// cfg_*        docs/net_learner.md; cfg_instance and cfg_key stand still from reset on, the others from reset or `again` on
// again        pulse: the order of experiences and gradient steps begins anew, and a set of weights that has begun is
//              forgotten. When all is at rest, and behind an abort of the loop
// s_axil_*, s_axis_load, m_axis_read, m_axi_*, irq   as of rlc_replay_learner, which takes experiences from here alone
// ev_*         pulses: an experience is stored, or was refused by the memory; a batch is sampled to its end; the weights
//              of a step are in place; a set of weights is published
`include "rlc_axi.vh"
`include "rlc_replay_server_words.vh"
`default_nettype none
`include "rlc_check.vh"
`include "rlc_sumtree_words.vh"
module rlc_net_learner #(
    `include "rlc_net_learner_parameters.vh"
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        s_udp_tvalid,
    output wire        s_udp_tready,
    input  wire [63:0] s_udp_tdata,
    input  wire [7:0]  s_udp_tkeep,
    input  wire        s_udp_tlast,
    input  wire [31:0] s_udp_addr,
    input  wire [15:0] s_udp_port,
    output wire        m_udp_tvalid,
    input  wire        m_udp_tready,
    output wire [63:0] m_udp_tdata,
    output wire [7:0]  m_udp_tkeep,
    output wire        m_udp_tlast,
    output wire [31:0] m_udp_addr,
    output wire [15:0] m_udp_port,
    output wire [15:0] m_udp_length,

    input  wire [31:0] cfg_instance,
    input  wire [127:0] cfg_key,
    input  wire [31:0] cfg_starts,
    input  wire [31:0] cfg_every,
    input  wire [15:0] cfg_gradient_steps,
    input  wire [15:0] cfg_publish,
    input  wire        again,
    output wire        ev_kept,
    output wire        ev_lost,
    output wire        ev_batch,
    output wire        ev_step,
    output wire        ev_published,

    `RLC_AXIL_SLAVE(s_axil, 16),
    `RLC_AXIS_SLAVE(s_axis_load, 64),
    `RLC_AXIS_MASTER(m_axis_read, 64),
    `RLC_AXI_WRITER(m_axi, ID_WIDTH, ADDR_WIDTH, DATA_WIDTH),
    `RLC_AXI_READER(m_axi, ID_WIDTH, ADDR_WIDTH, DATA_WIDTH),
    output wire        irq
);
    `include "rlc_learner_defs.vh"
    `include "rlc_net_learner_text.vh"
    `RLC_NET_LEARNER_LEGAL(rlc_net_learner)

    // ---- a record on the wire: the experience as a memory with beats of 64 bits would hold it.
    localparam ACTOR   = lists(SIZES) > 1;
    localparam LANES_0 = field(LANES, 0);
    localparam WORD    = 32 * LANES_0;
    localparam SIZE_S  = field(acting(SIZES), 0);
    localparam SIZE_A  = ACTOR ? field(acting(SIZES), acting_layers(SIZES)) : 0;
    localparam WORDS   = words(3, LANES_0) + 2 * words(SIZE_S, LANES_0) + (ACTOR ? words(SIZE_A, LANES_0) : 0);
    localparam RATIO   = (WORD <= 64) ? 64 / WORD : 1;
    localparam BEATS   = (WORD <= 64) ? (WORDS + RATIO - 1) / RATIO : WORDS * ((WORD + 63) / 64);
    localparam RECORD_BYTES = 8 * BEATS;
    `RLC_CHECK(RECORD_BYTES + 8 <= PART_BYTES, rlc_net_learner_illegal_an_experience_and_8_bytes_must_fit_in_PART_BYTES)

    // ---- the network that acts, and the text of its weights.
    localparam [1023:0] ACTING       = acting(SIZES);
    localparam [1023:0] ACTING_LANES = acting(LANES);
    localparam [1023:0] ACTING_ROWS  = acting(UPDATE_ROWS);
    localparam [1023:0] ACTING_COLS  = acting(UPDATE_COLS);
    localparam LAYERS = fields(ACTING) - 1;
    localparam GROUP  = widest(ACTING_ROWS, ACTING_COLS) * WEIGHT_WIDTH;
    localparam TEXT_WORDS = text_words(ACTING, ACTING_LANES, ACTING_ROWS, ACTING_COLS, LAYERS);
    localparam PLACE  = $clog2(TEXT_WORDS + 8);

    // ---- the network's side.
    `RLC_STREAM_WIRES(ask, `RLC_SERVER_ASKED_BITS);
    `RLC_STREAM_WIRES(word, 64);
    `RLC_STREAM_WIRES(part, `RLC_SERVER_ANSWER_BITS);
    `RLC_STREAM_WIRES(text, 64);
    wire `RLC_SERVER_HEAD  head;
    wire `RLC_SERVER_STATE state;
    wire                comes;
    wire `RLC_SUMTREE_TREE tree_state;
    wire         newest_there, older_there, read_begin, begin_newest, read_end;
    wire [63:0]  newest, older, records;
    wire [PLACE-1:0] at;
    rlc_replay_server_front #(
        .CAPACITY(CAPACITY), .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(PART_BYTES), .CLIENTS(CLIENTS), .SAMPLE_MAX(1),
        .CREDIT(CREDIT), .PRIORITY_WIDTH(PRIORITY_WIDTH), .GENERATION_WIDTH(GENERATION_WIDTH), .WEIGHTS_MAX(8 * TEXT_WORDS),
        .LEARNS(1), .KEYED(KEYED)
    ) u_front (
        .*, .cfg_bank(8'd0), .cfg_alpha(16'd0), .cfg_scale(16'd0), .cfg_epsilon(32'd0),
        `RLC_STREAM_JOIN(m_do, ask), `RLC_STREAM_JOIN(m_word, word), `RLC_STREAM_JOIN(s_part, part), `RLC_STREAM_JOIN(s_text, text),
        .state_valid(1'b1)
    );
    // Of a memory that learns, STAT reports the tree's state, the newest weights and the experiences that were let in.
    assign state[`RLC_SERVER_STATE_SIZE]      = tree_state[`RLC_SUMTREE_TREE_SIZE];
    assign state[`RLC_SERVER_STATE_NEXT]      = tree_state[`RLC_SUMTREE_TREE_NEXT];
    assign state[`RLC_SERVER_STATE_TOTAL]     = tree_state[`RLC_SUMTREE_TREE_TOTAL];
    assign state[`RLC_SERVER_STATE_LARGEST]   = tree_state[`RLC_SUMTREE_TREE_LARGEST];
    assign state[`RLC_SERVER_STATE_VERSION]   = newest_there ? newest : 64'd0;
    assign state[`RLC_SERVER_STATE_RECORDS]   = records;
    assign state[`RLC_SERVER_STATE_SAMPLES]   = 64'd0;
    assign state[`RLC_SERVER_STATE_UPDATES]   = 64'd0;
    assign state[`RLC_SERVER_STATE_STALE]     = 64'd0;
    assign state[`RLC_SERVER_STATE_RANGE]     = 64'd0;
    assign state[`RLC_SERVER_STATE_SATURATED] = 64'd0;

    // ---- experiences in, weights out.
    `RLC_STREAM_WIRES(beat, 64);
    `RLC_STREAM_WIRES(exp, WORD);
    `RLC_STREAM_WIRES(weights, 64);
    wire may_store, let_in, exp_last, hold_sampling, settled;
    rlc_net_learner_serve #(
        .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(PART_BYTES), .TEXT_WORDS(TEXT_WORDS), .PLACE(PLACE)
    ) u_serve (
        .*, `RLC_STREAM_JOIN(s_do, ask), `RLC_STREAM_JOIN(s_word, word), `RLC_STREAM_JOIN(m_part, part), `RLC_STREAM_JOIN(m_text, text),
        `RLC_STREAM_JOIN(m_beat, beat), .published(ev_published), `RLC_STREAM_JOIN(s_weights, weights)
    );
    rlc_replay_unpack #(.WORD(WORD), .DATA(64), .WORDS(WORDS)) u_unpack (
        .*, `RLC_STREAM_JOIN(s, beat), `RLC_STREAM_JOIN(m, exp)
    );
    rlc_mod_counter #(.COUNT(WORDS)) u_last (
        .clk(clk), .restart(rst), .step(exp_valid && exp_ready), .at(), .last(exp_last)
    );
    rlc_net_learner_scheduler u_scheduler (.*, .kept(ev_kept), .lost(ev_lost), .batch(ev_batch));

    // ---- the replay learner, whose weights are shown as they change.
    wire [LAYERS-1:0]       bus_valid, shown_valid;
    wire [LAYERS*GROUP-1:0] bus_data, shown_data;
    reg  [LAYERS-1:0]       valid_q;
    reg  [LAYERS*GROUP-1:0] data_q;
    always @(posedge clk) begin
        valid_q <= bus_valid & {LAYERS{!rst}};
        data_q  <= bus_data;
    end
    assign shown_valid = valid_q;
    assign shown_data  = data_q;
    wire `RLC_SUMTREE_OWN unused_joint;
    rlc_replay_learner #(
        `include "rlc_replay_learner_args.vh"
        , .HELD(1)
    ) u_loop (
        .*, .s_axis_exp_tdata(exp_data), .s_axis_exp_tvalid(exp_valid), .s_axis_exp_tready(exp_ready),
        .s_axis_exp_tlast(exp_last), .avg_in('0), .avg_out(), .joint_in('0), .joint_out(unused_joint), .hold_steps(1'b0), .step_done(ev_step)
    );
    rlc_net_learner_weights #(
        .SIZES(ACTING), .LANES(ACTING_LANES), .UPDATE_ROWS(ACTING_ROWS), .UPDATE_COLS(ACTING_COLS), .LAYERS(LAYERS),
        .GROUP(GROUP), .WEIGHT(WEIGHT_WIDTH), .PLACE(PLACE)
    ) u_weights (
        .*, .bus_valid(shown_valid), .bus_data(shown_data), .forget(again),
        .host_loads(s_axis_load_tvalid && s_axis_load_tready), .published(ev_published), `RLC_STREAM_JOIN(m, weights)
    );
    wire unused = &{1'b0, comes, unused_joint};
endmodule
`default_nettype wire
