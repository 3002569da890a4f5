// rlc_ppo_advantages.v — advantages of a rollout: backwards through the memory, over the rewards.
// SPDX-License-Identifier: Apache-2.0
//
// boot_*       the value after the window, of each environment; at least 6 clocks before start
// start        pulse, not while it works: it begins at address records - 1, with environment N - 1
// rd_*         two fields of the memory, 2 clocks after rd_en: value, and {ended, reward}
// wr_*         an advantage for its record
// done         pulse: the last one is written
// sat          how many numbers were saturated in this clock
// clocks       one per record, but at least 6 per turn of the environments, plus 9
// model        rlcores.cores.ppo.gae
`default_nettype none
module rlc_ppo_advantages #(
    parameter N_ENVS    = 8,       // environments, which take turns, 1..1024
    parameter ADDR_BITS = 10,      // of the memory
    parameter ENV_BITS  = (N_ENVS > 1) ? $clog2(N_ENVS) : 1 // derived, leave it alone
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [17:0]          cfg_gamma,
    input  wire [17:0]          cfg_gamma_lambda,
    input  wire                 boot_valid,
    input  wire [ENV_BITS-1:0]  boot_env,
    input  wire [26:0]          boot_value,
    input  wire                 start,
    input  wire [ADDR_BITS:0]   records,
    output wire                 rd_en,
    output wire [ADDR_BITS-1:0] rd_addr,
    input  wire [26:0]          rd_value,
    input  wire [27:0]          rd_reward,
    output wire                 wr_en,
    output wire [ADDR_BITS-1:0] wr_addr,
    output wire [27:0]          wr_data,
    output wire                 done,
    output wire [1:0]           sat
);
    localparam READ = 2;                         // clocks of the memory
    localparam LOOP = 6;                         // between two records of one environment, at least: rlc_ppo_gae
    localparam TURN = (N_ENVS > LOOP) ? N_ENVS : LOOP;
    localparam [31:0] ALL = N_ENVS;
    localparam SLOT_BITS = $clog2(TURN);

    // From the last record to the first; the slots of a turn that have no environment pass.
    reg                 busy_q;
    reg [ADDR_BITS-1:0] addr_q;
    reg [ENV_BITS-1:0]  env_q;
    wire [SLOT_BITS-1:0] slot;
    wire [ADDR_BITS:0]  top   = records - 1'b1;
    wire                takes = busy_q && {1'b0, slot} < ALL[SLOT_BITS:0];
    wire                ends  = takes && addr_q == {ADDR_BITS{1'b0}};
    localparam [31:0]   LAST_ENV = N_ENVS - 1;
    rlc_mod_counter #(.COUNT(TURN)) u_slot (.clk(clk), .restart(rst || start), .step(busy_q), .at(slot), .last());
    always @(posedge clk) begin
        if (rst) busy_q <= 1'b0;
        else     busy_q <= start || (busy_q && !ends);
        if (start) begin
            addr_q <= top[ADDR_BITS-1:0];
            env_q  <= LAST_ENV[ENV_BITS-1:0];
        end else if (takes) begin
            addr_q <= addr_q - 1'b1;
            env_q  <= (env_q == {ENV_BITS{1'b0}}) ? LAST_ENV[ENV_BITS-1:0] : env_q - 1'b1;
        end
    end
    assign rd_en   = takes;
    assign rd_addr = addr_q;

    // Through the row.
    reg  [READ:1]        takes_q;
    wire [ENV_BITS-1:0]  env_read;
    wire [ADDR_BITS-1:0] addr_read;
    wire [26:0]          advantage;
    always @(posedge clk) takes_q <= rst ? {READ{1'b0}} : {takes_q[READ-1:1], takes};
    rlc_delay #(.WIDTH(ENV_BITS + ADDR_BITS), .CLOCKS(READ)) u_read (
        .clk(clk), .d({env_q, addr_q}), .q({env_read, addr_read})
    );
    rlc_ppo_gae #(.ENVIRONMENTS(N_ENVS), .TAG_WIDTH(ADDR_BITS)) u_row (
        .clk(clk), .rst(rst), .cfg_gamma(cfg_gamma), .cfg_gamma_lambda(cfg_gamma_lambda),
        .s_valid(boot_valid || takes_q[READ]), .s_boot(boot_valid), .s_ends(rd_reward[27]),
        .s_env(boot_valid ? boot_env : env_read), .s_reward(rd_reward[26:0]),
        .s_value(boot_valid ? boot_value : rd_value), .s_tag(addr_read),
        .m_valid(wr_en), .m_advantage(advantage), .m_tag(wr_addr), .sat(sat)
    );
    assign wr_data = {1'b0, advantage};

    reg done_q;
    always @(posedge clk) done_q <= !rst && wr_en && wr_addr == {ADDR_BITS{1'b0}};
    assign done = done_q;
    wire unused = top[ADDR_BITS];
endmodule
`default_nettype wire
