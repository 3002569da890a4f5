// rlc_delay_ram_formal.v — what rlc_delay_ram promises: the same as a line of flip-flops, from any reset on.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_delay_ram_formal #(
    parameter CLOCKS = 5
) (
    input wire       clk,
    input wire       rst,
    input wire [1:0] d
);
    wire [1:0] q;
    rlc_delay_ram #(.WIDTH(2), .CLOCKS(CLOCKS)) dut (.clk(clk), .rst(rst), .d(d), .q(q));

    // Clocks since the reset, and what came in during them.
    reg [3:0]            age = 4'd0;
    reg [2*CLOCKS-1:0]   line;
    always @(posedge clk) begin
        line <= {line, d};
        age  <= rst ? 4'd0 : (age == CLOCKS) ? age : age + 4'd1;
    end

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    (* hierconn *) wire [1:0] \dut.g_ring.address_q ;
    always @* begin
        if (past) assert (\dut.g_ring.address_q < CLOCKS - 1);
        if (past && age == CLOCKS) assert (q == line[2*CLOCKS-1 -: 2]);
        cover (past && age == CLOCKS && q == 2'd2 && line[1:0] == 2'd1);
    end
endmodule
`default_nettype wire
