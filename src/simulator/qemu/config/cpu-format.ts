import { die } from "../../core/kernel/failure.ts";
import { namedFormat } from "../../core/schema/format.ts";
import { type Parsed, propertyFormat } from "../../core/schema/property-string.ts";
import { boolean, integer, string } from "../../core/schema/schema.ts";
import { abstractCpuModels, cpuModels, newerCpuModels, vmCpuFlags } from "./cpu-models.ts";

// The `cpu` option and confidential computing: qemu-server `src/PVE/QemuServer/CPUConfig.pm`.

const physBitsFormat = namedFormat("pve-phys-bits", (value) => {
  const bits = Number(value);
  if (value !== "host" && !(/^\d{1,2}$/.test(value) && bits >= 8 && bits <= 64)) {
    die("value must be an integer between 8 and 64 or 'host'");
  }
});

const anyFlag = "[+-][a-zA-Z0-9\\-_.]+";
const allowedFlags = new RegExp(`^[+-](?:${vmCpuFlags.join("|")})(?:;[+-](?:${vmCpuFlags.join("|")}))*$`);
/** The description of the API lists fewer models for an option of a VM, which cannot name one of them anyway. */
const describedModels = cpuModels.filter((model) => !newerCpuModels.includes(model));
const builtInModels: ReadonlySet<string> = new Set([...cpuModels, ...abstractCpuModels]);

export function isCustomCpuModel(cputype: string): boolean {
  return cputype.startsWith("custom-");
}

/** `validate_vm_cpu_conf`. The existence of a custom model is checked where the cluster's models are available. */
function validateVmCpu(cpu: Parsed): Parsed {
  const { cputype = "", flags } = cpu;
  if (cputype === "") {
    die("CPU is missing cputype");
  }
  if (!isCustomCpuModel(cputype) && !builtInModels.has(cputype)) {
    die(`Built-in cputype '${cputype}' is not defined (missing 'custom-' prefix?)`);
  }
  if (flags !== undefined && !allowedFlags.test(flags)) {
    die(`VM-specific CPU flags must be a subset of: ${vmCpuFlags.join(", ")}`);
  }
  if (cpu["reported-model"] !== undefined) {
    die("Property 'reported-model' not allowed in VM-specific CPU config.");
  }
  return cpu;
}

export const cpuFormat = propertyFormat(
  {
    cputype: string({ optional: true, default: "kvm64", default_key: true }),
    "reported-model": string({ optional: true, enum: describedModels, default: "kvm64" }),
    hidden: boolean({ optional: true, default: 0 }),
    "hv-vendor-id": string({ optional: true, pattern: "[a-zA-Z0-9]{1,12}" }),
    flags: string({ optional: true, pattern: `${anyFlag}(?:;${anyFlag})*` }),
    "guest-phys-bits": integer({ optional: true, minimum: 32, maximum: 64 }),
    "phys-bits": string({ optional: true, format: physBitsFormat }),
    level: integer({ optional: true, minimum: 0, maximum: 4_294_967_295 }),
  },
  { name: "pve-vm-cpu-conf", validate: validateVmCpu },
);

const flag = (value: 0 | 1) => boolean({ optional: true, default: value });

export const amdSevFormat = propertyFormat(
  {
    type: string({ default_key: true, enum: ["std", "es", "snp"], maxLength: 3 }),
    "no-debug": flag(0),
    "no-key-sharing": flag(0),
    "allow-smt": flag(1),
    "kernel-hashes": flag(0),
  },
  { name: "pve-qemu-sev-fmt" },
);

export const intelTdxFormat = propertyFormat(
  {
    type: string({ default_key: true, enum: ["tdx"] }),
    attestation: boolean({ default: 1 }),
    "vsock-cid": integer({ optional: true, minimum: 2, default: 2 }),
    "vsock-port": integer({ optional: true, minimum: 0, default: 4050 }),
  },
  { name: "pve-qemu-tdx-fmt" },
);
