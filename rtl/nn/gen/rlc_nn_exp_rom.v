// rlc_nn_exp_rom.v — 2^x over an octave: 256 words of 10 bits. Written by `rlcores generate` from its model; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// data       1024 * 2^x in the middle of segment addr, without its leading one
// latency    1 clock, one a clock, no reset
// cost       about 45 LUT: too small for a memory block
`default_nettype none
module rlc_nn_exp_rom (
    input  wire       clk,
    input  wire [7:0] addr,
    output wire [9:0] data
);
    // Two tools, two words for a table in LUTs.
`ifdef YOSYS
    (* rom_style = "logic" *)
`else
    (* rom_style = "distributed" *)
`endif
    reg [9:0] rom [0:255];
    reg [9:0] data_q;

    always @(posedge clk) data_q <= rom[addr];
    assign data = data_q;

    initial begin
        rom[0] = 10'h001; rom[1] = 10'h004; rom[2] = 10'h007; rom[3] = 10'h00a; rom[4] = 10'h00d; rom[5] = 10'h00f;
        rom[6] = 10'h012; rom[7] = 10'h015; rom[8] = 10'h018; rom[9] = 10'h01b; rom[10] = 10'h01e; rom[11] = 10'h020;
        rom[12] = 10'h023; rom[13] = 10'h026; rom[14] = 10'h029; rom[15] = 10'h02c; rom[16] = 10'h02f; rom[17] = 10'h032;
        rom[18] = 10'h035; rom[19] = 10'h038; rom[20] = 10'h03a; rom[21] = 10'h03d; rom[22] = 10'h040; rom[23] = 10'h043;
        rom[24] = 10'h046; rom[25] = 10'h049; rom[26] = 10'h04c; rom[27] = 10'h04f; rom[28] = 10'h052; rom[29] = 10'h055;
        rom[30] = 10'h058; rom[31] = 10'h05b; rom[32] = 10'h05e; rom[33] = 10'h061; rom[34] = 10'h064; rom[35] = 10'h067;
        rom[36] = 10'h06a; rom[37] = 10'h06d; rom[38] = 10'h071; rom[39] = 10'h074; rom[40] = 10'h077; rom[41] = 10'h07a;
        rom[42] = 10'h07d; rom[43] = 10'h080; rom[44] = 10'h083; rom[45] = 10'h086; rom[46] = 10'h089; rom[47] = 10'h08d;
        rom[48] = 10'h090; rom[49] = 10'h093; rom[50] = 10'h096; rom[51] = 10'h099; rom[52] = 10'h09c; rom[53] = 10'h0a0;
        rom[54] = 10'h0a3; rom[55] = 10'h0a6; rom[56] = 10'h0a9; rom[57] = 10'h0ad; rom[58] = 10'h0b0; rom[59] = 10'h0b3;
        rom[60] = 10'h0b6; rom[61] = 10'h0ba; rom[62] = 10'h0bd; rom[63] = 10'h0c0; rom[64] = 10'h0c3; rom[65] = 10'h0c7;
        rom[66] = 10'h0ca; rom[67] = 10'h0cd; rom[68] = 10'h0d1; rom[69] = 10'h0d4; rom[70] = 10'h0d7; rom[71] = 10'h0db;
        rom[72] = 10'h0de; rom[73] = 10'h0e1; rom[74] = 10'h0e5; rom[75] = 10'h0e8; rom[76] = 10'h0ec; rom[77] = 10'h0ef;
        rom[78] = 10'h0f3; rom[79] = 10'h0f6; rom[80] = 10'h0f9; rom[81] = 10'h0fd; rom[82] = 10'h100; rom[83] = 10'h104;
        rom[84] = 10'h107; rom[85] = 10'h10b; rom[86] = 10'h10e; rom[87] = 10'h112; rom[88] = 10'h115; rom[89] = 10'h119;
        rom[90] = 10'h11c; rom[91] = 10'h120; rom[92] = 10'h123; rom[93] = 10'h127; rom[94] = 10'h12b; rom[95] = 10'h12e;
        rom[96] = 10'h132; rom[97] = 10'h135; rom[98] = 10'h139; rom[99] = 10'h13d; rom[100] = 10'h140;
        rom[101] = 10'h144; rom[102] = 10'h148; rom[103] = 10'h14b; rom[104] = 10'h14f; rom[105] = 10'h153;
        rom[106] = 10'h156; rom[107] = 10'h15a; rom[108] = 10'h15e; rom[109] = 10'h161; rom[110] = 10'h165;
        rom[111] = 10'h169; rom[112] = 10'h16d; rom[113] = 10'h170; rom[114] = 10'h174; rom[115] = 10'h178;
        rom[116] = 10'h17c; rom[117] = 10'h180; rom[118] = 10'h183; rom[119] = 10'h187; rom[120] = 10'h18b;
        rom[121] = 10'h18f; rom[122] = 10'h193; rom[123] = 10'h197; rom[124] = 10'h19a; rom[125] = 10'h19e;
        rom[126] = 10'h1a2; rom[127] = 10'h1a6; rom[128] = 10'h1aa; rom[129] = 10'h1ae; rom[130] = 10'h1b2;
        rom[131] = 10'h1b6; rom[132] = 10'h1ba; rom[133] = 10'h1be; rom[134] = 10'h1c2; rom[135] = 10'h1c6;
        rom[136] = 10'h1ca; rom[137] = 10'h1ce; rom[138] = 10'h1d2; rom[139] = 10'h1d6; rom[140] = 10'h1da;
        rom[141] = 10'h1de; rom[142] = 10'h1e2; rom[143] = 10'h1e6; rom[144] = 10'h1ea; rom[145] = 10'h1ee;
        rom[146] = 10'h1f3; rom[147] = 10'h1f7; rom[148] = 10'h1fb; rom[149] = 10'h1ff; rom[150] = 10'h203;
        rom[151] = 10'h207; rom[152] = 10'h20b; rom[153] = 10'h210; rom[154] = 10'h214; rom[155] = 10'h218;
        rom[156] = 10'h21c; rom[157] = 10'h221; rom[158] = 10'h225; rom[159] = 10'h229; rom[160] = 10'h22d;
        rom[161] = 10'h232; rom[162] = 10'h236; rom[163] = 10'h23a; rom[164] = 10'h23f; rom[165] = 10'h243;
        rom[166] = 10'h247; rom[167] = 10'h24c; rom[168] = 10'h250; rom[169] = 10'h254; rom[170] = 10'h259;
        rom[171] = 10'h25d; rom[172] = 10'h262; rom[173] = 10'h266; rom[174] = 10'h26a; rom[175] = 10'h26f;
        rom[176] = 10'h273; rom[177] = 10'h278; rom[178] = 10'h27c; rom[179] = 10'h281; rom[180] = 10'h285;
        rom[181] = 10'h28a; rom[182] = 10'h28e; rom[183] = 10'h293; rom[184] = 10'h298; rom[185] = 10'h29c;
        rom[186] = 10'h2a1; rom[187] = 10'h2a5; rom[188] = 10'h2aa; rom[189] = 10'h2af; rom[190] = 10'h2b3;
        rom[191] = 10'h2b8; rom[192] = 10'h2bc; rom[193] = 10'h2c1; rom[194] = 10'h2c6; rom[195] = 10'h2cb;
        rom[196] = 10'h2cf; rom[197] = 10'h2d4; rom[198] = 10'h2d9; rom[199] = 10'h2dd; rom[200] = 10'h2e2;
        rom[201] = 10'h2e7; rom[202] = 10'h2ec; rom[203] = 10'h2f1; rom[204] = 10'h2f5; rom[205] = 10'h2fa;
        rom[206] = 10'h2ff; rom[207] = 10'h304; rom[208] = 10'h309; rom[209] = 10'h30e; rom[210] = 10'h313;
        rom[211] = 10'h318; rom[212] = 10'h31c; rom[213] = 10'h321; rom[214] = 10'h326; rom[215] = 10'h32b;
        rom[216] = 10'h330; rom[217] = 10'h335; rom[218] = 10'h33a; rom[219] = 10'h33f; rom[220] = 10'h344;
        rom[221] = 10'h349; rom[222] = 10'h34e; rom[223] = 10'h353; rom[224] = 10'h359; rom[225] = 10'h35e;
        rom[226] = 10'h363; rom[227] = 10'h368; rom[228] = 10'h36d; rom[229] = 10'h372; rom[230] = 10'h377;
        rom[231] = 10'h37d; rom[232] = 10'h382; rom[233] = 10'h387; rom[234] = 10'h38c; rom[235] = 10'h391;
        rom[236] = 10'h397; rom[237] = 10'h39c; rom[238] = 10'h3a1; rom[239] = 10'h3a7; rom[240] = 10'h3ac;
        rom[241] = 10'h3b1; rom[242] = 10'h3b6; rom[243] = 10'h3bc; rom[244] = 10'h3c1; rom[245] = 10'h3c7;
        rom[246] = 10'h3cc; rom[247] = 10'h3d1; rom[248] = 10'h3d7; rom[249] = 10'h3dc; rom[250] = 10'h3e2;
        rom[251] = 10'h3e7; rom[252] = 10'h3ed; rom[253] = 10'h3f2; rom[254] = 10'h3f8; rom[255] = 10'h3fd;
    end
endmodule
`default_nettype wire
