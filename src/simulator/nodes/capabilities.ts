import { endpoint } from "../core/kernel/endpoint.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import { isBefore } from "../core/world/release.ts";
import { abstractCpuModels, cpuModels, newerCpuModels, vmCpuFlags } from "../qemu/config/cpu-models.ts";

// The capabilities of QEMU on the node: qemu-server `src/PVE/API2/Qemu/{CPU,CPUFlags,Machine}.pm`.

const arch = string({ optional: true, enum: ["x86_64", "aarch64"] });
const isArm = (model: string) => /^(?:a64fx|cortex-|neoverse-)/.test(model);
const general = ["host", "kvm32", "kvm64", "max", "qemu32", "qemu64"];

function vendorOf(model: string): string {
  if (general.includes(model)) {
    return "default";
  }
  if (isArm(model)) {
    return "ARM";
  }
  return /^(?:athlon|phenom|EPYC|Opteron)/.test(model) ? "AuthenticAMD" : "GenuineIntel";
}

/** QEMU machine versions, newest first, with the revisions that PVE adds to some. */
const machineVersions = `11.0+pve2 11.0+pve1 11.0 10.2 10.1 10.0+pve1 10.0 9.2+pve1 9.2 9.1 9.0 8.2 8.1 8.0 7.2`.split(
  " ",
);

const common = { method: "GET", permissions: { user: "all" } } as const;

export const capabilityEndpoints = [
  indexEndpoint("/nodes/{node}/capabilities", "name", ["qemu"], { proxyTo: "node" }),
  indexEndpoint("/nodes/{node}/capabilities/qemu", "name", ["cpu", "cpu-flags", "machines", "migration"], {
    proxyTo: "node",
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/capabilities/qemu/cpu",
    parameters: { node, arch },
    handler: ({ params, world }) => {
      const custom = Object.entries(world.cpuModels).map(([name, { options }]) => ({
        name: `custom-${name}`,
        custom: 1,
        vendor: vendorOf(String(options["reported-model"] ?? "kvm64")),
      }));
      const wantsArm = params.arch === "aarch64";
      const isOlder = isBefore(world, "9.2", "qemu");
      const known = cpuModels.filter((model) => !isOlder || !newerCpuModels.includes(model));
      const builtIn = known.filter(
        (model) => isArm(model) === wantsArm || model === "max" || (model === "host" && !wantsArm),
      );
      return [
        ...builtIn.map((name) => ({ name, custom: 0, vendor: vendorOf(name) })),
        ...custom,
        ...(wantsArm ? [] : abstractCpuModels.map((name) => ({ name, custom: 0, vendor: "default", abstract: 1 }))),
      ];
    },
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/capabilities/qemu/cpu-flags",
    parameters: { node, arch, accel: string({ optional: true, enum: ["kvm", "tcg"], default: "kvm" }) },
    handler: ({ world }) => vmCpuFlags.map((name) => ({ name, "supported-on": Object.keys(world.nodes) })),
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/capabilities/qemu/machines",
    proxyTo: "node",
    parameters: { node, arch },
    handler: ({ params }) =>
      machineVersions.flatMap((version) =>
        (params.arch === "aarch64" ? ["virt"] : ["i440fx", "q35"]).map((type) => ({
          id: type === "virt" ? `virt-${version}` : `pc-${type}-${version}`,
          type,
          version,
        })),
      ),
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/capabilities/qemu/migration",
    proxyTo: "node",
    permissions: { check: ["perm", "/nodes/{node}", ["Sys.Audit"]] },
    parameters: { node },
    handler: () => ({ "has-dbus-vmstate": 1 }),
  }),
];
