// rlc_policy_axi.sv — the policy core behind AXI: AXI4-Lite registers; weights, observations and answers as AXI4-Stream.
// SPDX-License-Identifier: Apache-2.0
//
// s_axil_*      registers of policy.rdl at byte addresses 0x00 to 0xA0; beyond them SLVERR. WSTRB as rlc_axil_regs says
// s_axis_w      sets of weights, one number per beat in the low 27 bits: docs/policy.md; always taken. TLAST is ignored
// s_axis_obs    observations, one element per beat in the low 18 bits. TLAST is ignored
// m_axis_act    actions, one number per beat: an index, or a dimension of sfix(18,15); TLAST with an observation's last
// m_axis_log    log-probabilities, sfix(27,20), with CONTINUOUS then the samples, sfix(27,16); TLAST as m_axis_act
// irq           high while an enabled interrupt is pending (IRQ_STATUS and IRQ_ENABLE)
// latency       that of rlc_policy, plus one clock per word of the observation
`default_nettype none
`include "rlc_learner_ports.vh"
`include "rlc_policy_stages.vh"
module rlc_policy_axi #(
    `include "rlc_policy_parameters.vh"
) (
    input  wire clk,
    input  wire rst,
    `RLC_AXIL_SLAVE(s_axil, 12),
    `RLC_AXIS_SLAVE(s_axis_w, 64),
    `RLC_AXIS_SLAVE(s_axis_obs, 32),
    `RLC_AXIS_MASTER(m_axis_act, 32),
    `RLC_AXIS_MASTER(m_axis_log, 32),
    output wire irq
);
    `include "rlc_learner_defs.vh"
    `RLC_POLICY_LEGAL(rlc_policy_axi)
    localparam LAYERS  = fields(SIZES) - 1;
    localparam DIMS    = field(SIZES, LAYERS);
    localparam LANES_0 = field(LANES, 0);
    localparam WEIGHTS = widest(UPDATE_ROWS, UPDATE_COLS);

    wire        wr_en, wr_acts, rd_en;
    wire [9:0]  wr_addr, rd_addr;
    wire [31:0] wr_data, rd_data;
    rlc_axil_regs #(.ADDR_WIDTH(12), .REGS(41)) u_axil (.*);

    // Commands act one clock after their write. An abort is a reset of the core, behind which it takes the seed again.
    wire             abort, seed, clear, untimely, misfit;
    reg              abort_q;
    wire             core_rst  = rst || abort;
    wire             seed_load = (seed || abort_q) && !abort;
    always @(posedge clk) abort_q <= abort && !rst;

    wire             busy, cfg_ok, loaded, w_taken, w_dropped, cfg_noise;
    wire [24:0]      cfg_act_frac;
    wire [16:0]      cfg_epsilon, cfg_scale;
    wire [1:0]       cfg_squash, stale;
    wire [127:0]     cfg_seed;
    wire [8*32-1:0]  sat_count;

    // The shape, for software that finds the core by itself.
    wire [16*32-1:0] shape;
    rlc_learner_shape #(
        .SIZES(SIZES), .LANES(LANES), .UPDATE_ROWS(UPDATE_ROWS), .UPDATE_COLS(UPDATE_COLS), .WORDS(16)
    ) u_shape (.shape(shape));

    // The first number that is saturated since the counters were cleared.
    localparam LIMITING = 32 * (`RLC_POLICY_STAGE_TAKEN - `RLC_POLICY_STAGE_SATURATED);
    reg  saturated_q;
    wire saturated = sat_count[32*`RLC_POLICY_STAGE_SATURATED +: LIMITING] != {LIMITING{1'b0}};
    always @(posedge clk) saturated_q <= saturated && !rst;

    // A pass that enters in the clock of a write counts as inside.
    wire obs_valid, obs_ready;
    rlc_policy_regs #(.OUT_WIDTH(OUT_WIDTH), .LOGP(LOGP), .CONTINUOUS(CONTINUOUS)) u_regs (
        .*, .wr_addr(wr_addr[5:0]), .rd_addr(rd_addr[5:0]), .count_words(sat_count), .shape_words(shape),
        .may_idle(!busy && !(obs_valid && obs_ready)),
        .may_command(!(wr_data[0] && !wr_data[1]) || (!busy && !(obs_valid && obs_ready))),
        .do_command_seed(seed), .do_command_abort(abort), .do_command_clear_counters(clear),
        .hw_status_busy(busy), .hw_status_loaded(loaded), .hw_status_formats_fit(cfg_ok),
        .hw_status_stale_act(stale[0]), .hw_status_stale_log(stale[1]),
        .set_flags_busy(untimely), .set_flags_config(misfit), .set_flags_dropped(w_dropped),
        .set_flags_saturated(saturated && !saturated_q), .set_irq_status_taken(w_taken),
        .cfg_seed0(cfg_seed[31:0]), .cfg_seed1(cfg_seed[63:32]), .cfg_seed2(cfg_seed[95:64]), .cfg_seed3(cfg_seed[127:96])
    );

    // Streams: in words and groups to the core, in beats out of it.
    wire [LAYERS-1:0]            w_valid;
    wire [LAYERS*WEIGHTS*27-1:0] w_data;
    wire [DIMS*27-1:0]           w_log_std;
    rlc_policy_load #(
        .SIZES(SIZES), .LANES(LANES), .UPDATE_ROWS(UPDATE_ROWS), .UPDATE_COLS(UPDATE_COLS),
        .LOGS(CONTINUOUS != 0 ? DIMS : 0), .LAYERS(LAYERS), .WEIGHTS(WEIGHTS), .DIMS(DIMS)
    ) u_load (
        .*, .rst(core_rst), .s_valid(s_axis_w_tvalid), .s_data(s_axis_w_tdata[26:0])
    );
    assign s_axis_w_tready = 1'b1;

    wire [LANES_0*18-1:0] obs_data;
    rlc_policy_words #(.COUNT(field(SIZES, 0)), .LANES(LANES_0), .WIDTH(18)) u_words (
        .clk(clk), .rst(core_rst), .s_valid(s_axis_obs_tvalid), .s_ready(s_axis_obs_tready), .s_data(s_axis_obs_tdata[17:0]),
        `RLC_STREAM_JOIN(m, obs)
    );

    localparam ACTS = (CONTINUOUS != 0) ? DIMS : 1;
    localparam LOGS = (CONTINUOUS != 0) ? DIMS + 1 : 1;
    localparam BITS = (CONTINUOUS != 0) ? 18 : 8;
    `RLC_STREAM_WIRES(act, ACTS*BITS);
    `RLC_STREAM_WIRES(log, LOGS*27);
    rlc_policy #(
        `include "rlc_policy_args.vh"
    ) u_policy (
        .*, .rst(core_rst), .w_abort(1'b0), .sat_clear(clear), `RLC_STREAM_JOIN(s_obs, obs), `RLC_STREAM_JOIN(m_act, act),
        `RLC_STREAM_JOIN(m_log, log)
    );

    `RLC_STREAM_WIRES(act_beat, 32);
    `RLC_STREAM_WIRES(log_beat, 32);
    wire act_last, log_last;
    rlc_policy_beats #(.COUNT(ACTS), .WIDTH(BITS), .SIGNED(CONTINUOUS)) u_acts (
        .clk(clk), .rst(core_rst), `RLC_STREAM_JOIN(s, act), `RLC_STREAM_JOIN(m, act_beat), .m_last(act_last)
    );
    rlc_policy_beats #(.COUNT(LOGS), .WIDTH(27), .SIGNED(1)) u_logs (
        .clk(clk), .rst(core_rst), `RLC_STREAM_JOIN(s, log), `RLC_STREAM_JOIN(m, log_beat), .m_last(log_last)
    );
    rlc_abort_out #(.WIDTH(33)) u_act_out (
        .clk(clk), .rst(rst), .drop(abort), .s_valid(act_beat_valid), .s_ready(act_beat_ready), .s_data({act_last, act_beat_data}),
        .m_valid(m_axis_act_tvalid), .m_ready(m_axis_act_tready), .m_data({m_axis_act_tlast, m_axis_act_tdata}), .stale(stale[0])
    );
    rlc_abort_out #(.WIDTH(33)) u_log_out (
        .clk(clk), .rst(rst), .drop(abort), .s_valid(log_beat_valid), .s_ready(log_beat_ready), .s_data({log_last, log_beat_data}),
        .m_valid(m_axis_log_tvalid), .m_ready(m_axis_log_tready), .m_data({m_axis_log_tlast, m_axis_log_tdata}), .stale(stale[1])
    );

    wire unused = &{1'b0, wr_addr[9:6], rd_addr[9:6], rd_en, s_axis_w_tdata[63:27], s_axis_w_tlast, s_axis_obs_tdata[31:18],
                    s_axis_obs_tlast};
endmodule
`default_nettype wire
