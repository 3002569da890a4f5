// rlc_ppo_axi.sv — PPO behind AXI: AXI4-Lite registers; weights, answers of environments and actions as AXI4-Stream.
// SPDX-License-Identifier: Apache-2.0
//
// s_axil_*      registers of ppo.rdl at byte addresses 0x000 to 0x244; beyond them SLVERR. WSTRB: rlc_axil_regs
// s_axis_env    answers of environments in the low bits, as rlc_env_axi gives them (docs/env.md); TLAST is ignored. In a run
//               that began with EXTERNAL_ROLLOUT: records of rollouts that were collected elsewhere (rlc_ppo_external_rollout)
// m_axis_act    actions in the low bits, zeros above; TLAST with that of the last environment of a turn
// s_axis_load   a parameter bank of weights, 64 bits a weight, sign extended; taken after COMMAND.load, TLAST is ignored
// m_axis_read   the same after COMMAND.read; TLAST with the last
// irq           high while an enabled interrupt is pending (IRQ_STATUS and IRQ_ENABLE)
//
// avg_in, avg_out, step_done   as of rlc_ppo. Alone: avg_in is 0
// refused       a load or a read while the core runs changes nothing and raises FLAGS.HOST: see ppo.rdl
// throughput    that of rlc_ppo
// reset         one clock is enough; it leaves the weights undefined
`default_nettype none
`include "rlc_ppo_ports.vh"
`include "rlc_env_words.vh"
`include "rlc_ppo_words.vh"
module rlc_ppo_axi #(
    `include "rlc_ppo_parameters.vh"
    , parameter AVERAGE = 0   // as of rlc_ppo_networks
) (
    input  wire clk,
    input  wire rst,
    `RLC_AXIL_SLAVE(s_axil, 12),
    `RLC_AXIS_SLAVE(s_axis_env, `RLC_AXIS_BITS(`RLC_ENV_ANSWER_WIDTH(field(SIZES, 0)), 256)),
    `RLC_AXIS_MASTER(m_axis_act, `RLC_AXIS_BITS((GAUSSIAN != 0) ? 18 * field(acting(SIZES), acting_layers(SIZES)) : 8, 32)),
    `RLC_AXIS_SLAVE(s_axis_load, 64),
    `RLC_AXIS_MASTER(m_axis_read, 64),
    output wire irq,
    output wire step_done,
    input  wire `RLC_PPO_AVERAGE avg_in,
    output wire `RLC_PPO_AVERAGE avg_out
);
    `include "rlc_learner_defs.vh"
    `RLC_PPO_LEGAL(rlc_ppo_axi)
    localparam INPUTS = field(SIZES, 0);
    localparam BEAT   = `RLC_ENV_ANSWER_WIDTH(INPUTS);
    localparam MOVE   = (GAUSSIAN != 0) ? 18 * field(acting(SIZES), acting_layers(SIZES)) : 8;
    localparam ANSWER_BEAT = `RLC_AXIS_BITS(BEAT, 256);
    localparam ACTION_BEAT = `RLC_AXIS_BITS(MOVE, 32);
    localparam RAW    = (GAUSSIAN != 0) ? 27 * field(acting(SIZES), acting_layers(SIZES)) : 8;
    localparam RECORD = 18 * INPUTS + RAW + `RLC_PPO_ROLLOUT_BITS + ((RECORD_BITS != 0) ? 1 : 0);
    `RLC_CHECK(INPUTS <= 64, rlc_ppo_axi_illegal_SIZES_must_begin_with_at_most_64_numbers_of_an_observation)
    `RLC_CHECK(MOVE <= 288, rlc_ppo_axi_illegal_SIZES_of_the_actor_must_end_with_at_most_16_where_GAUSSIAN_is_1)
    `RLC_CHECK(RECORD <= ANSWER_BEAT, rlc_ppo_axi_illegal_SIZES_must_begin_with_more_numbers_so_that_a_record_fits_a_beat)

    // The registers' values after reset reach the core while it is still in reset.
    reg  rst_q;
    always @(posedge clk) rst_q <= rst;
    wire core_rst = rst || rst_q;

    wire        wr_en, wr_acts, rd_en;
    wire [9:0]  wr_addr, rd_addr;
    wire [31:0] wr_data, rd_data;
    rlc_axil_regs #(.ADDR_WIDTH(12), .REGS(146)) u_axil (.*);

    `RLC_PPO_LOOP_SETTINGS(wire, ;);
    `RLC_PPO_TRAIN_SETTINGS(wire, ;);
    `RLC_LEARNER_FRACTION_WIRES(cfg_net0)
    `RLC_LEARNER_FRACTION_WIRES(cfg_net1)
    assign cfg_fracs = {`RLC_LEARNER_FRACTIONS_OF(cfg_net1), `RLC_LEARNER_FRACTIONS_OF(cfg_net0)};
    wire         idle, resumes, ev_iteration, ev_dropped, cfg_ok, host_busy, untimely, misfit;
    wire         do_start, do_resume, do_load, do_read, do_halt, do_fresh, do_clear, do_abort;
    wire [1:0]   host_param_bank;
    wire [3:0]   host_number;
    wire [index_bits(lists(SIZES))-1:0] host_network = host_number[index_bits(lists(SIZES))-1:0];
    wire [15:0]  steps;
    wire [31:0]  iteration;
    wire [319:0] sat;
    wire         m_valid, stale_read;
    wire [MOVE-1:0] m_data;

    // Commands act in the clock behind their write; the clocks after it count as busy until the core says so itself.
    reg        host_start_q, host_read_q, aborting_q, idle_q, host_q, sat_q;
    reg  [1:0] host_wait_q;
    wire       host     = host_start_q || host_wait_q != 2'd0 || host_busy;
    wire       starts   = do_start || do_resume || do_load || do_read || do_fresh;
    wire       running  = !idle || aborting_q;
    wire       active   = running || host || starts || do_abort;
    wire       to_run   = wr_data[0] || wr_data[1] || wr_data[5];
    wire       runs     = !do_abort && cfg_ok;
    wire       moves    = (do_load || do_read) && !do_abort;
    wire       host_now = moves && !running && !host;
    wire [2:0] things   = {2'd0, wr_data[0]} + {2'd0, wr_data[1]} + {2'd0, wr_data[3]} + {2'd0, wr_data[4]};
    always @(posedge clk) begin
        host_start_q <= host_now && !core_rst;
        host_wait_q  <= core_rst ? 2'd0 : {host_wait_q[0], host_start_q};
        aborting_q   <= !core_rst && (do_abort || (aborting_q && (!idle || host)));
        idle_q       <= !running || core_rst;
        host_q       <= host && !core_rst;
        sat_q        <= sat != 320'd0 && !core_rst;
        if (host_now) host_read_q <= do_read;
    end

    // Software that finds the core by itself reads its shape, network by network.
    wire [32*32-1:0] shape;
    rlc_learner_shape #(
        .SIZES(SIZES), .LANES(LANES), .UPDATE_ROWS(UPDATE_ROWS), .UPDATE_COLS(UPDATE_COLS)
    ) u_shape (.shape(shape));

    wire [(`RLC_PPO_STAGE_ALL-1)*32-1:0] counts;
    rlc_learner_counters #(.STAGES(`RLC_PPO_STAGE_ALL-1)) u_counters (
        .clk(clk), .rst(core_rst), .clear(do_clear), .events(sat), .counts(counts)
    );

    // What comes at s_axis_env: answers, or records. Of records what comes while no run goes on is dropped here.
    reg           external_q;
    wire          s_ready, s_external_ready;
    wire          astray = external_q && s_axis_env_tvalid && !running;
    always @(posedge clk)
        if (core_rst)              external_q <= 1'b0;
        else if (do_start && runs) external_q <= cfg_external_rollout;
    assign s_axis_env_tready = external_q ? s_external_ready || !running : s_ready;

    // Episodes, from the answers that were due. The core drops one in the clock behind its taking, or keeps it.
    wire          first;
    wire [26:0]   reward;
    wire [1:0]    ends;
    reg           step_q;
    reg  [26:0]   reward_q;
    reg           ends_q;
    wire [6:0]    back;
    wire [31:0]   episodes;
    wire [63:0]   returns;
    wire [15:0]   rd_length;
    wire [47:0]   rd_return;
    assign {first, ends, reward} = s_axis_env_tdata[`RLC_ENV_ANSWER_HEAD(INPUTS)];
    always @(posedge clk) begin
        step_q   <= !core_rst && s_axis_env_tvalid && s_ready && !first && !idle && !external_q;
        reward_q <= reward;
        ends_q   <= ends != 2'd0;
    end
    rlc_ppo_episodes #(.N_ENVS(N_ENVS)) u_episodes (
        .*, .rst(core_rst), .clear((do_start && runs) || aborting_q), .step(step_q && !ev_dropped && !aborting_q),
        .reward(reward_q), .ends(ends_q), .snap(ev_iteration)
    );

    rlc_ppo_regs #(
        .LAYERS_0(fields(SIZES) - 1), .LAYERS_1(fields(list(SIZES, 1)) - 1), .DP(DP), .BATCH_MAX(BATCH_MAX),
        .N_ENVS(N_ENVS), .STEPS(STEPS), .GAUSSIAN(GAUSSIAN), .RECORD_BITS(RECORD_BITS)
    ) u_regs (
        .*, .wr_addr(wr_addr[7:0]), .rd_addr(rd_addr[7:0]), .sat_words({{((64-`RLC_PPO_STAGE_ALL)*32){1'b0}}, counts, 32'd0}),
        .shape_words(shape), .may_idle(!active), .fits_command(wr_data[7] || things <= 3'd1),
        .may_command(wr_data[7] || !to_run || (!active && (!wr_data[1] || resumes))),
        .do_command_start(do_start), .do_command_resume(do_resume), .do_command_halt(do_halt),
        .do_command_load(do_load), .do_command_read(do_read), .do_command_fresh(do_fresh),
        .do_command_clear_counters(do_clear), .do_command_abort(do_abort),
        .hw_status_running(running), .hw_status_host(host), .hw_status_resumes(resumes),
        .hw_status_formats_fit(cfg_ok), .hw_status_aborting(aborting_q), .hw_status_stale_act(!running && m_valid),
        .hw_status_stale_read(stale_read),
        .set_flags_saturated(sat_q), .set_flags_config(misfit), .set_flags_busy(untimely),
        .set_flags_format((do_start || do_resume) && !do_abort && !cfg_ok), .set_flags_host(moves && !host_now),
        .set_flags_dropped(ev_dropped || astray), .set_irq_status_done(!running && !idle_q), .set_irq_status_iteration(ev_iteration),
        .set_irq_status_host(host_q && !host),
        .cfg_seed0(cfg_seed[31:0]), .cfg_seed1(cfg_seed[63:32]), .cfg_seed2(cfg_seed[95:64]), .cfg_seed3(cfg_seed[127:96]),
        .cfg_steps(steps), .cfg_host_network(host_number), .cfg_host_param_bank(host_param_bank), .cfg_episode(back),
        .hw_iteration(iteration), .hw_episodes(episodes), .hw_returns_low(returns[31:0]), .hw_returns_high(returns[63:32]),
        .hw_episode_length(rd_length), .hw_episode_low(rd_return[31:0]), .hw_episode_high(rd_return[47:32]),
        .count_clocks(running && !do_clear), .count_dropped((ev_dropped || astray) && !do_clear)
    );
    assign cfg_steps = steps[12:0];

    // Beats for a load that was refused, or that nobody asked for, wait. What a read offers stays over an abort.
    wire        s_load_ready, m_read_valid, m_read_ready, m_read_last;
    wire [63:0] m_read_data;
    wire        loads = host_busy && !host_read_q;
    assign s_axis_load_tready = s_load_ready && loads;
    rlc_abort_out #(.WIDTH(65)) u_read (
        .clk(clk), .rst(core_rst), .drop(aborting_q), .s_valid(m_read_valid), .s_ready(m_read_ready),
        .s_data({m_read_last, m_read_data}), .m_valid(m_axis_read_tvalid), .m_ready(m_axis_read_tready),
        .m_data({m_axis_read_tlast, m_axis_read_tdata}), .stale(stale_read)
    );

    rlc_ppo #(
        `include "rlc_ppo_args.vh"
        , .AVERAGE(AVERAGE)
    ) u_ppo (
        .*, .rst(core_rst), .start(do_start && runs), .resume(do_resume && runs), .halt(do_halt && !do_abort),
        .drop(do_abort), .rate_restart(do_fresh && !do_abort), .host_start(host_start_q), .host_read(host_read_q),
        .host_drop(aborting_q), .s_load_valid(s_axis_load_tvalid && loads), .s_load_data(s_axis_load_tdata),
        .s_valid(s_axis_env_tvalid && !external_q), .s_ready(s_ready), .s_data(s_axis_env_tdata[BEAT-1:0]),
        .s_external_valid(s_axis_env_tvalid && external_q), .s_external_ready(s_external_ready),
        .s_external_data(s_axis_env_tdata[RECORD-1:0]),
        .m_ready(m_axis_act_tready)
    );
    assign m_axis_act_tvalid = m_valid;
    assign m_axis_act_tdata  = {{(ACTION_BEAT-MOVE){1'b0}}, m_data};
    rlc_axis_last #(.COUNT(N_ENVS)) u_last (
        .clk(clk), .rst(core_rst), .restart(do_start || do_abort), .valid(m_valid), .ready(m_axis_act_tready),
        .last(m_axis_act_tlast)
    );

    // rlc_axil_regs hands on no index beyond REGS; the core counts weights and environments by itself.
    wire unused = &{1'b0, host_number, wr_addr[9:8], rd_en, rd_addr[9:8], steps[15:13], s_axis_env_tdata, s_axis_env_tlast,
                    s_axis_load_tlast};
endmodule
`default_nettype wire
