// rlc_agent_chip.sv — an agent that needs nothing beside it: environments and experiences are on the chip.
// SPDX-License-Identifier: Apache-2.0
//
//   rlc_env <--> rlc_agent <--> rlc_axi_ram
//
// parameters   those of rlc_agent and of rlc_env; RAM_STYLE, RAM_LATENCY: of the memory of experiences
// ports        as of rlc_agent (docs/agent.md). `again` also begins all episodes anew, from cfg_env_seed; abort_in stops them
// memory       CAPACITY records from address 0 on, the base of the loop's registers after reset
`include "rlc_axi.vh"
`default_nettype none
`include "rlc_check.vh"
module rlc_agent_chip #(
    `include "rlc_replay_learner_parameters.vh"
    ,
    `include "rlc_env_parameters.vh"
    , parameter [1023:0] POLICY_LANES   = LANES,   // as LANES of rlc_policy
    parameter [1023:0] POLICY_FORWARD = FORWARD,   // as FORWARD of rlc_policy
    parameter RAM_STYLE   = "block",               // as STYLE of rlc_axi_ram
    parameter RAM_LATENCY = 2                      // as its READ_LATENCY
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         start,
    input  wire         stop,
    input  wire         again,
    input  wire         abort_in,
    input  wire [31:0]  cfg_blocks,
    input  wire [15:0]  cfg_train_freq,
    input  wire [15:0]  cfg_gradient_steps,
    input  wire [31:0]  cfg_starts,
    input  wire [1:0]   cfg_lag,
    input  wire         cfg_free,
    input  wire [24:0]  cfg_act_frac,
    input  wire [32:0]  cfg_epsilon,
    input  wire [32:0]  cfg_epsilon_end,
    input  wire [32:0]  cfg_epsilon_fall,
    input  wire [127:0] cfg_seed,
    input  wire [127:0] cfg_env_seed,
    input  wire [15:0]  cfg_time_limit,
    output wire         running,
    output wire         idle,
    output wire         cfg_ok,
    output wire [32:0]  epsilon,
    output wire         ev_step,
    output wire         ev_block,
    output wire         ev_ended,
    output wire         ev_terminated,
    output wire signed [47:0] ev_return,
    output wire         ev_published,
    output wire         ev_dropped,
    output wire         ev_limited,
    input  wire         sat_clear,
    output wire [8*32-1:0] sat_count,
    `RLC_AXIL_SLAVE(s_axil, 16),
    `RLC_AXIS_SLAVE(s_axis_load, 64),
    `RLC_AXIS_MASTER(m_axis_read, 64),
    output wire         irq
);
    `include "rlc_learner_defs.vh"
    `RLC_ENV_LEGAL(rlc_agent_chip)
    `RLC_CHECK(OBS == field(SIZES, 0) && ACTIONS == field(SIZES, fields(SIZES) - 1),
               rlc_agent_chip_illegal_SIZES_begins_with_the_environments_observation_and_ends_with_its_actions)

    // Bytes of a record and of its place, as rlc_replay_learner has them.
    localparam WORD   = 32 * field(LANES, 0);
    localparam WORDS  = words(3, field(LANES, 0)) + 2 * words(field(SIZES, 0), field(LANES, 0));
    localparam RATIO  = (DATA_WIDTH >= WORD) ? DATA_WIDTH / WORD : 1;
    localparam SPLIT  = (DATA_WIDTH >= WORD) ? 1 : (WORD + DATA_WIDTH - 1) / DATA_WIDTH;
    localparam BEATS  = (DATA_WIDTH >= WORD) ? (WORDS + RATIO - 1) / RATIO : WORDS * SPLIT;
    localparam STRIDE = 1 << $clog2(BEATS);        // beats from one record to the next

    // Environments begin when the agent has forgotten the old ones.
    reg  [3:0] again_q;
    always @(posedge clk) again_q <= (rst || abort_in) ? 4'd0 : {again_q[2:0], again};

    `RLC_STREAM_WIRES(answer, BEAT_WIDTH);
    `RLC_STREAM_WIRES(action, 18);
    wire unused_running, unused_left, unused_step, unused_terminated, unused_truncated, unused_illegal, unused_dropped;
    rlc_env #(
        `include "rlc_env_pass.vh"
    ) u_env (
        .clk(clk), .rst(rst), .start(again_q[3]), .stop(abort_in), .cfg_seed(cfg_env_seed), .cfg_time_limit(cfg_time_limit),
        `RLC_STREAM_JOIN(s, action), `RLC_STREAM_JOIN(m, answer), .running(unused_running), .left(unused_left),
        .ev_step(unused_step), .ev_terminated(unused_terminated), .ev_truncated(unused_truncated), .ev_limited(ev_limited),
        .ev_illegal(unused_illegal), .ev_dropped(unused_dropped)
    );

    wire [ID_WIDTH-1:0]     m_axi_awid, m_axi_arid, m_axi_bid, m_axi_rid;
    wire [ADDR_WIDTH-1:0]   m_axi_awaddr, m_axi_araddr;
    wire [7:0]              m_axi_awlen, m_axi_arlen;
    wire [2:0]              m_axi_awsize, m_axi_arsize, m_axi_awprot, m_axi_arprot;
    wire [1:0]              m_axi_awburst, m_axi_arburst, m_axi_bresp, m_axi_rresp;
    wire [3:0]              m_axi_awcache, m_axi_arcache;
    wire                    m_axi_awvalid, m_axi_awready, m_axi_arvalid, m_axi_arready, m_axi_bvalid, m_axi_bready;
    wire                    m_axi_wvalid, m_axi_wready, m_axi_wlast, m_axi_rvalid, m_axi_rready, m_axi_rlast;
    wire [DATA_WIDTH-1:0]   m_axi_wdata, m_axi_rdata;
    wire [DATA_WIDTH/8-1:0] m_axi_wstrb;
    rlc_agent #(
        `include "rlc_replay_learner_pass.vh"
        , .N_ENVS(N_ENVS), .POLICY_LANES(POLICY_LANES), .POLICY_FORWARD(POLICY_FORWARD)
    ) u_agent (
        .*, `RLC_STREAM_JOIN(s_env, answer), `RLC_STREAM_JOIN(m_env, action)
    );
    rlc_axi_ram #(
        .ID_WIDTH(ID_WIDTH), .ADDR_WIDTH(ADDR_WIDTH), .DATA_WIDTH(DATA_WIDTH), .DEPTH(CAPACITY * STRIDE),
        .READ_LATENCY(RAM_LATENCY), .STYLE(RAM_STYLE), .BYPASS(BYPASS)
    ) u_ram (
        .clk(clk), .rst(rst),
        .s_axi_awid(m_axi_awid), .s_axi_awaddr(m_axi_awaddr), .s_axi_awlen(m_axi_awlen), .s_axi_awsize(m_axi_awsize),
        .s_axi_awburst(m_axi_awburst), .s_axi_awvalid(m_axi_awvalid), .s_axi_awready(m_axi_awready),
        .s_axi_wdata(m_axi_wdata), .s_axi_wstrb(m_axi_wstrb), .s_axi_wlast(m_axi_wlast), .s_axi_wvalid(m_axi_wvalid),
        .s_axi_wready(m_axi_wready), .s_axi_bid(m_axi_bid), .s_axi_bresp(m_axi_bresp), .s_axi_bvalid(m_axi_bvalid),
        .s_axi_bready(m_axi_bready), .s_axi_arid(m_axi_arid), .s_axi_araddr(m_axi_araddr), .s_axi_arlen(m_axi_arlen),
        .s_axi_arsize(m_axi_arsize), .s_axi_arburst(m_axi_arburst), .s_axi_arvalid(m_axi_arvalid),
        .s_axi_arready(m_axi_arready), .s_axi_rid(m_axi_rid), .s_axi_rdata(m_axi_rdata), .s_axi_rresp(m_axi_rresp),
        .s_axi_rlast(m_axi_rlast), .s_axi_rvalid(m_axi_rvalid), .s_axi_rready(m_axi_rready)
    );
    wire unused = &{1'b0, unused_running, unused_left, unused_step, unused_terminated, unused_truncated, unused_illegal,
                    unused_dropped, m_axi_awcache, m_axi_arcache, m_axi_awprot, m_axi_arprot};
endmodule
`default_nettype wire
