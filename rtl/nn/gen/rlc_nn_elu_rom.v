// rlc_nn_elu_rom.v — table of rlc_nn_elu: 512 words of 36 bits. Written by `rlcores generate` from its model; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// data       {node in 21 bits, step in 15}, of the segment addr; units of 2^-20
// latency    2 clocks, the second a plain register that a RAM block has inside
// cost       one RAMB18E2, or one DP16KD; "distributed": about 300 LUT
`default_nettype none
`include "rlc_check.vh"
module rlc_nn_elu_rom #(
    parameter STYLE = "block"  // "block", "distributed" or "auto": the kind of memory asked of synthesis
) (
    input  wire        clk,
    input  wire [8:0]  addr,
    output wire [35:0] data
);
    `RLC_CHECK(STYLE == "block" || STYLE == "distributed" || STYLE == "auto",
               rlc_nn_elu_rom_illegal_STYLE_must_be_block_or_distributed_or_auto)

    (* rom_style = STYLE, ram_style = STYLE *)
    reg [35:0] rom [0:511];
    reg [35:0] read_s1;
    reg [35:0] read_s2;

    always @(posedge clk) begin
        read_s1 <= rom[addr];
        read_s2 <= read_s1;
    end
    assign data = read_s2;

    initial begin
        rom[0] = 36'h000007e43; rom[1] = 36'h03f21fa23; rom[2] = 36'h07c337661; rom[3] = 36'h0b763f2bc;
        rom[4] = 36'h0f0c1ef35; rom[5] = 36'h1285c6bc9; rom[6] = 36'h15e40e878; rom[7] = 36'h1927ce541;
        rom[8] = 36'h1c51d6224; rom[9] = 36'h1f62f5f1e; rom[10] = 36'h225be5c32; rom[11] = 36'h253d7595b;
        rom[12] = 36'h28084d69b; rom[13] = 36'h2abd253f2; rom[14] = 36'h2d5cb515c; rom[15] = 36'h2fe794edb;
        rom[16] = 36'h325e6cc6f; rom[17] = 36'h34c1e4a14; rom[18] = 36'h3712847cd; rom[19] = 36'h3950ec597;
        rom[20] = 36'h3b7da4373; rom[21] = 36'h3d993c160; rom[22] = 36'h3fa43bf5d; rom[23] = 36'h419f23d6a;
        rom[24] = 36'h438a73b86; rom[25] = 36'h4566a39b2; rom[26] = 36'h4734337eb; rom[27] = 36'h48f38b632;
        rom[28] = 36'h4aa51b488; rom[29] = 36'h4c495b2ea; rom[30] = 36'h4de0ab159; rom[31] = 36'h4f6b72fd4;
        rom[32] = 36'h50ea12e5c; rom[33] = 36'h525cf2cee; rom[34] = 36'h53c462b8c; rom[35] = 36'h5520c2a36;
        rom[36] = 36'h5672728e9; rom[37] = 36'h57b9ba7a7; rom[38] = 36'h58f6f266e; rom[39] = 36'h5a2a62540;
        rom[40] = 36'h5b546241b; rom[41] = 36'h5c753a2fe; rom[42] = 36'h5d8d2a1ea; rom[43] = 36'h5e9c7a0e0;
        rom[44] = 36'h5fa379fdc; rom[45] = 36'h60a259ee2; rom[46] = 36'h619969dee; rom[47] = 36'h6288d9d02;
        rom[48] = 36'h6370e9c1e; rom[49] = 36'h6451d9b41; rom[50] = 36'h652be1a6a; rom[51] = 36'h65ff3199a;
        rom[52] = 36'h66cc018d0; rom[53] = 36'h67928180d; rom[54] = 36'h6852e974f; rom[55] = 36'h690d61698;
        rom[56] = 36'h69c2215e6; rom[57] = 36'h6a7151539; rom[58] = 36'h6b1b19492; rom[59] = 36'h6bbfa93f0;
        rom[60] = 36'h6c5f29354; rom[61] = 36'h6cf9c92bb; rom[62] = 36'h6d8fa1227; rom[63] = 36'h6e20d9198;
        rom[64] = 36'h6ead9910e; rom[65] = 36'h6f3609088; rom[66] = 36'h6fba49005; rom[67] = 36'h703a70f87;
        rom[68] = 36'h70b6a8f0d; rom[69] = 36'h712f10e96; rom[70] = 36'h71a3c0e24; rom[71] = 36'h7214e0db4;
        rom[72] = 36'h728280d48; rom[73] = 36'h72ecc0cdf; rom[74] = 36'h7353b8c7a; rom[75] = 36'h73b788c18;
        rom[76] = 36'h741848bb9; rom[77] = 36'h747610b5c; rom[78] = 36'h74d0f0b03; rom[79] = 36'h752908aac;
        rom[80] = 36'h757e68a58; rom[81] = 36'h75d128a06; rom[82] = 36'h7621589b8; rom[83] = 36'h766f1896b;
        rom[84] = 36'h76ba70921; rom[85] = 36'h7703788d9; rom[86] = 36'h774a40893; rom[87] = 36'h778ed8850;
        rom[88] = 36'h77d15880e; rom[89] = 36'h7811c87cf; rom[90] = 36'h785040791; rom[91] = 36'h788cc8756;
        rom[92] = 36'h78c77871c; rom[93] = 36'h7900586e4; rom[94] = 36'h7937786ae; rom[95] = 36'h796ce8679;
        rom[96] = 36'h79a0b0646; rom[97] = 36'h79d2e0614; rom[98] = 36'h7a03805e5; rom[99] = 36'h7a32a85b7;
        rom[100] = 36'h7a6060589; rom[101] = 36'h7a8ca855e; rom[102] = 36'h7ab798533; rom[103] = 36'h7ae13050b;
        rom[104] = 36'h7b09884e3; rom[105] = 36'h7b30a04bc; rom[106] = 36'h7b5680497; rom[107] = 36'h7b7b38473;
        rom[108] = 36'h7b9ed0450; rom[109] = 36'h7bc15042e; rom[110] = 36'h7be2c040d; rom[111] = 36'h7c03283ed;
        rom[112] = 36'h7c22903ce; rom[113] = 36'h7c41003b0; rom[114] = 36'h7c5e80393; rom[115] = 36'h7c7b18377;
        rom[116] = 36'h7c96d035c; rom[117] = 36'h7cb1b0341; rom[118] = 36'h7ccbb8328; rom[119] = 36'h7ce4f830e;
        rom[120] = 36'h7cfd682f7; rom[121] = 36'h7d15202df; rom[122] = 36'h7d2c182c9; rom[123] = 36'h7d42602b3;
        rom[124] = 36'h7d57f829d; rom[125] = 36'h7d6ce0289; rom[126] = 36'h7d8128275; rom[127] = 36'h7d94d0262;
        rom[128] = 36'h7da7e024f; rom[129] = 36'h7dba5823c; rom[130] = 36'h7dcc3822b; rom[131] = 36'h7ddd9021a;
        rom[132] = 36'h7dee6020a; rom[133] = 36'h7dfeb01f9; rom[134] = 36'h7e0e781ea; rom[135] = 36'h7e1dc81db;
        rom[136] = 36'h7e2ca01cc; rom[137] = 36'h7e3b001be; rom[138] = 36'h7e48f01b0; rom[139] = 36'h7e56701a3;
        rom[140] = 36'h7e6388196; rom[141] = 36'h7e703818a; rom[142] = 36'h7e7c8817d; rom[143] = 36'h7e8870172;
        rom[144] = 36'h7e9400166; rom[145] = 36'h7e9f3015c; rom[146] = 36'h7eaa10150; rom[147] = 36'h7eb490147;
        rom[148] = 36'h7ebec813c; rom[149] = 36'h7ec8a8133; rom[150] = 36'h7ed240129; rom[151] = 36'h7edb88120;
        rom[152] = 36'h7ee488117; rom[153] = 36'h7eed4010e; rom[154] = 36'h7ef5b0106; rom[155] = 36'h7efde00ff;
        rom[156] = 36'h7f05d80f6; rom[157] = 36'h7f0d880ef; rom[158] = 36'h7f15000e7; rom[159] = 36'h7f1c380e0;
        rom[160] = 36'h7f23380da; rom[161] = 36'h7f2a080d2; rom[162] = 36'h7f30980cc; rom[163] = 36'h7f36f80c6;
        rom[164] = 36'h7f3d280c0; rom[165] = 36'h7f43280ba; rom[166] = 36'h7f48f80b4; rom[167] = 36'h7f4e980af;
        rom[168] = 36'h7f54100a9; rom[169] = 36'h7f59580a4; rom[170] = 36'h7f5e7809f; rom[171] = 36'h7f637009a;
        rom[172] = 36'h7f6840096; rom[173] = 36'h7f6cf0091; rom[174] = 36'h7f717808c; rom[175] = 36'h7f75d8088;
        rom[176] = 36'h7f7a18084; rom[177] = 36'h7f7e38080; rom[178] = 36'h7f823807b; rom[179] = 36'h7f8610078;
        rom[180] = 36'h7f89d0075; rom[181] = 36'h7f8d78071; rom[182] = 36'h7f910006d; rom[183] = 36'h7f946806a;
        rom[184] = 36'h7f97b8066; rom[185] = 36'h7f9ae8064; rom[186] = 36'h7f9e08060; rom[187] = 36'h7fa10805e;
        rom[188] = 36'h7fa3f805b; rom[189] = 36'h7fa6d0057; rom[190] = 36'h7fa988055; rom[191] = 36'h7fac30053;
        rom[192] = 36'h7faec8050; rom[193] = 36'h7fb14804d; rom[194] = 36'h7fb3b004c; rom[195] = 36'h7fb610048;
        rom[196] = 36'h7fb850047; rom[197] = 36'h7fba88044; rom[198] = 36'h7fbca8043; rom[199] = 36'h7fbec0040;
        rom[200] = 36'h7fc0c003e; rom[201] = 36'h7fc2b003d; rom[202] = 36'h7fc49803a; rom[203] = 36'h7fc668039;
        rom[204] = 36'h7fc830037; rom[205] = 36'h7fc9e8035; rom[206] = 36'h7fcb90034; rom[207] = 36'h7fcd30032;
        rom[208] = 36'h7fcec0030; rom[209] = 36'h7fd04002f; rom[210] = 36'h7fd1b802e; rom[211] = 36'h7fd32802c;
        rom[212] = 36'h7fd48802b; rom[213] = 36'h7fd5e0029; rom[214] = 36'h7fd728028; rom[215] = 36'h7fd868027;
        rom[216] = 36'h7fd9a0026; rom[217] = 36'h7fdad0025; rom[218] = 36'h7fdbf8023; rom[219] = 36'h7fdd10023;
        rom[220] = 36'h7fde28021; rom[221] = 36'h7fdf30020; rom[222] = 36'h7fe030020; rom[223] = 36'h7fe13001e;
        rom[224] = 36'h7fe22001d; rom[225] = 36'h7fe30801d; rom[226] = 36'h7fe3f001b; rom[227] = 36'h7fe4c801b;
        rom[228] = 36'h7fe5a001a; rom[229] = 36'h7fe670019; rom[230] = 36'h7fe738019; rom[231] = 36'h7fe800017;
        rom[232] = 36'h7fe8b8017; rom[233] = 36'h7fe970016; rom[234] = 36'h7fea20016; rom[235] = 36'h7fead0015;
        rom[236] = 36'h7feb78014; rom[237] = 36'h7fec18014; rom[238] = 36'h7fecb8013; rom[239] = 36'h7fed50012;
        rom[240] = 36'h7fede0012; rom[241] = 36'h7fee70011; rom[242] = 36'h7feef8011; rom[243] = 36'h7fef80010;
        rom[244] = 36'h7ff000010; rom[245] = 36'h7ff08000f; rom[246] = 36'h7ff0f800f; rom[247] = 36'h7ff17000e;
        rom[248] = 36'h7ff1e000e; rom[249] = 36'h7ff25000e; rom[250] = 36'h7ff2c000d; rom[251] = 36'h7ff32800c;
        rom[252] = 36'h7ff38800d; rom[253] = 36'h7ff3f000c; rom[254] = 36'h7ff45000b; rom[255] = 36'h7ff4a800b;
        rom[256] = 36'h7ff50000b; rom[257] = 36'h7ff55800b; rom[258] = 36'h7ff5b000a; rom[259] = 36'h7ff60000a;
        rom[260] = 36'h7ff650009; rom[261] = 36'h7ff698009; rom[262] = 36'h7ff6e0009; rom[263] = 36'h7ff728009;
        rom[264] = 36'h7ff770008; rom[265] = 36'h7ff7b0009; rom[266] = 36'h7ff7f8008; rom[267] = 36'h7ff838007;
        rom[268] = 36'h7ff870008; rom[269] = 36'h7ff8b0007; rom[270] = 36'h7ff8e8007; rom[271] = 36'h7ff920007;
        rom[272] = 36'h7ff958006; rom[273] = 36'h7ff988007; rom[274] = 36'h7ff9c0006; rom[275] = 36'h7ff9f0006;
        rom[276] = 36'h7ffa20006; rom[277] = 36'h7ffa50005; rom[278] = 36'h7ffa78006; rom[279] = 36'h7ffaa8005;
        rom[280] = 36'h7ffad0005; rom[281] = 36'h7ffaf8005; rom[282] = 36'h7ffb20005; rom[283] = 36'h7ffb48004;
        rom[284] = 36'h7ffb68005; rom[285] = 36'h7ffb90004; rom[286] = 36'h7ffbb0004; rom[287] = 36'h7ffbd0005;
        rom[288] = 36'h7ffbf8004; rom[289] = 36'h7ffc18003; rom[290] = 36'h7ffc30004; rom[291] = 36'h7ffc50004;
        rom[292] = 36'h7ffc70003; rom[293] = 36'h7ffc88004; rom[294] = 36'h7ffca8003; rom[295] = 36'h7ffcc0003;
        rom[296] = 36'h7ffcd8003; rom[297] = 36'h7ffcf0003; rom[298] = 36'h7ffd08003; rom[299] = 36'h7ffd20003;
        rom[300] = 36'h7ffd38003; rom[301] = 36'h7ffd50002; rom[302] = 36'h7ffd60003; rom[303] = 36'h7ffd78003;
        rom[304] = 36'h7ffd90002; rom[305] = 36'h7ffda0002; rom[306] = 36'h7ffdb0003; rom[307] = 36'h7ffdc8002;
        rom[308] = 36'h7ffdd8002; rom[309] = 36'h7ffde8002; rom[310] = 36'h7ffdf8002; rom[311] = 36'h7ffe08002;
        rom[312] = 36'h7ffe18002; rom[313] = 36'h7ffe28002; rom[314] = 36'h7ffe38001; rom[315] = 36'h7ffe40002;
        rom[316] = 36'h7ffe50002; rom[317] = 36'h7ffe60001; rom[318] = 36'h7ffe68002; rom[319] = 36'h7ffe78001;
        rom[320] = 36'h7ffe80002; rom[321] = 36'h7ffe90001; rom[322] = 36'h7ffe98002; rom[323] = 36'h7ffea8001;
        rom[324] = 36'h7ffeb0001; rom[325] = 36'h7ffeb8002; rom[326] = 36'h7ffec8001; rom[327] = 36'h7ffed0001;
        rom[328] = 36'h7ffed8001; rom[329] = 36'h7ffee0001; rom[330] = 36'h7ffee8001; rom[331] = 36'h7ffef0001;
        rom[332] = 36'h7ffef8001; rom[333] = 36'h7fff00001; rom[334] = 36'h7fff08001; rom[335] = 36'h7fff10001;
        rom[336] = 36'h7fff18001; rom[337] = 36'h7fff20001; rom[338] = 36'h7fff28001; rom[339] = 36'h7fff30001;
        rom[340] = 36'h7fff38000; rom[341] = 36'h7fff38001; rom[342] = 36'h7fff40001; rom[343] = 36'h7fff48001;
        rom[344] = 36'h7fff50000; rom[345] = 36'h7fff50001; rom[346] = 36'h7fff58001; rom[347] = 36'h7fff60000;
        rom[348] = 36'h7fff60001; rom[349] = 36'h7fff68000; rom[350] = 36'h7fff68001; rom[351] = 36'h7fff70000;
        rom[352] = 36'h7fff70001; rom[353] = 36'h7fff78001; rom[354] = 36'h7fff80000; rom[355] = 36'h7fff80001;
        rom[356] = 36'h7fff88000; rom[357] = 36'h7fff88000; rom[358] = 36'h7fff88001; rom[359] = 36'h7fff90000;
        rom[360] = 36'h7fff90001; rom[361] = 36'h7fff98000; rom[362] = 36'h7fff98001; rom[363] = 36'h7fffa0000;
        rom[364] = 36'h7fffa0000; rom[365] = 36'h7fffa0001; rom[366] = 36'h7fffa8000; rom[367] = 36'h7fffa8000;
        rom[368] = 36'h7fffa8001; rom[369] = 36'h7fffb0000; rom[370] = 36'h7fffb0000; rom[371] = 36'h7fffb0001;
        rom[372] = 36'h7fffb8000; rom[373] = 36'h7fffb8000; rom[374] = 36'h7fffb8000; rom[375] = 36'h7fffb8001;
        rom[376] = 36'h7fffc0000; rom[377] = 36'h7fffc0000; rom[378] = 36'h7fffc0000; rom[379] = 36'h7fffc0001;
        rom[380] = 36'h7fffc8000; rom[381] = 36'h7fffc8000; rom[382] = 36'h7fffc8000; rom[383] = 36'h7fffc8001;
        rom[384] = 36'h7fffd0000; rom[385] = 36'h7fffd0000; rom[386] = 36'h7fffd0000; rom[387] = 36'h7fffd0000;
        rom[388] = 36'h7fffd0000; rom[389] = 36'h7fffd0001; rom[390] = 36'h7fffd8000; rom[391] = 36'h7fffd8000;
        rom[392] = 36'h7fffd8000; rom[393] = 36'h7fffd8000; rom[394] = 36'h7fffd8000; rom[395] = 36'h7fffd8001;
        rom[396] = 36'h7fffe0000; rom[397] = 36'h7fffe0000; rom[398] = 36'h7fffe0000; rom[399] = 36'h7fffe0000;
        rom[400] = 36'h7fffe0000; rom[401] = 36'h7fffe0000; rom[402] = 36'h7fffe0000; rom[403] = 36'h7fffe0001;
        rom[404] = 36'h7fffe8000; rom[405] = 36'h7fffe8000; rom[406] = 36'h7fffe8000; rom[407] = 36'h7fffe8000;
        rom[408] = 36'h7fffe8000; rom[409] = 36'h7fffe8000; rom[410] = 36'h7fffe8000; rom[411] = 36'h7fffe8000;
        rom[412] = 36'h7fffe8000; rom[413] = 36'h7fffe8000; rom[414] = 36'h7fffe8001; rom[415] = 36'h7ffff0000;
        rom[416] = 36'h7ffff0000; rom[417] = 36'h7ffff0000; rom[418] = 36'h7ffff0000; rom[419] = 36'h7ffff0000;
        rom[420] = 36'h7ffff0000; rom[421] = 36'h7ffff0000; rom[422] = 36'h7ffff0000; rom[423] = 36'h7ffff0000;
        rom[424] = 36'h7ffff0000; rom[425] = 36'h7ffff0000; rom[426] = 36'h7ffff0000; rom[427] = 36'h7ffff0000;
        rom[428] = 36'h7ffff0000; rom[429] = 36'h7ffff0000; rom[430] = 36'h7ffff0001; rom[431] = 36'h7ffff8000;
        rom[432] = 36'h7ffff8000; rom[433] = 36'h7ffff8000; rom[434] = 36'h7ffff8000; rom[435] = 36'h7ffff8000;
        rom[436] = 36'h7ffff8000; rom[437] = 36'h7ffff8000; rom[438] = 36'h7ffff8000; rom[439] = 36'h7ffff8000;
        rom[440] = 36'h7ffff8000; rom[441] = 36'h7ffff8000; rom[442] = 36'h7ffff8000; rom[443] = 36'h7ffff8000;
        rom[444] = 36'h7ffff8000; rom[445] = 36'h7ffff8000; rom[446] = 36'h7ffff8000; rom[447] = 36'h7ffff8000;
        rom[448] = 36'h7ffff8000; rom[449] = 36'h7ffff8000; rom[450] = 36'h7ffff8000; rom[451] = 36'h7ffff8000;
        rom[452] = 36'h7ffff8000; rom[453] = 36'h7ffff8000; rom[454] = 36'h7ffff8000; rom[455] = 36'h7ffff8000;
        rom[456] = 36'h7ffff8000; rom[457] = 36'h7ffff8000; rom[458] = 36'h7ffff8000; rom[459] = 36'h7ffff8000;
        rom[460] = 36'h7ffff8000; rom[461] = 36'h7ffff8000; rom[462] = 36'h7ffff8000; rom[463] = 36'h7ffff8000;
        rom[464] = 36'h7ffff8000; rom[465] = 36'h7ffff8001; rom[466] = 36'h800000000; rom[467] = 36'h800000000;
        rom[468] = 36'h800000000; rom[469] = 36'h800000000; rom[470] = 36'h800000000; rom[471] = 36'h800000000;
        rom[472] = 36'h800000000; rom[473] = 36'h800000000; rom[474] = 36'h800000000; rom[475] = 36'h800000000;
        rom[476] = 36'h800000000; rom[477] = 36'h800000000; rom[478] = 36'h800000000; rom[479] = 36'h800000000;
        rom[480] = 36'h800000000; rom[481] = 36'h800000000; rom[482] = 36'h800000000; rom[483] = 36'h800000000;
        rom[484] = 36'h800000000; rom[485] = 36'h800000000; rom[486] = 36'h800000000; rom[487] = 36'h800000000;
        rom[488] = 36'h800000000; rom[489] = 36'h800000000; rom[490] = 36'h800000000; rom[491] = 36'h800000000;
        rom[492] = 36'h800000000; rom[493] = 36'h800000000; rom[494] = 36'h800000000; rom[495] = 36'h800000000;
        rom[496] = 36'h800000000; rom[497] = 36'h800000000; rom[498] = 36'h800000000; rom[499] = 36'h800000000;
        rom[500] = 36'h800000000; rom[501] = 36'h800000000; rom[502] = 36'h800000000; rom[503] = 36'h800000000;
        rom[504] = 36'h800000000; rom[505] = 36'h800000000; rom[506] = 36'h800000000; rom[507] = 36'h800000000;
        rom[508] = 36'h800000000; rom[509] = 36'h800000000; rom[510] = 36'h800000000; rom[511] = 36'h800000000;
    end
endmodule
`default_nettype wire
