// rlc_learners_ctrl.sv — the registers of what several learners share: the length of a round, and how rounds go.
// SPDX-License-Identifier: Apache-2.0
//
// s_axil_*     registers of learners.rdl; beyond them SLVERR
// cfg_average  H, steps of a round; 0: weights are never averaged. cfg_done: steps of the first one that count as done
// cfg_exact    importance weights are those of one batch over all banks
// waits        of each learner: it waits for others
// irqs, irq    of each learner; of any
// round_done   pulse: an average is in place
// latency      that of rlc_axil_regs
`include "rlc_axi.vh"
`default_nettype none
module rlc_learners_ctrl #(
    parameter LEARNERS = 2, // 2 to 16
    parameter CROSS    = 1, // 1 to 8
    parameter BANKS    = 0  // 1: each learner has a bank of a replay buffer
) (
    input  wire                clk,
    input  wire                rst,
    `RLC_AXIL_SLAVE(s_axil, 16),
    output wire [15:0]         cfg_average,
    output wire [15:0]         cfg_done,
    output wire                cfg_exact,
    input  wire [LEARNERS-1:0] waits,
    input  wire [LEARNERS-1:0] irqs,
    output wire                irq,
    input  wire                round_done
);
    wire        wr_en, wr_acts, rd_en, misfit, untimely;
    wire [13:0] wr_addr, rd_addr;
    wire [31:0] wr_data, rd_data;
    rlc_axil_regs #(.ADDR_WIDTH(16), .REGS(10)) u_axil (.*);

    wire [15:0] waits_wide = {{(16-LEARNERS){1'b0}}, waits};
    wire [15:0] irqs_wide  = {{(16-LEARNERS){1'b0}}, irqs};
    assign irq = |irqs;
    rlc_learners_regs #(.LEARNERS(LEARNERS), .CROSS(CROSS), .BANKS(BANKS)) u_regs (
        .*, .wr_addr(wr_addr[3:0]), .rd_addr(rd_addr[3:0]), .hw_status_waits(waits_wide), .hw_status_irqs(irqs_wide),
        .set_flags(misfit), .cfg_weights(cfg_exact),
        .cfg_average_steps(cfg_average), .cfg_average_done(cfg_done),
        .count_rounds(round_done), .count_waited(|waits)
    );
    wire unused = &{1'b0, wr_addr[13:4], rd_addr[13:4], rd_en, untimely};
endmodule
`default_nettype wire
