// rlc_agent_axi.sv — the agent with its environments behind AXI: acts, stores, samples and learns; software loads and reads.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/agent.md.
//
//   rlc_env <--> rlc_agent <--> m_axi: experiences
//
// parameters   those of rlc_replay_learner and rlc_env, and POLICY_LANES, POLICY_FORWARD
// s_axil_*     registers of the replay learner (0x0000 its loop's, 0x1000 its tree's, 0x2000 its learner's) and, from 0x4000 on,
//              those of agent.rdl; elsewhere SLVERR. WSTRB as rlc_axil_regs says
// s_axis_load, m_axis_read, m_axi_*   as in rlc_replay_learner
// irq          high while an enabled interrupt is pending
`include "rlc_axi.vh"
`default_nettype none
`include "rlc_check.vh"
`include "rlc_env_words.vh"
`include "rlc_policy_stages.vh"
module rlc_agent_axi #(
    `include "rlc_agent_parameters.vh"
) (
    input  wire clk,
    input  wire rst,
    `RLC_AXIL_SLAVE(s_axil, 16),
    `RLC_AXIS_SLAVE(s_axis_load, 64),
    `RLC_AXIS_MASTER(m_axis_read, 64),
    `RLC_AXI_WRITER(m_axi, ID_WIDTH, ADDR_WIDTH, DATA_WIDTH),
    `RLC_AXI_READER(m_axi, ID_WIDTH, ADDR_WIDTH, DATA_WIDTH),
    output wire irq
);
    `include "rlc_learner_defs.vh"
    `RLC_AGENT_LEGAL(rlc_agent_axi)
    `RLC_CHECK((ACTIONS != 0) == (lists(SIZES) == 1),
               rlc_agent_axi_illegal_an_actor_is_for_actions_that_are_numbers_SIZES_must_be_of_1_network_where_ENV_is_0_1_or_4)
    `RLC_CHECK(ACTIONS == 0 || (field(SIZES, 0) == OBS && field(SIZES, fields(SIZES) - 1) == ACTIONS),
               rlc_agent_axi_illegal_SIZES_begins_with_the_numbers_of_an_observation_of_ENV_and_ends_with_its_actions)
    `RLC_CHECK(ACTIONS != 0 || (field(acting(SIZES), 0) == OBS && field(acting(SIZES), acting_layers(SIZES)) == 1),
               rlc_agent_axi_illegal_SIZES_of_the_actor_begins_with_the_numbers_of_an_observation_of_ENV_and_ends_with_1)
    `RLC_CHECK(COMPONENTS == 1, rlc_agent_axi_illegal_ENV_must_have_actions_of_one_number)
    localparam BEAT = `RLC_ENV_ANSWER_WIDTH(OBS);

    // ---- registers: the agent's own above those of the replay learner
    `RLC_AXIL_WIRES(x, 14, 2);
    wire [15:0] below_awaddr = {2'b00, x_awaddr};
    wire [15:0] below_araddr = {2'b00, x_araddr};
    rlc_axil_split #(.ADDR_WIDTH(16), .WINDOW_WIDTH(14), .PORTS(2)) u_split (.*, `RLC_AXIL_JOIN(m_axil, x));

    wire        wr_en, wr_acts, rd_en;
    wire [11:0] wr_addr, rd_addr;
    wire [31:0] wr_data, rd_data;
    rlc_axil_regs #(.ADDR_WIDTH(14), .REGS(48)) u_axil (.*, `RLC_AXIL_PICK(s_axil, x, 1));

    // Commands act one clock after their write, so that the next write sees what they have done.
    wire        start, stop, again, clear, halt, untimely, misfit, agent_irq, loop_irq;
    wire [31:0] cfg_blocks, cfg_starts, cfg_epsilon, cfg_epsilon_end, cfg_epsilon_fall, epsilon;
    wire [15:0] cfg_train_freq, cfg_gradient_steps, cfg_time_limit;
    wire [1:0]  cfg_lag;
    wire        cfg_free, running, idle, cfg_ok, cfg_noise;
    wire [16:0] cfg_scale;
    wire [4:0]  cfg_shift;
    wire [26:0] cfg_log_std;
    wire [24:0] cfg_act_frac;
    wire [127:0] cfg_env_seed, cfg_seed;
    wire        ev_step, ev_block, ev_ended, ev_terminated, ev_published, ev_dropped, env_saturated;
    wire [47:0] ev_return;   // a signed number. Declared as one, it makes yosys elaborate the top twice, and stop
    wire [8*32-1:0] sat_count;

    // Returns wait for software, as long as there is room.
    localparam PLACES = 64;
    wire        next;
    reg  [6:0]  ended_q;
    wire [47:0] ended;
    wire        ended_valid;
    wire        full  = ended_q == PLACES;
    wire        push  = ev_ended && !full;
    wire        pop   = next && ended_valid;
    always @(posedge clk) begin
        if (rst || again)      ended_q <= 7'd0;
        else if (push != pop)  ended_q <= push ? ended_q + 7'd1 : ended_q - 7'd1;
    end
    rlc_queue #(.WIDTH(48), .DEPTH(PLACES), .STYLE("distributed")) u_ended (
        .clk(clk), .rst(rst || again), .s_valid(push), .s_data(ev_return), .m_valid(ended_valid), .m_ready(pop), .m_data(ended)
    );

    localparam  LIMITING = 32 * (`RLC_POLICY_STAGE_TAKEN - `RLC_POLICY_STAGE_SATURATED);
    reg         idle_q, saturated_q;
    reg  [63:0] returns_q;
    wire        saturated = sat_count[32*`RLC_POLICY_STAGE_SATURATED +: LIMITING] != {LIMITING{1'b0}};
    always @(posedge clk) begin
        idle_q      <= rst || idle;
        saturated_q <= saturated && !rst;
        if (rst || clear)  returns_q <= 64'd0;
        else if (ev_ended) returns_q <= returns_q + {{16{ev_return[47]}}, ev_return};
    end
    rlc_agent_regs #(.ENV(ENV), .N_ENVS(N_ENVS), .TIME_LIMIT(TIME_LIMIT)) u_regs (
        .*, .wr_addr(wr_addr[5:0]), .rd_addr(rd_addr[5:0]), .count_words(sat_count), .irq(agent_irq),
        .may_idle(idle), .may_command(idle || !(wr_data[0] || wr_data[2])),
        .fits_command(!(wr_data[0] && (halt || wr_data[2] || (cfg_lag[1] && cfg_train_freq != 16'd1)))),
        .do_command_start(start), .do_command_stop(stop), .do_command_again(again), .do_command_clear_counters(clear),
        .do_command_next(next), .hw_status_ended(ended_q), .set_flags_lost(ev_ended && full),
        .hw_ended_low(ended[31:0]), .hw_ended_high({{16{ended[47]}}, ended[47:32]}),
        .hw_status_running(running), .hw_status_idle(idle), .hw_status_formats_fit(cfg_ok),
        .set_flags_busy(untimely), .set_flags_config(misfit), .set_flags_dropped(ev_dropped),
        .set_flags_saturated(saturated && !saturated_q), .set_flags_env_saturated(env_saturated), .set_irq_status_done(idle && !idle_q),
        .cfg_halt(halt), .cfg_action_noise(cfg_noise), .cfg_action_shift(cfg_shift), .cfg_action_scale(cfg_scale),
        .cfg_schedule_free(cfg_free), .cfg_schedule_lag(cfg_lag),
        .cfg_seed0(cfg_env_seed[31:0]), .cfg_seed1(cfg_env_seed[63:32]),
        .cfg_seed2(cfg_env_seed[95:64]), .cfg_seed3(cfg_env_seed[127:96]),
        .cfg_act_seed0(cfg_seed[31:0]), .cfg_act_seed1(cfg_seed[63:32]),
        .cfg_act_seed2(cfg_seed[95:64]), .cfg_act_seed3(cfg_seed[127:96]),
        .hw_epsilon_now(epsilon), .hw_returns_low(returns_q[31:0]), .hw_returns_high(returns_q[63:32]),
        .count_steps(ev_step), .count_blocks_done(ev_block), .count_episodes(ev_ended), .count_terminated(ev_terminated),
        .count_published(ev_published)
    );
    assign irq = agent_irq || loop_irq;

    // ---- environments. Those that are stopped take what a halt has left on its way.
    `RLC_STREAM_WIRES(answer, BEAT);
    `RLC_STREAM_WIRES(action, 18);
    wire stale, env_running, env_step, env_terminated, env_truncated, env_illegal, env_dropped;
    rlc_env #(
        `include "rlc_env_args.vh"
    ) u_env (
        .clk(clk), .rst(rst), .start(again && !halt), .stop(halt), .cfg_seed(cfg_env_seed), .cfg_time_limit(cfg_time_limit),
        `RLC_STREAM_JOIN(s, action), `RLC_STREAM_JOIN(m, answer), .stale(stale), .running(env_running),
        .ev_step(env_step), .ev_terminated(env_terminated), .ev_truncated(env_truncated), .ev_saturated(env_saturated),
        .ev_illegal(env_illegal), .ev_dropped(env_dropped)
    );

    rlc_agent #(
        `include "rlc_replay_learner_args.vh"
        , .N_ENVS(N_ENVS), .POLICY_LANES(POLICY_LANES), .POLICY_FORWARD(POLICY_FORWARD)
    ) u_agent (
        .*, .ev_return(ev_return), .abort_in(halt), .sat_clear(clear), .irq(loop_irq),
        `RLC_STREAM_JOIN(s_env, answer), `RLC_STREAM_JOIN(m_env, action),
        .s_axil_awaddr(below_awaddr), .s_axil_awprot(x_awprot), .s_axil_awvalid(x_awvalid[0]), .s_axil_awready(x_awready[0]),
        .s_axil_wdata(x_wdata), .s_axil_wstrb(x_wstrb), .s_axil_wvalid(x_wvalid[0]), .s_axil_wready(x_wready[0]),
        .s_axil_bresp(x_bresp[1:0]), .s_axil_bvalid(x_bvalid[0]), .s_axil_bready(x_bready[0]),
        .s_axil_araddr(below_araddr), .s_axil_arprot(x_arprot), .s_axil_arvalid(x_arvalid[0]), .s_axil_arready(x_arready[0]),
        .s_axil_rdata(x_rdata[31:0]), .s_axil_rresp(x_rresp[1:0]), .s_axil_rvalid(x_rvalid[0]), .s_axil_rready(x_rready[0])
    );

    wire unused = &{1'b0, wr_addr[11:6], rd_addr[11:6], rd_en, stale, env_running, env_step, env_terminated, env_truncated,
                    env_illegal, env_dropped};
endmodule
`default_nettype wire
