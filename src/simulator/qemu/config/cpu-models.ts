/**
 * CPU models of QEMU 11.0 for both architectures plus `host` (qemu-server `src/PVE/QemuServer/CPUConfig.pm`), in the
 * order of PVE's messages.
 */
export const cpuModels = `
  486 a64fx athlon Broadwell Broadwell-IBRS Broadwell-noTSX Broadwell-noTSX-IBRS Cascadelake-Server
  Cascadelake-Server-noTSX Cascadelake-Server-v2 Cascadelake-Server-v4 Cascadelake-Server-v5 ClearwaterForest
  ClearwaterForest-v2 ClearwaterForest-v3 Conroe Cooperlake Cooperlake-v2 core2duo coreduo cortex-a35 cortex-a53
  cortex-a55 cortex-a57 cortex-a710 cortex-a72 cortex-a76 cortex-a78ae DiamondRapids EPYC EPYC-Genoa EPYC-Genoa-v2
  EPYC-IBPB EPYC-Milan EPYC-Milan-v2 EPYC-Milan-v3 EPYC-Rome EPYC-Rome-v2 EPYC-Rome-v3 EPYC-Rome-v4 EPYC-Rome-v5
  EPYC-Turin EPYC-v3 EPYC-v4 EPYC-v5 GraniteRapids GraniteRapids-v2 GraniteRapids-v3 GraniteRapids-v4
  GraniteRapids-v5 Haswell Haswell-IBRS Haswell-noTSX Haswell-noTSX-IBRS host Icelake-Client Icelake-Client-noTSX
  Icelake-Server Icelake-Server-noTSX Icelake-Server-v3 Icelake-Server-v4 Icelake-Server-v5 Icelake-Server-v6
  Icelake-Server-v7 IvyBridge IvyBridge-IBRS KnightsMill kvm32 kvm64 max Nehalem Nehalem-IBRS neoverse-n1
  neoverse-n2 neoverse-v1 Opteron_G1 Opteron_G2 Opteron_G3 Opteron_G4 Opteron_G5 Penryn pentium pentium2 pentium3
  phenom qemu32 qemu64 SandyBridge SandyBridge-IBRS SapphireRapids SapphireRapids-v2 SapphireRapids-v3
  SapphireRapids-v4 SapphireRapids-v5 SapphireRapids-v6 SierraForest SierraForest-v2 SierraForest-v3
  SierraForest-v4 SierraForest-v5 Skylake-Client Skylake-Client-IBRS Skylake-Client-noTSX-IBRS Skylake-Client-v4
  Skylake-Server Skylake-Server-IBRS Skylake-Server-noTSX-IBRS Skylake-Server-v4 Skylake-Server-v5 Westmere
  Westmere-IBRS
`
  .trim()
  .split(/\s+/);

/** Models that came with the QEMU of 9.2. */
export const newerCpuModels: readonly string[] = [
  "ClearwaterForest-v2",
  "ClearwaterForest-v3",
  "cortex-a78ae",
  "DiamondRapids",
  "GraniteRapids-v4",
  "GraniteRapids-v5",
  "SapphireRapids-v5",
  "SapphireRapids-v6",
  "SierraForest-v4",
  "SierraForest-v5",
];

/** Models that PVE composes from `qemu64` and a list of flags. */
export const abstractCpuModels = ["x86-64-v2", "x86-64-v2-AES", "x86-64-v3", "x86-64-v4"] as const;

/** Flags that a VM's own `cpu` option may contain (qemu-server `src/PVE/QemuServer/CPUFlags.pm`). */
export const vmCpuFlags = [
  "aes",
  "amd-no-ssb",
  "amd-ssbd",
  "hv-evmcs",
  "hv-tlbflush",
  "ibpb",
  "md-clear",
  "nested-virt",
  "pcid",
  "pdpe1gb",
  "spec-ctrl",
  "ssbd",
  "virt-ssbd",
] as const;
