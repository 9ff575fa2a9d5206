import { bytesOf, type ConfigDraft, canAudit, type Members, type Session } from "#kit";
import type { VmPlan } from "../contexts.ts";
import { checkFiles, checkMappings } from "./check-sources.ts";

/** What the plan is checked against: the VM's configuration before and after the change. */
export interface Change {
  readonly node: string | undefined;
  readonly before: ConfigDraft;
  readonly after: ConfigDraft;
}

/** Refuses, with the attribute named, what PVE would refuse in the middle of an apply. Unknown values are not judged. */
export async function checkChange(context: VmPlan, api: Session, change: Change): Promise<void> {
  checkDisks(context, change);
  checkCompleteness(context, change);
  checkBootOrder(context, change);
  await checkStorages(context, api, change);
  await checkBridges(context, api, change);
  await checkPool(context, api);
  await checkFiles(context, api, change);
  await checkMappings(context, api, change);
}

function checkDisks({ config, report }: VmPlan, { before }: Change): void {
  for (const [slot, disk] of Object.entries(config.disks ?? {})) {
    if (!disk) continue;
    const path = (member: string) => ["disks", slot, member];
    const now = before.read({ option: slot, key: "size" });
    if (before.has(slot)) {
      const [wanted, current] = [disk.size ? bytesOf(disk.size) : null, typeof now === "string" ? bytesOf(now) : null];
      if (wanted !== null && current !== null && wanted < current) {
        report.error(
          path("size"),
          "Disks cannot shrink",
          `\`${slot}\` is ${now} and cannot become ${disk.size}. Make it at least ${now}.`,
        );
      }
      continue;
    }
    if (disk.volume !== null) continue;
    if (disk.storage === null) {
      report.error(path("storage"), "Storage needed", `\`${slot}\` is a new disk: say which storage it shall be on.`);
    }
    if (disk.size === null && disk.import_from === null) {
      report.error(path("size"), "Size needed", `\`${slot}\` is a new disk: say how large, or what to import.`);
    }
  }
  for (const [name, slot] of [
    ["efi_disk", "efidisk0"],
    ["tpm_state", "tpmstate0"],
  ] as const) {
    const drive = config[name];
    if (drive && !before.has(slot) && drive.storage === null && drive.volume === null) {
      report.error([name, "storage"], "Storage needed", "It is new: say which storage it shall be on.");
    }
  }
}

/** Sub-keys without which PVE does not take the option, and the attribute that says them. */
const indispensable = [
  ["cpu", "cputype", ["cpu", "type"]],
  ["agent", "enabled", ["agent", "enabled"]],
  ["audio0", "device", ["audio", "device"]],
  ["rng0", "source", ["rng", "source"]],
  ["ivshmem", "size", ["shared_memory", "size"]],
  ["amd-sev", "type", ["amd_sev", "type"]],
  ["intel-tdx", "type", ["intel_tdx", "type"]],
] as const;

function checkCompleteness({ config, report }: VmPlan, { after }: Change): void {
  for (const [option, key, path] of indispensable) {
    const given = (config as Members)[path[0]] as Members | null | undefined;
    if (!given || given[path[1]] === undefined || !after.has(option) || after.read({ option, key }) !== null) continue;
    report.error(
      path,
      "Setting needed",
      `\`${path.join(".")}\` must be given beside the other settings of \`${path[0]}\`.`,
    );
  }
}

function checkBootOrder({ config, report }: VmPlan, { after }: Change): void {
  for (const [index, device] of (config.boot_order ?? []).entries()) {
    if (device !== undefined && !after.has(device)) {
      const present = after.slots({ scsi: 30, virtio: 15, sata: 5, ide: 3, net: 31, usb: 13, hostpci: 15 });
      report.error(
        ["boot_order", index],
        "Boot device missing",
        `The VM will have no \`${device}\`. It will have ${present.map((slot) => `\`${slot}\``).join(", ") || "none"}.`,
      );
    }
  }
}

async function checkStorages({ config, report }: VmPlan, api: Session, { node }: Change): Promise<void> {
  const wanted: [readonly string[], string | null | undefined][] = [
    ...Object.entries(config.disks ?? {}).map(
      ([slot, disk]) => [["disks", slot, "storage"], disk?.storage] as [string[], string],
    ),
    [["efi_disk", "storage"], config.efi_disk?.storage],
    [["tpm_state", "storage"], config.tpm_state?.storage],
    [["cloud_init", "storage"], config.cloud_init?.storage],
    [["cloud_init", "data_storage"], config.cloud_init?.user_data === null ? config.cloud_init.data_storage : null],
    [["clone", "storage"], config.clone?.storage],
  ];
  const { storages } = await api.inventory.snapshot();
  const usable = new Set(
    storages.filter((entry) => node === undefined || entry.node === node).map(({ storage }) => storage),
  );
  for (const [path, storage] of wanted) {
    if (!storage || usable.has(storage) || api.expected.has("storage", storage)) continue;
    // PVE hides a storage from who may allocate on it but not audit it: only who could see it can tell that it is missing.
    if (!(await canAudit(api, `/storage/${storage}`, "Datastore.Audit"))) continue;
    const where = node === undefined ? "" : ` on ${node}`;
    report.error(
      path,
      "No such storage",
      `There is no storage \`${storage}\`${where}. There is ${
        [...usable]
          .sort()
          .map((name) => `\`${name}\``)
          .join(", ") || "none"
      }.`,
    );
  }
}

async function checkBridges({ config, report }: VmPlan, api: Session, { node, before }: Change): Promise<void> {
  const wanted = Object.entries(config.networks ?? {}).flatMap(([slot, card]) =>
    // What the card is connected to already needs no proof.
    card?.bridge && before.read({ option: slot, key: "bridge" }) !== card.bridge ? [[slot, card.bridge] as const] : [],
  );
  if (node === undefined || wanted.length === 0) return;
  const bridges = await bridgesOf(api, node);
  for (const [slot, bridge] of wanted) {
    if (bridges.length === 0 || bridges.includes(bridge) || api.expected.has("bridge", bridge)) continue;
    if (!(await canAudit(api, `/sdn/zones/localnetwork/${bridge}`, "SDN.Use"))) continue;
    report.error(
      ["networks", slot, "bridge"],
      "No such bridge",
      `There is no bridge \`${bridge}\` on ${node}. There is ${bridges.map((name) => `\`${name}\``).join(", ")}.`,
    );
  }
}

const bridgeLists = new WeakMap<Session, Map<string, Promise<string[]>>>();

/** Asked once per node and run. */
function bridgesOf(api: Session, node: string): Promise<string[]> {
  const lists = bridgeLists.get(api) ?? new Map<string, Promise<string[]>>();
  bridgeLists.set(api, lists);
  const list =
    lists.get(node) ?? api.network.list(node, "any_bridge").then((all) => all.flatMap(({ iface }) => iface ?? []));
  lists.set(node, list);
  return list;
}

async function checkPool({ config, report }: VmPlan, api: Session): Promise<void> {
  const { pool } = config;
  if (!pool || api.expected.has("pool", pool)) return;
  const { pools } = await api.inventory.snapshot();
  if (pools.includes(pool) || !(await canAudit(api, `/pool/${pool}`, "Pool.Audit"))) return;
  report.error(
    "pool",
    "No such pool",
    `There is no pool \`${pool}\`. There is ${pools.map((name) => `\`${name}\``).join(", ") || "none"}.`,
  );
}
