// rlc_reciprocal_rom.v — table of rlc_reciprocal: 512 words of 36 bits. Written by `rlcores generate` from its model; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// data       {node of 1 - 1/x in 22 bits, step in 14}, of the segment addr; units of 2^-23
// latency    2 clocks, the second a plain register that a RAM block has inside
// cost       one RAMB18E2, or one DP16KD; "distributed": about 300 LUT
`default_nettype none
`include "rlc_check.vh"
module rlc_reciprocal_rom #(
    parameter STYLE = "block"  // "block", "distributed" or "auto": the kind of memory asked of synthesis
) (
    input  wire        clk,
    input  wire [8:0]  addr,
    output wire [35:0] data
);
    `RLC_CHECK(STYLE == "block" || STYLE == "distributed" || STYLE == "auto",
               rlc_reciprocal_rom_illegal_STYLE_must_be_block_or_distributed_or_auto)

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
        rom[0] = 36'h000003fe4; rom[1] = 36'h00ff93fa0; rom[2] = 36'h01fe13f62; rom[3] = 36'h02fb9bf22;
        rom[4] = 36'h03f823ee4; rom[5] = 36'h04f3b3ea5; rom[6] = 36'h05ee47e68; rom[7] = 36'h06e7e7e2a;
        rom[8] = 36'h07e08fdee; rom[9] = 36'h08d847db0; rom[10] = 36'h09cf07d74; rom[11] = 36'h0ac4d7d38;
        rom[12] = 36'h0bb9b7cfd; rom[13] = 36'h0cadabcc1; rom[14] = 36'h0da0afc86; rom[15] = 36'h0e92c7c4b;
        rom[16] = 36'h0f83f3c11; rom[17] = 36'h107437bd7; rom[18] = 36'h116393b9d; rom[19] = 36'h125207b64;
        rom[20] = 36'h133f97b2b; rom[21] = 36'h142c43af2; rom[22] = 36'h15180bab9; rom[23] = 36'h1602efa82;
        rom[24] = 36'h16ecf7a4a; rom[25] = 36'h17d61fa12; rom[26] = 36'h18be679db; rom[27] = 36'h19a5d39a4;
        rom[28] = 36'h1a8c6396e; rom[29] = 36'h1b721b937; rom[30] = 36'h1c56f7902; rom[31] = 36'h1d3aff8cc;
        rom[32] = 36'h1e1e2f896; rom[33] = 36'h1f0087862; rom[34] = 36'h1fe20f82d; rom[35] = 36'h20c2c37f8;
        rom[36] = 36'h21a2a37c4; rom[37] = 36'h2281b3790; rom[38] = 36'h235ff375c; rom[39] = 36'h243d63729;
        rom[40] = 36'h251a076f6; rom[41] = 36'h25f5df6c4; rom[42] = 36'h26d0ef690; rom[43] = 36'h27ab2f65f;
        rom[44] = 36'h2884ab62c; rom[45] = 36'h295d5b5fb; rom[46] = 36'h2a35475c9; rom[47] = 36'h2b0c6b599;
        rom[48] = 36'h2be2cf567; rom[49] = 36'h2cb86b536; rom[50] = 36'h2d8d43507; rom[51] = 36'h2e615f4d6;
        rom[52] = 36'h2f34b74a6; rom[53] = 36'h30074f477; rom[54] = 36'h30d92b447; rom[55] = 36'h31aa47418;
        rom[56] = 36'h327aa73e9; rom[57] = 36'h334a4b3bb; rom[58] = 36'h34193738c; rom[59] = 36'h34e76735e;
        rom[60] = 36'h35b4df330; rom[61] = 36'h36819f302; rom[62] = 36'h374da72d5; rom[63] = 36'h3818fb2a8;
        rom[64] = 36'h38e39b27b; rom[65] = 36'h39ad8724f; rom[66] = 36'h3a76c3221; rom[67] = 36'h3b3f471f6;
        rom[68] = 36'h3c071f1c9; rom[69] = 36'h3cce4319e; rom[70] = 36'h3d94bb172; rom[71] = 36'h3e5a83147;
        rom[72] = 36'h3f1f9f11b; rom[73] = 36'h3fe40b0f1; rom[74] = 36'h40a7cf0c6; rom[75] = 36'h416ae709b;
        rom[76] = 36'h422d53072; rom[77] = 36'h42ef1b047; rom[78] = 36'h43b03701d; rom[79] = 36'h4470aaff4;
        rom[80] = 36'h45307afcb; rom[81] = 36'h45efa6fa1; rom[82] = 36'h46ae2af78; rom[83] = 36'h476c0af50;
        rom[84] = 36'h48294af26; rom[85] = 36'h48e5e2eff; rom[86] = 36'h49a1deed6; rom[87] = 36'h4a5d36eaf;
        rom[88] = 36'h4b17f2e86; rom[89] = 36'h4bd20ae5f; rom[90] = 36'h4c8b86e38; rom[91] = 36'h4d4466e10;
        rom[92] = 36'h4dfca6dea; rom[93] = 36'h4eb44edc3; rom[94] = 36'h4f6b5ad9c; rom[95] = 36'h5021cad75;
        rom[96] = 36'h50d79ed50; rom[97] = 36'h518cded29; rom[98] = 36'h524182d04; rom[99] = 36'h52f592cde;
        rom[100] = 36'h53a90acb8; rom[101] = 36'h545beac94; rom[102] = 36'h550e3ac6e; rom[103] = 36'h55bff2c49;
        rom[104] = 36'h567116c24; rom[105] = 36'h5721a6c00; rom[106] = 36'h57d1a6bdb; rom[107] = 36'h588112bb8;
        rom[108] = 36'h592ff2b93; rom[109] = 36'h59de3eb6f; rom[110] = 36'h5a8bfab4c; rom[111] = 36'h5b392ab28;
        rom[112] = 36'h5be5cab05; rom[113] = 36'h5c91deae1; rom[114] = 36'h5d3d62abf; rom[115] = 36'h5de85ea9b;
        rom[116] = 36'h5e92caa79; rom[117] = 36'h5f3caea57; rom[118] = 36'h5fe60aa34; rom[119] = 36'h608edaa12;
        rom[120] = 36'h6137229f0; rom[121] = 36'h61dee29ce; rom[122] = 36'h62861a9ac; rom[123] = 36'h632cca98b;
        rom[124] = 36'h63d2f6969; rom[125] = 36'h64789a948; rom[126] = 36'h651dba927; rom[127] = 36'h65c256907;
        rom[128] = 36'h6666728e5; rom[129] = 36'h670a068c5; rom[130] = 36'h67ad1a8a4; rom[131] = 36'h684faa884;
        rom[132] = 36'h68f1ba864; rom[133] = 36'h69934a844; rom[134] = 36'h6a345a824; rom[135] = 36'h6ad4ea804;
        rom[136] = 36'h6b74fa7e5; rom[137] = 36'h6c148e7c5; rom[138] = 36'h6cb3a27a6; rom[139] = 36'h6d523a787;
        rom[140] = 36'h6df056768; rom[141] = 36'h6e8df6749; rom[142] = 36'h6f2b1a72a; rom[143] = 36'h6fc7c270c;
        rom[144] = 36'h7063f26ed; rom[145] = 36'h70ffa66cf; rom[146] = 36'h719ae26b1; rom[147] = 36'h7235a6693;
        rom[148] = 36'h72cff2675; rom[149] = 36'h7369c6657; rom[150] = 36'h740322639; rom[151] = 36'h749c0661d;
        rom[152] = 36'h75347a5fe; rom[153] = 36'h75cc725e2; rom[154] = 36'h7663fa5c4; rom[155] = 36'h76fb0a5a8;
        rom[156] = 36'h7791aa58b; rom[157] = 36'h7827d656e; rom[158] = 36'h78bd8e551; rom[159] = 36'h7952d2535;
        rom[160] = 36'h79e7a6519; rom[161] = 36'h7a7c0a4fd; rom[162] = 36'h7b0ffe4e0; rom[163] = 36'h7ba37e4c5;
        rom[164] = 36'h7c36924a9; rom[165] = 36'h7cc93648d; rom[166] = 36'h7d5b6a471; rom[167] = 36'h7ded2e456;
        rom[168] = 36'h7e7e8643b; rom[169] = 36'h7f0f72420; rom[170] = 36'h7f9ff2404; rom[171] = 36'h8030023ea;
        rom[172] = 36'h80bfaa3ce; rom[173] = 36'h814ee23b4; rom[174] = 36'h81ddb239a; rom[175] = 36'h826c1a37f;
        rom[176] = 36'h82fa16364; rom[177] = 36'h8387a634a; rom[178] = 36'h8414ce330; rom[179] = 36'h84a18e316;
        rom[180] = 36'h852de62fd; rom[181] = 36'h85b9da2e2; rom[182] = 36'h8645622c9; rom[183] = 36'h86d0862af;
        rom[184] = 36'h875b42295; rom[185] = 36'h87e59627c; rom[186] = 36'h886f86263; rom[187] = 36'h88f91224a;
        rom[188] = 36'h89823a231; rom[189] = 36'h8a0afe218; rom[190] = 36'h8a935e1fe; rom[191] = 36'h8b1b561e7;
        rom[192] = 36'h8ba2f21cd; rom[193] = 36'h8c2a261b5; rom[194] = 36'h8cb0fa19d; rom[195] = 36'h8d376e185;
        rom[196] = 36'h8dbd8216c; rom[197] = 36'h8e4332154; rom[198] = 36'h8ec88213c; rom[199] = 36'h8f4d72124;
        rom[200] = 36'h8fd20210c; rom[201] = 36'h9056320f5; rom[202] = 36'h90da060dd; rom[203] = 36'h915d7a0c6;
        rom[204] = 36'h91e0920ae; rom[205] = 36'h92634a097; rom[206] = 36'h92e5a6080; rom[207] = 36'h9367a6068;
        rom[208] = 36'h93e946052; rom[209] = 36'h946a8e03a; rom[210] = 36'h94eb76024; rom[211] = 36'h956c0600d;
        rom[212] = 36'h95ec39ff7; rom[213] = 36'h966c15fdf; rom[214] = 36'h96eb91fca; rom[215] = 36'h976ab9fb3;
        rom[216] = 36'h97e985f9d; rom[217] = 36'h9867f9f87; rom[218] = 36'h98e615f70; rom[219] = 36'h9963d5f5b;
        rom[220] = 36'h99e141f44; rom[221] = 36'h9a5e51f2f; rom[222] = 36'h9adb0df19; rom[223] = 36'h9b5771f04;
        rom[224] = 36'h9bd381eee; rom[225] = 36'h9c4f39ed8; rom[226] = 36'h9cca99ec4; rom[227] = 36'h9d45a9ead;
        rom[228] = 36'h9dc05de99; rom[229] = 36'h9e3ac1e84; rom[230] = 36'h9eb4d1e6e; rom[231] = 36'h9f2e89e5a;
        rom[232] = 36'h9fa7f1e45; rom[233] = 36'ha02105e2f; rom[234] = 36'ha099c1e1c; rom[235] = 36'ha11231e06;
        rom[236] = 36'ha18a49df3; rom[237] = 36'ha20215ddd; rom[238] = 36'ha27989dca; rom[239] = 36'ha2f0b1db5;
        rom[240] = 36'ha36785da0; rom[241] = 36'ha3de05d8d; rom[242] = 36'ha45439d79; rom[243] = 36'ha4ca1dd65;
        rom[244] = 36'ha53fb1d50; rom[245] = 36'ha5b4f1d3d; rom[246] = 36'ha629e5d2a; rom[247] = 36'ha69e8dd15;
        rom[248] = 36'ha712e1d03; rom[249] = 36'ha786edcee; rom[250] = 36'ha7faa5cdb; rom[251] = 36'ha86e11cc8;
        rom[252] = 36'ha8e131cb5; rom[253] = 36'ha95405ca1; rom[254] = 36'ha9c689c8f; rom[255] = 36'haa38c5c7b;
        rom[256] = 36'haaaab1c68; rom[257] = 36'hab1c51c56; rom[258] = 36'hab8da9c42; rom[259] = 36'habfeb1c30;
        rom[260] = 36'hac6f71c1d; rom[261] = 36'hacdfe5c0b; rom[262] = 36'had5011bf8; rom[263] = 36'hadbff1be5;
        rom[264] = 36'hae2f85bd4; rom[265] = 36'hae9ed5bc1; rom[266] = 36'haf0dd9bae; rom[267] = 36'haf7c91b9d;
        rom[268] = 36'hafeb05b8a; rom[269] = 36'hb0592db79; rom[270] = 36'hb0c711b66; rom[271] = 36'hb134a9b55;
        rom[272] = 36'hb1a1fdb42; rom[273] = 36'hb20f05b31; rom[274] = 36'hb27bc9b1f; rom[275] = 36'hb2e845b0e;
        rom[276] = 36'hb3547dafc; rom[277] = 36'hb3c06daeb; rom[278] = 36'hb42c19ad9; rom[279] = 36'hb4977dac8;
        rom[280] = 36'hb5029dab6; rom[281] = 36'hb56d75aa5; rom[282] = 36'hb5d809a94; rom[283] = 36'hb64259a84;
        rom[284] = 36'hb6ac69a71; rom[285] = 36'hb7162da62; rom[286] = 36'hb77fb5a50; rom[287] = 36'hb7e8f5a3f;
        rom[288] = 36'hb851f1a2e; rom[289] = 36'hb8baa9a1e; rom[290] = 36'hb92321a0d; rom[291] = 36'hb98b559fd;
        rom[292] = 36'hb9f3499ec; rom[293] = 36'hba5af99db; rom[294] = 36'hbac2659cc; rom[295] = 36'hbb29959ba;
        rom[296] = 36'hbb907d9ab; rom[297] = 36'hbbf72999a; rom[298] = 36'hbc5d9198a; rom[299] = 36'hbcc3b997a;
        rom[300] = 36'hbd29a196a; rom[301] = 36'hbd8f4995a; rom[302] = 36'hbdf4b194a; rom[303] = 36'hbe59d993b;
        rom[304] = 36'hbebec592a; rom[305] = 36'hbf236d91b; rom[306] = 36'hbf87d990b; rom[307] = 36'hbfec058fb;
        rom[308] = 36'hc04ff18ec; rom[309] = 36'hc0b3a18dc; rom[310] = 36'hc117118cd; rom[311] = 36'hc17a458bd;
        rom[312] = 36'hc1dd398ae; rom[313] = 36'hc23ff189f; rom[314] = 36'hc2a26d88f; rom[315] = 36'hc304a9880;
        rom[316] = 36'hc366a9871; rom[317] = 36'hc3c86d863; rom[318] = 36'hc429f9853; rom[319] = 36'hc48b45844;
        rom[320] = 36'hc4ec55835; rom[321] = 36'hc54d29826; rom[322] = 36'hc5adc1818; rom[323] = 36'hc60e21808;
        rom[324] = 36'hc66e417fa; rom[325] = 36'hc6ce297ec; rom[326] = 36'hc72dd97dc; rom[327] = 36'hc78d497cf;
        rom[328] = 36'hc7ec857bf; rom[329] = 36'hc84b817b2; rom[330] = 36'hc8aa497a3; rom[331] = 36'hc908d5794;
        rom[332] = 36'hc96725786; rom[333] = 36'hc9c53d778; rom[334] = 36'hca231d76a; rom[335] = 36'hca80c575c;
        rom[336] = 36'hcade3574e; rom[337] = 36'hcb3b6d73f; rom[338] = 36'hcb9869732; rom[339] = 36'hcbf531723;
        rom[340] = 36'hcc51bd716; rom[341] = 36'hccae15708; rom[342] = 36'hcd0a356fa; rom[343] = 36'hcd661d6ed;
        rom[344] = 36'hcdc1d16de; rom[345] = 36'hce1d496d1; rom[346] = 36'hce788d6c4; rom[347] = 36'hced39d6b6;
        rom[348] = 36'hcf2e756a8; rom[349] = 36'hcf891569b; rom[350] = 36'hcfe38168e; rom[351] = 36'hd03db9680;
        rom[352] = 36'hd097b9673; rom[353] = 36'hd0f185665; rom[354] = 36'hd14b19659; rom[355] = 36'hd1a47d64b;
        rom[356] = 36'hd1fda963e; rom[357] = 36'hd256a1631; rom[358] = 36'hd2af65624; rom[359] = 36'hd307f5617;
        rom[360] = 36'hd3605160a; rom[361] = 36'hd3b8795fd; rom[362] = 36'hd4106d5f0; rom[363] = 36'hd4682d5e3;
        rom[364] = 36'hd4bfb95d7; rom[365] = 36'hd517155c9; rom[366] = 36'hd56e395be; rom[367] = 36'hd5c5315b0;
        rom[368] = 36'hd61bf15a4; rom[369] = 36'hd67281597; rom[370] = 36'hd6c8dd58b; rom[371] = 36'hd71f0957e;
        rom[372] = 36'hd77501572; rom[373] = 36'hd7cac9566; rom[374] = 36'hd82061559; rom[375] = 36'hd875c554d;
        rom[376] = 36'hd8caf9540; rom[377] = 36'hd91ff9535; rom[378] = 36'hd974cd528; rom[379] = 36'hd9c96d51c;
        rom[380] = 36'hda1ddd510; rom[381] = 36'hda721d504; rom[382] = 36'hdac62d4f8; rom[383] = 36'hdb1a0d4eb;
        rom[384] = 36'hdb6db94e0; rom[385] = 36'hdbc1394d4; rom[386] = 36'hdc14894c9; rom[387] = 36'hdc67ad4bc;
        rom[388] = 36'hdcba9d4b0; rom[389] = 36'hdd0d5d4a5; rom[390] = 36'hdd5ff1499; rom[391] = 36'hddb25548e;
        rom[392] = 36'hde048d482; rom[393] = 36'hde5695476; rom[394] = 36'hdea86d46a; rom[395] = 36'hdefa15460;
        rom[396] = 36'hdf4b95453; rom[397] = 36'hdf9ce1448; rom[398] = 36'hdfee0143d; rom[399] = 36'he03ef5432;
        rom[400] = 36'he08fbd426; rom[401] = 36'he0e05541b; rom[402] = 36'he130c140f; rom[403] = 36'he180fd405;
        rom[404] = 36'he1d1113f9; rom[405] = 36'he220f53ee; rom[406] = 36'he270ad3e3; rom[407] = 36'he2c0393d8;
        rom[408] = 36'he30f993cd; rom[409] = 36'he35ecd3c2; rom[410] = 36'he3add53b7; rom[411] = 36'he3fcb13ac;
        rom[412] = 36'he44b613a1; rom[413] = 36'he499e5396; rom[414] = 36'he4e83d38b; rom[415] = 36'he53669381;
        rom[416] = 36'he5846d376; rom[417] = 36'he5d24536b; rom[418] = 36'he61ff1361; rom[419] = 36'he66d75356;
        rom[420] = 36'he6bacd34b; rom[421] = 36'he707f9341; rom[422] = 36'he754fd336; rom[423] = 36'he7a1d532b;
        rom[424] = 36'he7ee81322; rom[425] = 36'he83b09316; rom[426] = 36'he8876130d; rom[427] = 36'he8d395302;
        rom[428] = 36'he91f9d2f7; rom[429] = 36'he96b792ed; rom[430] = 36'he9b72d2e3; rom[431] = 36'hea02b92d9;
        rom[432] = 36'hea4e1d2cf; rom[433] = 36'hea99592c4; rom[434] = 36'heae4692ba; rom[435] = 36'heb2f512b0;
        rom[436] = 36'heb7a112a6; rom[437] = 36'hebc4a929c; rom[438] = 36'hec0f19292; rom[439] = 36'hec5961288;
        rom[440] = 36'heca38127e; rom[441] = 36'heced79274; rom[442] = 36'hed374926b; rom[443] = 36'hed80f5260;
        rom[444] = 36'hedca75257; rom[445] = 36'hee13d124c; rom[446] = 36'hee5d01243; rom[447] = 36'heea60d239;
        rom[448] = 36'heeeef1230; rom[449] = 36'hef37b1226; rom[450] = 36'hef804921c; rom[451] = 36'hefc8b9212;
        rom[452] = 36'hf01101209; rom[453] = 36'hf05925200; rom[454] = 36'hf0a1251f6; rom[455] = 36'hf0e8fd1ec;
        rom[456] = 36'hf130ad1e3; rom[457] = 36'hf178391d9; rom[458] = 36'hf1bf9d1d0; rom[459] = 36'hf206dd1c7;
        rom[460] = 36'hf24df91bd; rom[461] = 36'hf294ed1b4; rom[462] = 36'hf2dbbd1ab; rom[463] = 36'hf322691a1;
        rom[464] = 36'hf368ed199; rom[465] = 36'hf3af5118e; rom[466] = 36'hf3f589186; rom[467] = 36'hf43ba117d;
        rom[468] = 36'hf48195173; rom[469] = 36'hf4c76116b; rom[470] = 36'hf50d0d161; rom[471] = 36'hf55291158;
        rom[472] = 36'hf597f1150; rom[473] = 36'hf5dd31146; rom[474] = 36'hf6224913d; rom[475] = 36'hf6673d135;
        rom[476] = 36'hf6ac1112b; rom[477] = 36'hf6f0bd123; rom[478] = 36'hf73549119; rom[479] = 36'hf779ad111;
        rom[480] = 36'hf7bdf1109; rom[481] = 36'hf802150ff; rom[482] = 36'hf846110f6; rom[483] = 36'hf889e90ee;
        rom[484] = 36'hf8cda10e6; rom[485] = 36'hf911390dc; rom[486] = 36'hf954a90d4; rom[487] = 36'hf997f90cb;
        rom[488] = 36'hf9db250c3; rom[489] = 36'hfa1e310ba; rom[490] = 36'hfa61190b2; rom[491] = 36'hfaa3e10a9;
        rom[492] = 36'hfae6850a0; rom[493] = 36'hfb2905098; rom[494] = 36'hfb6b65090; rom[495] = 36'hfbada5087;
        rom[496] = 36'hfbefc107f; rom[497] = 36'hfc31bd077; rom[498] = 36'hfc739906e; rom[499] = 36'hfcb551066;
        rom[500] = 36'hfcf6e905d; rom[501] = 36'hfd385d056; rom[502] = 36'hfd79b504d; rom[503] = 36'hfdbae9044;
        rom[504] = 36'hfdfbf903d; rom[505] = 36'hfe3ced035; rom[506] = 36'hfe7dc102c; rom[507] = 36'hfebe71024;
        rom[508] = 36'hfeff0101c; rom[509] = 36'hff3f71014; rom[510] = 36'hff7fc100c; rom[511] = 36'hffbff1004;
    end
endmodule
`default_nettype wire
