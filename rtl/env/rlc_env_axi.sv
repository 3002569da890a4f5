// rlc_env_axi.sv — the environment core behind AXI: AXI4-Lite registers, AXI4-Stream actions and answers.
// SPDX-License-Identifier: Apache-2.0
//
// s_axil_*     registers of env.rdl at byte addresses 0x00 to 0x48; beyond them SLVERR. WSTRB as rlc_axil_regs says
// s_axis_*     one action per beat in the low bits, 18 for each number; TLAST is ignored
// m_axis_*     one answer per beat as rlc_env packs it, zeros above; TLAST with the answer of a turn's last environment
// irq          high while an enabled interrupt is pending (IRQ_STATUS and IRQ_ENABLE)
// latency      that of rlc_axil_regs on registers, that of rlc_env on the streams
`include "rlc_axi.vh"
`default_nettype none
module rlc_env_axi #(
    `include "rlc_env_parameters.vh"
) (
    input  wire clk,
    input  wire rst,
    `RLC_AXIL_SLAVE(s_axil, 12),
    `RLC_AXIS_SLAVE(s_axis, ACTION_BEAT),
    `RLC_AXIS_MASTER(m_axis, ANSWER_BEAT),
    output wire irq
);
    localparam REGS = 19;
    `RLC_ENV_LEGAL(rlc_env_axi)

    wire        wr_en;
    wire [9:0]  wr_addr;
    wire [31:0] wr_data;
    wire        wr_acts, rd_en;
    wire [9:0]  rd_addr;
    wire [31:0] rd_data;
    rlc_axil_regs #(.ADDR_WIDTH(12), .REGS(REGS)) u_axil (.*);

    wire         do_abort, do_start, untimely, misfit, stale, running;
    wire         ev_step, ev_terminated, ev_truncated, ev_saturated, ev_illegal, ev_dropped;
    wire [15:0]  cfg_time_limit;
    wire [127:0] cfg_seed;
    rlc_env_regs #(.ENV(ENV), .N_ENVS(N_ENVS), .TIME_LIMIT(TIME_LIMIT)) u_regs (
        .*, .wr_addr(wr_addr[4:0]), .rd_addr(rd_addr[4:0]), .may_configure(!running),
        .do_command_abort(do_abort), .do_command_start(do_start),
        .hw_status_stale(stale), .hw_status_running(running),
        .cfg_seed0(cfg_seed[31:0]), .cfg_seed1(cfg_seed[63:32]), .cfg_seed2(cfg_seed[95:64]), .cfg_seed3(cfg_seed[127:96]),
        .set_flags_busy(untimely), .set_flags_config(misfit), .set_flags_dropped(ev_dropped),
        .set_flags_illegal(ev_illegal), .set_flags_saturated(ev_saturated),
        .count_steps(ev_step), .count_terminated(ev_terminated), .count_truncated(ev_truncated),
        .count_saturated(ev_saturated), .count_illegal(ev_illegal), .count_dropped(ev_dropped)
    );

    wire [BEAT_WIDTH-1:0] answer;
    rlc_env #(
        `include "rlc_env_args.vh"
    ) u_env (
        .*, .start(do_start && !do_abort), .stop(do_abort),
        .s_valid(s_axis_tvalid), .s_ready(s_axis_tready), .s_data(s_axis_tdata[18*COMPONENTS-1:0]),
        .m_valid(m_axis_tvalid), .m_ready(m_axis_tready), .m_data(answer)
    );
    assign m_axis_tdata = {{(ANSWER_BEAT-BEAT_WIDTH){1'b0}}, answer};

    rlc_axis_last #(.COUNT(N_ENVS)) u_last (
        .clk(clk), .rst(rst), .restart(do_start || do_abort), .valid(m_axis_tvalid), .ready(m_axis_tready),
        .last(m_axis_tlast)
    );

    wire unused = &{1'b0, wr_addr[9:5], rd_addr[9:5], rd_en, s_axis_tdata[ACTION_BEAT-1:18*COMPONENTS], s_axis_tlast};
endmodule
`default_nettype wire
