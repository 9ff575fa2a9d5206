import { isUnforeseeable } from "../../test/contract/crud/bench.ts";
import { handRows } from "../../test/contract/crud/hand-rows.ts";
import { withValue } from "../../test/contract/crud/row.ts";
import { type Case, casesOf, rows } from "../../test/contract/crud/rows.ts";
import { settingsRows } from "../../test/contract/crud/settings-rows.ts";
import { attribute } from "../../test/contract/resource-bench.ts";
import type { Core, Input, Instance } from "../../test/harness/index.ts";

/** Leads objects from nothing to nothing, as the lane of that name; resolves to the number of operations. */
export type Life = (core: Core, name: string, round: number) => Promise<number>;

/** How often each configuration is validated, read and planned again. */
const looks = 3;

/** One object through all these configurations. */
async function lead(core: Core, type: string, configs: readonly Input[], within?: (now: Instance) => Promise<number>) {
  const resource = core.resource(type);
  let now: Instance | null = null;
  let operations = 0;
  for (const config of configs) {
    now = await resource.apply(await resource.plan(now, config), config);
    for (let look = 0; look < looks; look++) {
      await resource.validate(config);
      now = await resource.refresh(now);
      await resource.plan(now, config);
    }
    operations += 2 + 3 * looks;
  }
  if (now === null) return operations;
  operations += (await within?.(now)) ?? 0;
  await resource.destroy(now);
  return operations + 1;
}

// Lanes plan and apply beside each other in one process, where a second plan of a name is one of another guest.
const stopped = { power: "stopped", allow_duplicate_name: true };

/** A VM with a disk of its own, a snapshot and a firewall. */
export const vmLife: Life = (core, name, round) => {
  const config = (cores: number, disks = {}) =>
    ({ ...stopped, name, clone: { template: "debian-13-cloud" }, cpu: { cores }, disks }) as Input;
  const place = { storage: "local-lvm", node: "pve1", name: `${name}-${round}`, destroy_data: true };
  return lead(core, "proxmox_vm", [config(2), config(3), config(4)], async (vm) => {
    const vmid = Number(attribute(vm, "vmid"));
    const rules = (macro: string) => ({ vmid, rules: [{ type: "in", action: "ACCEPT", macro }] }) as Input;
    return (
      (await lead(core, "proxmox_disk", [
        { ...place, size: "1G" },
        { ...place, size: "2G" },
      ])) +
      (await lead(core, "proxmox_snapshot", [
        { vmid, name: "one" },
        { vmid, name: "one", description: "other" },
      ])) +
      (await lead(core, "proxmox_firewall_options", [{ guest: { vmid, enabled: true } }])) +
      (await lead(core, "proxmox_firewall_rules", [rules("SSH"), rules("HTTPS")]))
    );
  });
};

export const containerLife: Life = (core, name) => {
  const mounts = { rootfs: { storage: "local-lvm", size: "1G" } };
  const networks = { net0: { bridge: "vmbr0", ipv4: { address: "dhcp" } } };
  const config = (memory: string) =>
    ({
      ...stopped,
      name,
      node: "pve1",
      image: { volume: containerImage },
      mounts,
      networks,
      memory: { size: memory },
    }) as Input;
  return lead(core, "proxmox_container", [config("512M"), config("1G")]);
};

/** In the seed of the cluster. */
export const containerImage = "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst";

/** Every definition, setting and other object of the cluster. */
export const kinds: readonly Case[] = casesOf([...rows, ...settingsRows, ...handRows]);

/** Further kinds of a type require what those before them do. */
export function prepareFor(kind: Case, world: Parameters<NonNullable<Case["prepare"]>>[0]): void {
  const before = kinds.slice(0, kinds.indexOf(kind) + 1).filter(({ type }) => type === kind.type);
  for (const { prepare } of before) prepare?.(world);
}

/** Gives the lane a cluster as new, with what the kind requires, and begins a run of Terraform on it. */
export type Renew = (core: Core, kind: Case) => Promise<unknown>;

/**
 * The next of them in each round: the least configuration, and two values of one attribute. What one kind requires is what
 * another removes, so each has the cluster for itself.
 */
export const objectLife =
  (renew: Renew): Life =>
  async (core, _, round) => {
    const kind = kinds[round % kinds.length] as Case;
    const { type, base, values } = kind;
    const changes = Object.entries(values);
    const [path, both] = changes[Math.floor(round / kinds.length) % changes.length] ?? [];
    const configs = path && both ? [base, withValue(base, path, both[0]), withValue(base, path, both[1])] : [base];
    await renew(core, kind);
    try {
      return await lead(core, type, configs);
    } catch (reason) {
      if (isUnforeseeable(reason)) return 1;
      throw reason;
    }
  };
