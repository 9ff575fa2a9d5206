import { bool, group, inherits, int, oneOf } from "#kit";

/** Server side: qemu-server `src/PVE/QemuServer/CPUConfig.pm`. */
export const memoryEncryption = {
  amd_sev: group(
    {
      type: inherits(oneOf(["std", "es", "snp"]), "amd-sev/type", "Generation of the technique.", { undo: "to_value" }),
      allow_smt: inherits(bool(), "amd-sev/allow-smt", "Whether hyper-threading is allowed."),
      kernel_hashes: inherits(bool(), "amd-sev/kernel-hashes", "Whether kernel hashes are added to the measurement."),
      no_debug: inherits(bool(), "amd-sev/no-debug", "Whether debugging is forbidden."),
      no_key_sharing: inherits(bool(), "amd-sev/no-key-sharing", "Whether keys may not be shared."),
    },
    "Memory encrypted by an AMD processor. Needs `root@pam`.",
  ),
  intel_tdx: group(
    {
      type: inherits(oneOf(["tdx"]), "intel-tdx/type", "The technique.", { undo: "to_value" }),
      attestation: inherits(bool(), "intel-tdx/attestation", "Whether attestation is offered.", { undo: "to_value" }),
      vsock_cid: inherits(int({ min: 2 }), "intel-tdx/vsock-cid", "Context of the quote service."),
      vsock_port: inherits(int({ min: 0 }), "intel-tdx/vsock-port", "Port of the quote service."),
    },
    "A trust domain of an Intel processor. Needs `root@pam`.",
  ),
} as const;
