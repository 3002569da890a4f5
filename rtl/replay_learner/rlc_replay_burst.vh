// rlc_replay_burst.vh — where a record lies in memory, and its burst. Included inside the loop's reader and its writer.
// SPDX-License-Identifier: Apache-2.0

localparam [31:0] LENGTH = BEATS - 1;
localparam integer SIZE  = $clog2(DATA_WIDTH / 8);

function [ADDR_WIDTH-1:0] address_of(input [ADDR_WIDTH-1:0] base, input [INDEX_WIDTH-1:0] index);
    reg [ADDR_WIDTH+INDEX_WIDTH-1:0] wide;
    begin
        wide       = {{ADDR_WIDTH{1'b0}}, index} << STRIDE_LOG2;
        address_of = base + wide[ADDR_WIDTH-1:0];
    end
endfunction
