// rlc_exp2_rom.v — table of rlc_exp2: 512 words of 36 bits. Written by `rlcores generate` from its model; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// data       {node - 1.0 in 22 bits, step in 14}, of the segment addr; units of 2^-22
// latency    2 clocks, the second a plain register that a RAM block has inside
// cost       one RAMB18E2, or one DP16KD; "distributed": about 300 LUT
`default_nettype none
`include "rlc_check.vh"
module rlc_exp2_rom #(
    parameter STYLE = "block"  // "block", "distributed" or "auto": the kind of memory asked of synthesis
) (
    input  wire        clk,
    input  wire [8:0]  addr,
    output wire [35:0] data
);
    `RLC_CHECK(STYLE == "block" || STYLE == "distributed" || STYLE == "auto",
               rlc_exp2_rom_illegal_STYLE_must_be_block_or_distributed_or_auto)

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
        rom[0] = 36'h000001632; rom[1] = 36'h0058c9639; rom[2] = 36'h00b1ad642; rom[3] = 36'h010ab5649;
        rom[4] = 36'h0163d9651; rom[5] = 36'h01bd1d659; rom[6] = 36'h021681660; rom[7] = 36'h027001668;
        rom[8] = 36'h02c9a1670; rom[9] = 36'h032361678; rom[10] = 36'h037d41680; rom[11] = 36'h03d741687;
        rom[12] = 36'h04315d68f; rom[13] = 36'h048b99697; rom[14] = 36'h04e5f569f; rom[15] = 36'h0540716a7;
        rom[16] = 36'h059b0d6ae; rom[17] = 36'h05f5c56b7; rom[18] = 36'h0650a16be; rom[19] = 36'h06ab996c6;
        rom[20] = 36'h0706b16ce; rom[21] = 36'h0761e96d6; rom[22] = 36'h07bd416de; rom[23] = 36'h0818b96e6;
        rom[24] = 36'h0874516ee; rom[25] = 36'h08d0096f5; rom[26] = 36'h092bdd6fe; rom[27] = 36'h0987d5706;
        rom[28] = 36'h09e3ed70d; rom[29] = 36'h0a4021716; rom[30] = 36'h0a9c7971e; rom[31] = 36'h0af8f1725;
        rom[32] = 36'h0b558572e; rom[33] = 36'h0bb23d736; rom[34] = 36'h0c0f1573d; rom[35] = 36'h0c6c09746;
        rom[36] = 36'h0cc92174e; rom[37] = 36'h0d2659756; rom[38] = 36'h0d83b175e; rom[39] = 36'h0de129766;
        rom[40] = 36'h0e3ec176f; rom[41] = 36'h0e9c7d776; rom[42] = 36'h0efa5577f; rom[43] = 36'h0f5851786;
        rom[44] = 36'h0fb66978f; rom[45] = 36'h1014a5797; rom[46] = 36'h10730179f; rom[47] = 36'h10d17d7a8;
        rom[48] = 36'h11301d7af; rom[49] = 36'h118ed97b8; rom[50] = 36'h11edb97c0; rom[51] = 36'h124cb97c8;
        rom[52] = 36'h12abd97d1; rom[53] = 36'h130b1d7d9; rom[54] = 36'h136a817e1; rom[55] = 36'h13ca057e9;
        rom[56] = 36'h1429a97f2; rom[57] = 36'h1489717fa; rom[58] = 36'h14e959802; rom[59] = 36'h15496180b;
        rom[60] = 36'h15a98d813; rom[61] = 36'h1609d981b; rom[62] = 36'h166a45823; rom[63] = 36'h16cad182c;
        rom[64] = 36'h172b81835; rom[65] = 36'h178c5583d; rom[66] = 36'h17ed49845; rom[67] = 36'h184e5d84d;
        rom[68] = 36'h18af91856; rom[69] = 36'h1910e985f; rom[70] = 36'h197265867; rom[71] = 36'h19d40186f;
        rom[72] = 36'h1a35bd878; rom[73] = 36'h1a979d880; rom[74] = 36'h1af99d889; rom[75] = 36'h1b5bc1892;
        rom[76] = 36'h1bbe09899; rom[77] = 36'h1c206d8a3; rom[78] = 36'h1c82f98ab; rom[79] = 36'h1ce5a58b3;
        rom[80] = 36'h1d48718bc; rom[81] = 36'h1dab618c5; rom[82] = 36'h1e0e758cd; rom[83] = 36'h1e71a98d6;
        rom[84] = 36'h1ed5018de; rom[85] = 36'h1f38798e8; rom[86] = 36'h1f9c198ef; rom[87] = 36'h1fffd58f9;
        rom[88] = 36'h2063b9901; rom[89] = 36'h20c7bd909; rom[90] = 36'h212be1913; rom[91] = 36'h21902d91b;
        rom[92] = 36'h21f499924; rom[93] = 36'h22592992c; rom[94] = 36'h22bdd9935; rom[95] = 36'h2322ad93e;
        rom[96] = 36'h2387a5947; rom[97] = 36'h23ecc194f; rom[98] = 36'h2451fd959; rom[99] = 36'h24b761961;
        rom[100] = 36'h251ce596a; rom[101] = 36'h25828d972; rom[102] = 36'h25e85597c; rom[103] = 36'h264e45984;
        rom[104] = 36'h26b45598d; rom[105] = 36'h271a89996; rom[106] = 36'h2780e199f; rom[107] = 36'h27e75d9a8;
        rom[108] = 36'h284dfd9b1; rom[109] = 36'h28b4c19b9; rom[110] = 36'h291ba59c3; rom[111] = 36'h2982b19cb;
        rom[112] = 36'h29e9dd9d5; rom[113] = 36'h2a51319dd; rom[114] = 36'h2ab8a59e6; rom[115] = 36'h2b203d9f0;
        rom[116] = 36'h2b87fd9f8; rom[117] = 36'h2befdda01; rom[118] = 36'h2c57e1a0b; rom[119] = 36'h2cc00da13;
        rom[120] = 36'h2d2859a1c; rom[121] = 36'h2d90c9a26; rom[122] = 36'h2df961a2e; rom[123] = 36'h2e6219a38;
        rom[124] = 36'h2ecaf9a41; rom[125] = 36'h2f33fda4a; rom[126] = 36'h2f9d25a53; rom[127] = 36'h300671a5c;
        rom[128] = 36'h306fe1a65; rom[129] = 36'h30d975a6e; rom[130] = 36'h31432da78; rom[131] = 36'h31ad0da80;
        rom[132] = 36'h32170da8a; rom[133] = 36'h328135a93; rom[134] = 36'h32eb81a9d; rom[135] = 36'h3355f5aa5;
        rom[136] = 36'h33c089aaf; rom[137] = 36'h342b45ab8; rom[138] = 36'h349625ac1; rom[139] = 36'h350129acb;
        rom[140] = 36'h356c55ad4; rom[141] = 36'h35d7a5add; rom[142] = 36'h364319ae6; rom[143] = 36'h36aeb1af0;
        rom[144] = 36'h371a71af9; rom[145] = 36'h378655b03; rom[146] = 36'h37f261b0c; rom[147] = 36'h385e91b15;
        rom[148] = 36'h38cae5b1f; rom[149] = 36'h393761b28; rom[150] = 36'h39a401b31; rom[151] = 36'h3a10c5b3b;
        rom[152] = 36'h3a7db1b45; rom[153] = 36'h3aeac5b4d; rom[154] = 36'h3b57f9b58; rom[155] = 36'h3bc559b60;
        rom[156] = 36'h3c32d9b6b; rom[157] = 36'h3ca085b73; rom[158] = 36'h3d0e51b7e; rom[159] = 36'h3d7c49b87;
        rom[160] = 36'h3dea65b90; rom[161] = 36'h3e58a5b9a; rom[162] = 36'h3ec70dba3; rom[163] = 36'h3f3599bad;
        rom[164] = 36'h3fa44dbb7; rom[165] = 36'h401329bc0; rom[166] = 36'h408229bca; rom[167] = 36'h40f151bd4;
        rom[168] = 36'h4160a1bdd; rom[169] = 36'h41d015be7; rom[170] = 36'h423fb1bf1; rom[171] = 36'h42af75bfa;
        rom[172] = 36'h431f5dc04; rom[173] = 36'h438f6dc0d; rom[174] = 36'h43ffa1c18; rom[175] = 36'h447001c21;
        rom[176] = 36'h44e085c2b; rom[177] = 36'h455131c34; rom[178] = 36'h45c201c3f; rom[179] = 36'h4632fdc48;
        rom[180] = 36'h46a41dc52; rom[181] = 36'h471565c5c; rom[182] = 36'h4786d5c66; rom[183] = 36'h47f86dc6f;
        rom[184] = 36'h486a29c7a; rom[185] = 36'h48dc11c83; rom[186] = 36'h494e1dc8d; rom[187] = 36'h49c051c97;
        rom[188] = 36'h4a32adca1; rom[189] = 36'h4aa531cab; rom[190] = 36'h4b17ddcb5; rom[191] = 36'h4b8ab1cbf;
        rom[192] = 36'h4bfdadcc8; rom[193] = 36'h4c70cdcd3; rom[194] = 36'h4ce419cdd; rom[195] = 36'h4d578dce7;
        rom[196] = 36'h4dcb29cf1; rom[197] = 36'h4e3eedcfa; rom[198] = 36'h4eb2d5d05; rom[199] = 36'h4f26e9d0f;
        rom[200] = 36'h4f9b25d19; rom[201] = 36'h500f89d23; rom[202] = 36'h508415d2e; rom[203] = 36'h50f8cdd37;
        rom[204] = 36'h516da9d41; rom[205] = 36'h51e2add4c; rom[206] = 36'h5257ddd56; rom[207] = 36'h52cd35d60;
        rom[208] = 36'h5342b5d6a; rom[209] = 36'h53b85dd74; rom[210] = 36'h542e2dd7f; rom[211] = 36'h54a429d89;
        rom[212] = 36'h551a4dd93; rom[213] = 36'h559099d9d; rom[214] = 36'h56070dda7; rom[215] = 36'h567da9db2;
        rom[216] = 36'h56f471dbc; rom[217] = 36'h576b61dc7; rom[218] = 36'h57e27ddd1; rom[219] = 36'h5859c1ddb;
        rom[220] = 36'h58d12dde5; rom[221] = 36'h5948c1df0; rom[222] = 36'h59c081dfa; rom[223] = 36'h5a3869e05;
        rom[224] = 36'h5ab07de0f; rom[225] = 36'h5b28b9e19; rom[226] = 36'h5ba11de24; rom[227] = 36'h5c19ade2f;
        rom[228] = 36'h5c9269e38; rom[229] = 36'h5d0b49e44; rom[230] = 36'h5d8459e4d; rom[231] = 36'h5dfd8de59;
        rom[232] = 36'h5e76f1e62; rom[233] = 36'h5ef079e6e; rom[234] = 36'h5f6a31e78; rom[235] = 36'h5fe411e82;
        rom[236] = 36'h605e19e8d; rom[237] = 36'h60d84de98; rom[238] = 36'h6152adea2; rom[239] = 36'h61cd35ead;
        rom[240] = 36'h6247e9eb8; rom[241] = 36'h62c2c9ec2; rom[242] = 36'h633dd1ecd; rom[243] = 36'h63b905ed7;
        rom[244] = 36'h643461ee2; rom[245] = 36'h64afe9eed; rom[246] = 36'h652b9def8; rom[247] = 36'h65a77df02;
        rom[248] = 36'h662385f0e; rom[249] = 36'h669fbdf17; rom[250] = 36'h671c19f23; rom[251] = 36'h6798a5f2e;
        rom[252] = 36'h68155df38; rom[253] = 36'h68923df43; rom[254] = 36'h690f49f4e; rom[255] = 36'h698c81f59;
        rom[256] = 36'h6a09e5f64; rom[257] = 36'h6a8775f6e; rom[258] = 36'h6b052df7a; rom[259] = 36'h6b8315f84;
        rom[260] = 36'h6c0125f8f; rom[261] = 36'h6c7f61f9b; rom[262] = 36'h6cfdcdfa5; rom[263] = 36'h6d7c61fb0;
        rom[264] = 36'h6dfb21fbb; rom[265] = 36'h6e7a0dfc7; rom[266] = 36'h6ef929fd1; rom[267] = 36'h6f786dfdc;
        rom[268] = 36'h6ff7ddfe8; rom[269] = 36'h70777dff2; rom[270] = 36'h70f745ffd; rom[271] = 36'h71773a009;
        rom[272] = 36'h71f75e014; rom[273] = 36'h7277ae01e; rom[274] = 36'h72f82602a; rom[275] = 36'h7378ce035;
        rom[276] = 36'h73f9a2041; rom[277] = 36'h747aa604b; rom[278] = 36'h74fbd2057; rom[279] = 36'h757d2e062;
        rom[280] = 36'h75feb606d; rom[281] = 36'h76806a078; rom[282] = 36'h77024a084; rom[283] = 36'h77845a08f;
        rom[284] = 36'h78069609a; rom[285] = 36'h7888fe0a5; rom[286] = 36'h790b920b1; rom[287] = 36'h798e560bc;
        rom[288] = 36'h7a11460c8; rom[289] = 36'h7a94660d2; rom[290] = 36'h7b17ae0df; rom[291] = 36'h7b9b2a0e9;
        rom[292] = 36'h7c1ece0f5; rom[293] = 36'h7ca2a2101; rom[294] = 36'h7d26a610c; rom[295] = 36'h7daad6117;
        rom[296] = 36'h7e2f32123; rom[297] = 36'h7eb3be12e; rom[298] = 36'h7f387613a; rom[299] = 36'h7fbd5e146;
        rom[300] = 36'h804276151; rom[301] = 36'h80c7ba15c; rom[302] = 36'h814d2a168; rom[303] = 36'h81d2ca174;
        rom[304] = 36'h82589a17f; rom[305] = 36'h82de9618b; rom[306] = 36'h8364c2196; rom[307] = 36'h83eb1a1a2;
        rom[308] = 36'h8471a21ae; rom[309] = 36'h84f85a1ba; rom[310] = 36'h857f421c5; rom[311] = 36'h8606561d1;
        rom[312] = 36'h868d9a1dc; rom[313] = 36'h87150a1e9; rom[314] = 36'h879cae1f4; rom[315] = 36'h88247e200;
        rom[316] = 36'h88ac7e20b; rom[317] = 36'h8934aa218; rom[318] = 36'h89bd0a223; rom[319] = 36'h8a459622f;
        rom[320] = 36'h8ace5223b; rom[321] = 36'h8b573e247; rom[322] = 36'h8be05a253; rom[323] = 36'h8c69a625f;
        rom[324] = 36'h8cf32226a; rom[325] = 36'h8d7cca277; rom[326] = 36'h8e06a6282; rom[327] = 36'h8e90ae28f;
        rom[328] = 36'h8f1aea29a; rom[329] = 36'h8fa5522a7; rom[330] = 36'h902fee2b2; rom[331] = 36'h90bab62be;
        rom[332] = 36'h9145ae2cb; rom[333] = 36'h91d0da2d7; rom[334] = 36'h925c362e2; rom[335] = 36'h92e7be2ef;
        rom[336] = 36'h93737a2fb; rom[337] = 36'h93ff66307; rom[338] = 36'h948b82313; rom[339] = 36'h9517ce31f;
        rom[340] = 36'h95a44a32c; rom[341] = 36'h9630fa338; rom[342] = 36'h96bdda344; rom[343] = 36'h974aea350;
        rom[344] = 36'h97d82a35c; rom[345] = 36'h98659a369; rom[346] = 36'h98f33e375; rom[347] = 36'h998112381;
        rom[348] = 36'h9a0f1638e; rom[349] = 36'h9a9d4e399; rom[350] = 36'h9b2bb23a7; rom[351] = 36'h9bba4e3b2;
        rom[352] = 36'h9c49163bf; rom[353] = 36'h9cd8123cc; rom[354] = 36'h9d67423d7; rom[355] = 36'h9df69e3e5;
        rom[356] = 36'h9e86323f0; rom[357] = 36'h9f15f23fd; rom[358] = 36'h9fa5e640a; rom[359] = 36'ha0360e416;
        rom[360] = 36'ha0c666423; rom[361] = 36'ha156f242f; rom[362] = 36'ha1e7ae43c; rom[363] = 36'ha2789e448;
        rom[364] = 36'ha309be455; rom[365] = 36'ha39b12461; rom[366] = 36'ha42c9646e; rom[367] = 36'ha4be4e47b;
        rom[368] = 36'ha5503a487; rom[369] = 36'ha5e256494; rom[370] = 36'ha674a64a1; rom[371] = 36'ha7072a4ae;
        rom[372] = 36'ha799e24ba; rom[373] = 36'ha82cca4c7; rom[374] = 36'ha8bfe64d3; rom[375] = 36'ha953324e1;
        rom[376] = 36'ha9e6b64ed; rom[377] = 36'haa7a6a4fa; rom[378] = 36'hab0e52507; rom[379] = 36'haba26e513;
        rom[380] = 36'hac36ba521; rom[381] = 36'haccb3e52d; rom[382] = 36'had5ff253a; rom[383] = 36'hadf4da548;
        rom[384] = 36'hae89fa554; rom[385] = 36'haf1f4a561; rom[386] = 36'hafb4ce56e; rom[387] = 36'hb04a8657b;
        rom[388] = 36'hb0e072588; rom[389] = 36'hb17692595; rom[390] = 36'hb20ce65a2; rom[391] = 36'hb2a36e5af;
        rom[392] = 36'hb33a2a5bc; rom[393] = 36'hb3d11a5ca; rom[394] = 36'hb468425d6; rom[395] = 36'hb4ff9a5e3;
        rom[396] = 36'hb597265f1; rom[397] = 36'hb62eea5fe; rom[398] = 36'hb6c6e260b; rom[399] = 36'hb75f0e618;
        rom[400] = 36'hb7f76e625; rom[401] = 36'hb89002633; rom[402] = 36'hb928ce640; rom[403] = 36'hb9c1ce64d;
        rom[404] = 36'hba5b0265a; rom[405] = 36'hbaf46a668; rom[406] = 36'hbb8e0a675; rom[407] = 36'hbc27de682;
        rom[408] = 36'hbcc1e6690; rom[409] = 36'hbd5c2669d; rom[410] = 36'hbdf69a6ab; rom[411] = 36'hbe91466b8;
        rom[412] = 36'hbf2c266c5; rom[413] = 36'hbfc73a6d3; rom[414] = 36'hc062866e0; rom[415] = 36'hc0fe066ee;
        rom[416] = 36'hc199be6fb; rom[417] = 36'hc235aa709; rom[418] = 36'hc2d1ce716; rom[419] = 36'hc36e26724;
        rom[420] = 36'hc40ab6731; rom[421] = 36'hc4a77a73f; rom[422] = 36'hc5447674d; rom[423] = 36'hc5e1aa75a;
        rom[424] = 36'hc67f12768; rom[425] = 36'hc71cb2775; rom[426] = 36'hc7ba86784; rom[427] = 36'hc85896790;
        rom[428] = 36'hc8f6d679f; rom[429] = 36'hc995527ad; rom[430] = 36'hca34067ba; rom[431] = 36'hcad2ee7c8;
        rom[432] = 36'hcb720e7d5; rom[433] = 36'hcc11627e4; rom[434] = 36'hccb0f27f1; rom[435] = 36'hcd50b67ff;
        rom[436] = 36'hcdf0b280e; rom[437] = 36'hce90ea81b; rom[438] = 36'hcf3156828; rom[439] = 36'hcfd1f6837;
        rom[440] = 36'hd072d2845; rom[441] = 36'hd113e6853; rom[442] = 36'hd1b532861; rom[443] = 36'hd256b686e;
        rom[444] = 36'hd2f86e87d; rom[445] = 36'hd39a6288b; rom[446] = 36'hd43c8e899; rom[447] = 36'hd4def28a7;
        rom[448] = 36'hd5818e8b5; rom[449] = 36'hd624628c3; rom[450] = 36'hd6c76e8d1; rom[451] = 36'hd76ab28df;
        rom[452] = 36'hd80e2e8ee; rom[453] = 36'hd8b1e68fc; rom[454] = 36'hd955d690a; rom[455] = 36'hd9f9fe918;
        rom[456] = 36'hda9e5e927; rom[457] = 36'hdb42fa934; rom[458] = 36'hdbe7ca944; rom[459] = 36'hdc8cda951;
        rom[460] = 36'hdd321e960; rom[461] = 36'hddd79e96e; rom[462] = 36'hde7d5697c; rom[463] = 36'hdf234698b;
        rom[464] = 36'hdfc972999; rom[465] = 36'he06fd69a8; rom[466] = 36'he116769b6; rom[467] = 36'he1bd4e9c4;
        rom[468] = 36'he2645e9d3; rom[469] = 36'he30baa9e2; rom[470] = 36'he3b3329f0; rom[471] = 36'he45af29ff;
        rom[472] = 36'he502eea0d; rom[473] = 36'he5ab22a1c; rom[474] = 36'he65392a2a; rom[475] = 36'he6fc3aa39;
        rom[476] = 36'he7a51ea48; rom[477] = 36'he84e3ea56; rom[478] = 36'he8f796a65; rom[479] = 36'he9a12aa74;
        rom[480] = 36'hea4afaa82; rom[481] = 36'heaf502a91; rom[482] = 36'heb9f46aa0; rom[483] = 36'hec49c6aaf;
        rom[484] = 36'hecf482abd; rom[485] = 36'hed9f76acd; rom[486] = 36'hee4aaaadb; rom[487] = 36'heef616aea;
        rom[488] = 36'hefa1beaf9; rom[489] = 36'hf04da2b08; rom[490] = 36'hf0f9c2b16; rom[491] = 36'hf1a61ab26;
        rom[492] = 36'hf252b2b35; rom[493] = 36'hf2ff86b43; rom[494] = 36'hf3ac92b53; rom[495] = 36'hf459deb61;
        rom[496] = 36'hf50762b71; rom[497] = 36'hf5b526b80; rom[498] = 36'hf66326b8f; rom[499] = 36'hf71162b9e;
        rom[500] = 36'hf7bfdabad; rom[501] = 36'hf86e8ebbc; rom[502] = 36'hf91d7ebcb; rom[503] = 36'hf9ccaabdb;
        rom[504] = 36'hfa7c16bea; rom[505] = 36'hfb2bbebf9; rom[506] = 36'hfbdba2c08; rom[507] = 36'hfc8bc2c18;
        rom[508] = 36'hfd3c22c27; rom[509] = 36'hfdecbec36; rom[510] = 36'hfe9d96c45; rom[511] = 36'hff4eaac56;
    end
endmodule
`default_nettype wire
