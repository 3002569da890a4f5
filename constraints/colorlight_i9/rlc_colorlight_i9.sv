// rlc_colorlight_i9.sv — top for the Colorlight i9: a replay server behind gigabit Ethernet, its records in block RAM.
// SPDX-License-Identifier: Apache-2.0
//
// clk_25mhz   the board's oscillator
// rgmii_*     to the PHY of the first socket; rgmii_rst_n resets both of the board's PHYs
// button_n    low: everything begins anew, with an empty memory and another instance
// led_n       low while a datagram comes or goes
//
// clocks      the server and LiteEth's upper half at 25 MHz * MULTIPLY / DIVIDE; the line at the 125 MHz of rgmii_rx_clk, in both
//             directions
`default_nettype none
module rlc_colorlight_i9 #(
    parameter [47:0] MAC      = 48'h02_00_52_4C_43_01,          // of the board
    parameter [31:0] ADDRESS  = {8'd192, 8'd168, 8'd1, 8'd50},  // IPv4, of the board
    parameter [15:0] PORT     = 16'd7878,                       // of the server
    parameter MULTIPLY        = 2,   // of the clock
    parameter DIVIDE          = 1,   // see MULTIPLY
    parameter OUTPUT          = 12,  // of rlc_ecp5_pll
    parameter CAPACITY        = 512, // records
    parameter LEAVES_LOG2     = 9,   // of the sum tree
    parameter RECORD_BYTES    = 48,  // of a record
    parameter CLIENTS         = 4,   // client numbers
    parameter SAMPLE_MAX      = 64,  // largest batch
    parameter WEIGHTS_MAX     = 2752 // bytes of the largest set of weights
) (
    input  wire       clk_25mhz,
    input  wire       button_n,
    output wire       led_n,
    output wire       rgmii_rst_n,
    input  wire       rgmii_rx_clk,
    input  wire       rgmii_rx_ctl,
    input  wire [3:0] rgmii_rx_data,
    output wire       rgmii_tx_clk,
    output wire       rgmii_tx_ctl,
    output wire [3:0] rgmii_tx_data
);
    wire clk, locked, rst;
    rlc_ecp5_pll #(.MULTIPLY(MULTIPLY), .DIVIDE(DIVIDE), .OUTPUT(OUTPUT)) u_pll (
        .clk_in(clk_25mhz), .clk_out(clk), .locked(locked)
    );
    rlc_reset_sync #(.STAGES(3), .SOURCES(2)) u_reset (
        .clk(clk), .rst_in({!button_n, !locked}), .rst_out(rst)
    );

    // The time until a person lets the button go, or the PLL locks, is different each time: the number of the state.
    reg [31:0] instance_q;
    initial instance_q = 32'd1;
    always @(posedge clk) if (rst) instance_q <= {instance_q[30:0], ~(instance_q[31] ^ instance_q[21] ^ instance_q[1] ^ instance_q[0])};

    localparam  PORT_BYTES = 4;  // 32 bits at 50 MHz: more than the line's 1 Gbit/s
    wire        dropped, failed;
    wire [47:0] mac_address = MAC;
    wire [31:0] ip_address  = ADDRESS;
    wire [15:0] udp_port    = PORT;
    `include "rlc_replay_server_mac.vh"

    wire [31:0] cfg_instance = instance_q, cfg_epsilon = 32'd1;
    wire [15:0] cfg_alpha    = 16'd19661, cfg_scale = 16'd2048;
    wire [7:0]  cfg_bank     = 8'd0;
    wire [17:0] cfg_initial  = 18'd256;
    wire [63:0] cfg_seed     = {instance_q, instance_q};
    // The secret of the cookies: low bits of the clocks at which the first 16 datagrams came. Nobody on the line knows them to
    // 20 ns. It stands still from then on; a cookie of before is as a wrong one.
    reg  [127:0] secret_q;
    reg  [7:0]   clock_q;
    reg  [4:0]   stirred_q;
    initial clock_q = 8'd0;
    always @(posedge clk) begin
        clock_q <= clock_q + 8'd1;
        if (rst) stirred_q <= 5'd0;
        else if (s_udp_tvalid && s_udp_tready && s_udp_tlast && !stirred_q[4]) begin
            stirred_q <= stirred_q + 5'd1;
            secret_q  <= {secret_q[119:0], clock_q};
        end
    end
    wire [127:0] cfg_key     = secret_q;
    rlc_replay_server_ram #(
        .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(1392), .CLIENTS(CLIENTS), .SAMPLE_MAX(SAMPLE_MAX), .CREDIT(32),
        .WEIGHTS_MAX(WEIGHTS_MAX), .ADDR_WIDTH(16), .LEAVES_LOG2(LEAVES_LOG2), .RADIX_LOG2(4), .CAPACITY(CAPACITY),
        .PRIORITY_WIDTH(18), .GENERATION_WIDTH(8), .HEAD_LATENCY(3), .NARROW_STYLE(12), .WIDE_STYLE(12), .WIDE_LATENCY(3),
        .BYPASS(1), .ADDS(1)
    ) u_server (.*);

    // A datagram lights it long enough to be seen.
    reg [20:0] lit_q;
    always @(posedge clk) begin
        if (rst) lit_q <= 21'd0;
        else if (s_udp_tvalid || m_udp_tvalid) lit_q <= 21'h1FFFFF;
        else if (lit_q != 21'd0) lit_q <= lit_q - 21'd1;
    end
    assign led_n = lit_q == 21'd0;
    wire unused = &{1'b0, dropped, failed};
endmodule
`default_nettype wire
