// rlc_tanh_rom.v — table of rlc_tanh: 512 words of 36 bits. Written by `rlcores generate` from its model; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// data       {0, node + 8 in 21 bits, step in 14}, of the segment addr; units of 2^-20
// latency    2 clocks, the second a plain register that a RAM block has inside
// cost       one RAMB18E2, or one DP16KD; "distributed": about 300 LUT
`default_nettype none
`include "rlc_check.vh"
module rlc_tanh_rom #(
    parameter STYLE = "block"  // "block", "distributed" or "auto": the kind of memory asked of synthesis
) (
    input  wire        clk,
    input  wire [8:0]  addr,
    output wire [35:0] data
);
    `RLC_CHECK(STYLE == "block" || STYLE == "distributed" || STYLE == "auto",
               rlc_tanh_rom_illegal_STYLE_must_be_block_or_distributed_or_auto)

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
        rom[0] = 36'h000023fff; rom[1] = 36'h01001fff7; rom[2] = 36'h01fffbfe8; rom[3] = 36'h02ff9bfcf;
        rom[4] = 36'h03fed7faf; rom[5] = 36'h04fd93f88; rom[6] = 36'h05fbb3f58; rom[7] = 36'h06f913f21;
        rom[8] = 36'h07f597ee3; rom[9] = 36'h08f123e9c; rom[10] = 36'h09eb93e4f; rom[11] = 36'h0ae4cfdfb;
        rom[12] = 36'h0bdcbbd9e; rom[13] = 36'h0cd333d3d; rom[14] = 36'h0dc827cd3; rom[15] = 36'h0ebb73c63;
        rom[16] = 36'h0facffbee; rom[17] = 36'h109cb7b72; rom[18] = 36'h118a7faef; rom[19] = 36'h12763ba69;
        rom[20] = 36'h135fdf9dc; rom[21] = 36'h14474f94a; rom[22] = 36'h152c778b2; rom[23] = 36'h160f3f818;
        rom[24] = 36'h16ef9f778; rom[25] = 36'h17cd7f6d3; rom[26] = 36'h18a8cb62c; rom[27] = 36'h19817b57f;
        rom[28] = 36'h1a57774d1; rom[29] = 36'h1b2abb41f; rom[30] = 36'h1bfb3736a; rom[31] = 36'h1cc8df2b2;
        rom[32] = 36'h1d93a71f7; rom[33] = 36'h1e5b8313c; rom[34] = 36'h1f207307e; rom[35] = 36'h1fe26afbe;
        rom[36] = 36'h20a162efc; rom[37] = 36'h215d52e3a; rom[38] = 36'h22163ad77; rom[39] = 36'h22cc16cb3;
        rom[40] = 36'h237ee2bee; rom[41] = 36'h242e9ab2a; rom[42] = 36'h24db42a64; rom[43] = 36'h2584d299f;
        rom[44] = 36'h262b4e8db; rom[45] = 36'h26ceba816; rom[46] = 36'h276f12753; rom[47] = 36'h280c5e68f;
        rom[48] = 36'h28a69a5ce; rom[49] = 36'h293dd250c; rom[50] = 36'h29d20244d; rom[51] = 36'h2a633638f;
        rom[52] = 36'h2af1722d1; rom[53] = 36'h2b7cb6217; rom[54] = 36'h2c051215d; rom[55] = 36'h2c8a860a5;
        rom[56] = 36'h2d0d19fef; rom[57] = 36'h2d8cd5f3c; rom[58] = 36'h2e09c5e89; rom[59] = 36'h2e83e9ddb;
        rom[60] = 36'h2efb55d2c; rom[61] = 36'h2f7005c82; rom[62] = 36'h2fe20dbda; rom[63] = 36'h305175b33;
        rom[64] = 36'h30be41a8f; rom[65] = 36'h31287d9ee; rom[66] = 36'h31903594f; rom[67] = 36'h31f5718b3;
        rom[68] = 36'h32583d81a; rom[69] = 36'h32b8a5782; rom[70] = 36'h3316ad6ef; rom[71] = 36'h33726965d;
        rom[72] = 36'h33cbdd5cd; rom[73] = 36'h342311542; rom[74] = 36'h3478194b8; rom[75] = 36'h34caf9431;
        rom[76] = 36'h351bbd3ac; rom[77] = 36'h356a6d32b; rom[78] = 36'h35b7192ac; rom[79] = 36'h3601c922f;
        rom[80] = 36'h364a851b6; rom[81] = 36'h36915d13f; rom[82] = 36'h36d6590ca; rom[83] = 36'h371981057;
        rom[84] = 36'h375adcfe9; rom[85] = 36'h379a80f7b; rom[86] = 36'h37d86cf10; rom[87] = 36'h3814acea9;
        rom[88] = 36'h384f50e42; rom[89] = 36'h388858ddf; rom[90] = 36'h38bfd4d7e; rom[91] = 36'h38f5ccd20;
        rom[92] = 36'h392a4ccc3; rom[93] = 36'h395d58c69; rom[94] = 36'h398efcc10; rom[95] = 36'h39bf3cbbb;
        rom[96] = 36'h39ee28b67; rom[97] = 36'h3a1bc4b15; rom[98] = 36'h3a4818ac6; rom[99] = 36'h3a7330a78;
        rom[100] = 36'h3a9d10a2d; rom[101] = 36'h3ac5c49e3; rom[102] = 36'h3aed5099b; rom[103] = 36'h3b13bc955;
        rom[104] = 36'h3b3910911; rom[105] = 36'h3b5d548cf; rom[106] = 36'h3b809088e; rom[107] = 36'h3ba2c884f;
        rom[108] = 36'h3bc404813; rom[109] = 36'h3be4507d6; rom[110] = 36'h3c03a879d; rom[111] = 36'h3c221c764;
        rom[112] = 36'h3c3fac72e; rom[113] = 36'h3c5c646f8; rom[114] = 36'h3c78446c4; rom[115] = 36'h3c9354692;
        rom[116] = 36'h3cad9c660; rom[117] = 36'h3cc71c631; rom[118] = 36'h3cdfe0602; rom[119] = 36'h3cf7e85d6;
        rom[120] = 36'h3d0f405a9; rom[121] = 36'h3d25e457f; rom[122] = 36'h3d3be0555; rom[123] = 36'h3d513452d;
        rom[124] = 36'h3d65e8506; rom[125] = 36'h3d7a004e0; rom[126] = 36'h3d8d804bb; rom[127] = 36'h3da06c497;
        rom[128] = 36'h3db2c8475; rom[129] = 36'h3dc49c452; rom[130] = 36'h3dd5e4431; rom[131] = 36'h3de6a8412;
        rom[132] = 36'h3df6f03f2; rom[133] = 36'h3e06b83d5; rom[134] = 36'h3e160c3b7; rom[135] = 36'h3e24e839a;
        rom[136] = 36'h3e335037f; rom[137] = 36'h3e414c364; rom[138] = 36'h3e4edc34b; rom[139] = 36'h3e5c08330;
        rom[140] = 36'h3e68c8319; rom[141] = 36'h3e752c300; rom[142] = 36'h3e812c2ea; rom[143] = 36'h3e8cd42d3;
        rom[144] = 36'h3e98202bd; rom[145] = 36'h3ea3142a9; rom[146] = 36'h3eadb8293; rom[147] = 36'h3eb804280;
        rom[148] = 36'h3ec20426d; rom[149] = 36'h3ecbb8259; rom[150] = 36'h3ed51c248; rom[151] = 36'h3ede3c236;
        rom[152] = 36'h3ee714225; rom[153] = 36'h3eefa8214; rom[154] = 36'h3ef7f8204; rom[155] = 36'h3f00081f4;
        rom[156] = 36'h3f07d81e6; rom[157] = 36'h3f0f701d6; rom[158] = 36'h3f16c81c8; rom[159] = 36'h3f1de81bb;
        rom[160] = 36'h3f24d41ad; rom[161] = 36'h3f2b881a0; rom[162] = 36'h3f3208193; rom[163] = 36'h3f3854187;
        rom[164] = 36'h3f3e7017c; rom[165] = 36'h3f446016f; rom[166] = 36'h3f4a1c165; rom[167] = 36'h3f4fb0159;
        rom[168] = 36'h3f551414f; rom[169] = 36'h3f5a50145; rom[170] = 36'h3f5f6413b; rom[171] = 36'h3f6450132;
        rom[172] = 36'h3f6918128; rom[173] = 36'h3f6db811f; rom[174] = 36'h3f7234116; rom[175] = 36'h3f768c10e;
        rom[176] = 36'h3f7ac4105; rom[177] = 36'h3f7ed80fe; rom[178] = 36'h3f82d00f6; rom[179] = 36'h3f86a80ee;
        rom[180] = 36'h3f8a600e7; rom[181] = 36'h3f8dfc0e0; rom[182] = 36'h3f917c0d9; rom[183] = 36'h3f94e00d3;
        rom[184] = 36'h3f982c0cc; rom[185] = 36'h3f9b5c0c6; rom[186] = 36'h3f9e740bf; rom[187] = 36'h3fa1700ba;
        rom[188] = 36'h3fa4580b5; rom[189] = 36'h3fa72c0ae; rom[190] = 36'h3fa9e40aa; rom[191] = 36'h3fac8c0a4;
        rom[192] = 36'h3faf1c09f; rom[193] = 36'h3fb19809a; rom[194] = 36'h3fb400096; rom[195] = 36'h3fb658091;
        rom[196] = 36'h3fb89c08c; rom[197] = 36'h3fbacc089; rom[198] = 36'h3fbcf0084; rom[199] = 36'h3fbf00080;
        rom[200] = 36'h3fc10007c; rom[201] = 36'h3fc2f0078; rom[202] = 36'h3fc4d0075; rom[203] = 36'h3fc6a4071;
        rom[204] = 36'h3fc86806d; rom[205] = 36'h3fca1c06a; rom[206] = 36'h3fcbc4067; rom[207] = 36'h3fcd60064;
        rom[208] = 36'h3fcef0061; rom[209] = 36'h3fd07405d; rom[210] = 36'h3fd1e805b; rom[211] = 36'h3fd354058;
        rom[212] = 36'h3fd4b4056; rom[213] = 36'h3fd60c053; rom[214] = 36'h3fd758050; rom[215] = 36'h3fd89804e;
        rom[216] = 36'h3fd9d004b; rom[217] = 36'h3fdafc049; rom[218] = 36'h3fdc20047; rom[219] = 36'h3fdd3c044;
        rom[220] = 36'h3fde4c043; rom[221] = 36'h3fdf58040; rom[222] = 36'h3fe05803f; rom[223] = 36'h3fe15403d;
        rom[224] = 36'h3fe24803a; rom[225] = 36'h3fe330039; rom[226] = 36'h3fe414037; rom[227] = 36'h3fe4f0036;
        rom[228] = 36'h3fe5c8034; rom[229] = 36'h3fe698032; rom[230] = 36'h3fe760031; rom[231] = 36'h3fe82402f;
        rom[232] = 36'h3fe8e002e; rom[233] = 36'h3fe99802c; rom[234] = 36'h3fea4802b; rom[235] = 36'h3feaf402a;
        rom[236] = 36'h3feb9c028; rom[237] = 36'h3fec3c027; rom[238] = 36'h3fecd8026; rom[239] = 36'h3fed70025;
        rom[240] = 36'h3fee04023; rom[241] = 36'h3fee90023; rom[242] = 36'h3fef1c021; rom[243] = 36'h3fefa0021;
        rom[244] = 36'h3ff02401f; rom[245] = 36'h3ff0a001f; rom[246] = 36'h3ff11c01d; rom[247] = 36'h3ff19001d;
        rom[248] = 36'h3ff20401c; rom[249] = 36'h3ff27401b; rom[250] = 36'h3ff2e001a; rom[251] = 36'h3ff348019;
        rom[252] = 36'h3ff3ac019; rom[253] = 36'h3ff410017; rom[254] = 36'h3ff46c017; rom[255] = 36'h3ff4c8017;
        rom[256] = 36'h3ff524015; rom[257] = 36'h3ff578015; rom[258] = 36'h3ff5cc015; rom[259] = 36'h3ff620013;
        rom[260] = 36'h3ff66c013; rom[261] = 36'h3ff6b8013; rom[262] = 36'h3ff704012; rom[263] = 36'h3ff74c011;
        rom[264] = 36'h3ff790011; rom[265] = 36'h3ff7d4010; rom[266] = 36'h3ff814010; rom[267] = 36'h3ff854010;
        rom[268] = 36'h3ff89400e; rom[269] = 36'h3ff8cc00f; rom[270] = 36'h3ff90800e; rom[271] = 36'h3ff94000d;
        rom[272] = 36'h3ff97400e; rom[273] = 36'h3ff9ac00c; rom[274] = 36'h3ff9dc00d; rom[275] = 36'h3ffa1000c;
        rom[276] = 36'h3ffa4000b; rom[277] = 36'h3ffa6c00b; rom[278] = 36'h3ffa9800b; rom[279] = 36'h3ffac400b;
        rom[280] = 36'h3ffaf000a; rom[281] = 36'h3ffb1800a; rom[282] = 36'h3ffb40009; rom[283] = 36'h3ffb6400a;
        rom[284] = 36'h3ffb8c009; rom[285] = 36'h3ffbb0009; rom[286] = 36'h3ffbd4008; rom[287] = 36'h3ffbf4008;
        rom[288] = 36'h3ffc14008; rom[289] = 36'h3ffc34008; rom[290] = 36'h3ffc54007; rom[291] = 36'h3ffc70008;
        rom[292] = 36'h3ffc90007; rom[293] = 36'h3ffcac006; rom[294] = 36'h3ffcc4007; rom[295] = 36'h3ffce0006;
        rom[296] = 36'h3ffcf8007; rom[297] = 36'h3ffd14006; rom[298] = 36'h3ffd2c006; rom[299] = 36'h3ffd44005;
        rom[300] = 36'h3ffd58006; rom[301] = 36'h3ffd70005; rom[302] = 36'h3ffd84005; rom[303] = 36'h3ffd98005;
        rom[304] = 36'h3ffdac005; rom[305] = 36'h3ffdc0005; rom[306] = 36'h3ffdd4004; rom[307] = 36'h3ffde4004;
        rom[308] = 36'h3ffdf4005; rom[309] = 36'h3ffe08004; rom[310] = 36'h3ffe18004; rom[311] = 36'h3ffe28004;
        rom[312] = 36'h3ffe38004; rom[313] = 36'h3ffe48003; rom[314] = 36'h3ffe54004; rom[315] = 36'h3ffe64003;
        rom[316] = 36'h3ffe70003; rom[317] = 36'h3ffe7c004; rom[318] = 36'h3ffe8c003; rom[319] = 36'h3ffe98003;
        rom[320] = 36'h3ffea4003; rom[321] = 36'h3ffeb0003; rom[322] = 36'h3ffebc002; rom[323] = 36'h3ffec4003;
        rom[324] = 36'h3ffed0003; rom[325] = 36'h3ffedc002; rom[326] = 36'h3ffee4003; rom[327] = 36'h3ffef0002;
        rom[328] = 36'h3ffef8002; rom[329] = 36'h3fff00002; rom[330] = 36'h3fff08002; rom[331] = 36'h3fff10003;
        rom[332] = 36'h3fff1c002; rom[333] = 36'h3fff24002; rom[334] = 36'h3fff2c001; rom[335] = 36'h3fff30002;
        rom[336] = 36'h3fff38002; rom[337] = 36'h3fff40002; rom[338] = 36'h3fff48001; rom[339] = 36'h3fff4c002;
        rom[340] = 36'h3fff54002; rom[341] = 36'h3fff5c001; rom[342] = 36'h3fff60002; rom[343] = 36'h3fff68001;
        rom[344] = 36'h3fff6c001; rom[345] = 36'h3fff70002; rom[346] = 36'h3fff78001; rom[347] = 36'h3fff7c001;
        rom[348] = 36'h3fff80002; rom[349] = 36'h3fff88001; rom[350] = 36'h3fff8c001; rom[351] = 36'h3fff90001;
        rom[352] = 36'h3fff94001; rom[353] = 36'h3fff98001; rom[354] = 36'h3fff9c001; rom[355] = 36'h3fffa0001;
        rom[356] = 36'h3fffa4001; rom[357] = 36'h3fffa8001; rom[358] = 36'h3fffac001; rom[359] = 36'h3fffb0001;
        rom[360] = 36'h3fffb4001; rom[361] = 36'h3fffb8000; rom[362] = 36'h3fffb8001; rom[363] = 36'h3fffbc001;
        rom[364] = 36'h3fffc0001; rom[365] = 36'h3fffc4000; rom[366] = 36'h3fffc4001; rom[367] = 36'h3fffc8001;
        rom[368] = 36'h3fffcc000; rom[369] = 36'h3fffcc001; rom[370] = 36'h3fffd0001; rom[371] = 36'h3fffd4000;
        rom[372] = 36'h3fffd4001; rom[373] = 36'h3fffd8000; rom[374] = 36'h3fffd8001; rom[375] = 36'h3fffdc000;
        rom[376] = 36'h3fffdc001; rom[377] = 36'h3fffe0000; rom[378] = 36'h3fffe0001; rom[379] = 36'h3fffe4000;
        rom[380] = 36'h3fffe4001; rom[381] = 36'h3fffe8000; rom[382] = 36'h3fffe8001; rom[383] = 36'h3fffec000;
        rom[384] = 36'h3fffec001; rom[385] = 36'h3ffff0000; rom[386] = 36'h3ffff0000; rom[387] = 36'h3ffff0001;
        rom[388] = 36'h3ffff4000; rom[389] = 36'h3ffff4000; rom[390] = 36'h3ffff4001; rom[391] = 36'h3ffff8000;
        rom[392] = 36'h3ffff8000; rom[393] = 36'h3ffff8001; rom[394] = 36'h3ffffc000; rom[395] = 36'h3ffffc000;
        rom[396] = 36'h3ffffc000; rom[397] = 36'h3ffffc001; rom[398] = 36'h400000000; rom[399] = 36'h400000000;
        rom[400] = 36'h400000000; rom[401] = 36'h400000001; rom[402] = 36'h400004000; rom[403] = 36'h400004000;
        rom[404] = 36'h400004000; rom[405] = 36'h400004001; rom[406] = 36'h400008000; rom[407] = 36'h400008000;
        rom[408] = 36'h400008000; rom[409] = 36'h400008000; rom[410] = 36'h400008000; rom[411] = 36'h400008001;
        rom[412] = 36'h40000c000; rom[413] = 36'h40000c000; rom[414] = 36'h40000c000; rom[415] = 36'h40000c000;
        rom[416] = 36'h40000c000; rom[417] = 36'h40000c001; rom[418] = 36'h400010000; rom[419] = 36'h400010000;
        rom[420] = 36'h400010000; rom[421] = 36'h400010000; rom[422] = 36'h400010000; rom[423] = 36'h400010000;
        rom[424] = 36'h400010000; rom[425] = 36'h400010001; rom[426] = 36'h400014000; rom[427] = 36'h400014000;
        rom[428] = 36'h400014000; rom[429] = 36'h400014000; rom[430] = 36'h400014000; rom[431] = 36'h400014000;
        rom[432] = 36'h400014000; rom[433] = 36'h400014000; rom[434] = 36'h400014000; rom[435] = 36'h400014000;
        rom[436] = 36'h400014001; rom[437] = 36'h400018000; rom[438] = 36'h400018000; rom[439] = 36'h400018000;
        rom[440] = 36'h400018000; rom[441] = 36'h400018000; rom[442] = 36'h400018000; rom[443] = 36'h400018000;
        rom[444] = 36'h400018000; rom[445] = 36'h400018000; rom[446] = 36'h400018000; rom[447] = 36'h400018000;
        rom[448] = 36'h400018000; rom[449] = 36'h400018000; rom[450] = 36'h400018000; rom[451] = 36'h400018000;
        rom[452] = 36'h400018001; rom[453] = 36'h40001c000; rom[454] = 36'h40001c000; rom[455] = 36'h40001c000;
        rom[456] = 36'h40001c000; rom[457] = 36'h40001c000; rom[458] = 36'h40001c000; rom[459] = 36'h40001c000;
        rom[460] = 36'h40001c000; rom[461] = 36'h40001c000; rom[462] = 36'h40001c000; rom[463] = 36'h40001c000;
        rom[464] = 36'h40001c000; rom[465] = 36'h40001c000; rom[466] = 36'h40001c000; rom[467] = 36'h40001c000;
        rom[468] = 36'h40001c000; rom[469] = 36'h40001c000; rom[470] = 36'h40001c000; rom[471] = 36'h40001c000;
        rom[472] = 36'h40001c000; rom[473] = 36'h40001c000; rom[474] = 36'h40001c000; rom[475] = 36'h40001c000;
        rom[476] = 36'h40001c000; rom[477] = 36'h40001c000; rom[478] = 36'h40001c000; rom[479] = 36'h40001c000;
        rom[480] = 36'h40001c000; rom[481] = 36'h40001c000; rom[482] = 36'h40001c000; rom[483] = 36'h40001c000;
        rom[484] = 36'h40001c000; rom[485] = 36'h40001c000; rom[486] = 36'h40001c000; rom[487] = 36'h40001c001;
        rom[488] = 36'h400020000; rom[489] = 36'h400020000; rom[490] = 36'h400020000; rom[491] = 36'h400020000;
        rom[492] = 36'h400020000; rom[493] = 36'h400020000; rom[494] = 36'h400020000; rom[495] = 36'h400020000;
        rom[496] = 36'h400020000; rom[497] = 36'h400020000; rom[498] = 36'h400020000; rom[499] = 36'h400020000;
        rom[500] = 36'h400020000; rom[501] = 36'h400020000; rom[502] = 36'h400020000; rom[503] = 36'h400020000;
        rom[504] = 36'h400020000; rom[505] = 36'h400020000; rom[506] = 36'h400020000; rom[507] = 36'h400020000;
        rom[508] = 36'h400020000; rom[509] = 36'h400020000; rom[510] = 36'h400020000; rom[511] = 36'h400020000;
    end
endmodule
`default_nettype wire
