import { bool, group, inherits, int, matches, number, oneOf, set, string } from "#kit";

const flag = string({ check: matches(/^[+-][a-z0-9-]+$/, "a flag to switch on or off, such as `+aes` or `-pcid`") });
const cpuSet = string({ check: matches(/^\d+(-\d+)?(,\d+(-\d+)?)*$/, "processor numbers such as `0,5,8-11`") });

/** Server side: qemu-server `src/PVE/QemuServer/CPUConfig.pm`. */
export const cpu = {
  cpu: group(
    {
      cores: inherits(int({ min: 1 }), "cores", "Cores per socket.", { always: true }),
      sockets: inherits(int({ min: 1 }), "sockets", "Sockets.", { always: true }),
      type: inherits(string(), "cpu/cputype", "Emulated processor, such as `host`, `x86-64-v3` or `custom-<name>`."),
      flags: inherits(set(flag), "cpu/flags", "Features to switch on (`+aes`) or off (`-pcid`)."),
      vcpus: inherits(
        int({ min: 1 }),
        "vcpus",
        "Virtual processors plugged in at start; the others can be added live.",
      ),
      limit: inherits(number({ min: 0, max: 128 }), "cpulimit", "Processor time in cores; `0` is no limit."),
      // More is stored as 10000 on hosts with cgroup v2, which PVE 9 requires.
      units: inherits(int({ min: 1, max: 10_000 }), "cpuunits", "Weight against other guests."),
      numa: inherits(bool(), "numa", "Whether the guest sees NUMA nodes."),
      affinity: inherits(cpuSet, "affinity", "Host processors to run on, such as `0,5,8-11`. Needs `root@pam`."),
      architecture: inherits(oneOf(["x86_64", "aarch64"]), "arch", "Processor architecture. Needs `root@pam`."),
      hidden: inherits(bool(), "cpu/hidden", "Whether the guest is kept from noticing the hypervisor."),
      hv_vendor_id: inherits(
        string({ check: matches(/^[A-Za-z0-9]{1,12}$/, "1 to 12 letters and digits") }),
        "cpu/hv-vendor-id",
        "Vendor shown to Windows guests.",
      ),
      phys_bits: inherits(
        string({ check: matches(/^(host|[89]|[1-5]\d|6[0-4])$/, "a number from 8 to 64, or `host`") }),
        "cpu/phys-bits",
        "Physical address bits, or `host`.",
      ),
      guest_phys_bits: inherits(
        int({ min: 32, max: 64 }),
        "cpu/guest-phys-bits",
        "Physical address bits in the guest.",
      ),
      level: inherits(int({ min: 0, max: 4_294_967_295 }), "cpu/level", "Highest CPUID leaf the guest sees."),
    },
    "Processors.",
  ),
} as const;
