import { canAudit, enumerate, type Session } from "#kit";
import type { VmPlan } from "../contexts.ts";
import type { Change } from "./checks.ts";

interface Wanted<T> {
  readonly path: readonly string[];
  readonly name: T;
}

/** Files that drives are made from or filled with: one list per storage and kind, and only for what is new. */
export async function checkFiles({ config, report }: VmPlan, api: Session, { node, before }: Change): Promise<void> {
  const imports = Object.entries(config.disks ?? {}).map(([slot, disk]) => ({
    path: ["disks", slot, "import_from"],
    name: before.has(slot) ? null : disk?.import_from,
  }));
  const discs = Object.entries(config.cdroms ?? {}).map(([slot, drive]) => ({
    path: ["cdroms", slot, "file"],
    name: drive?.file === before.read({ option: slot, key: "file" }) ? null : drive?.file,
  }));
  for (const { path, name } of [...imports, ...discs]) {
    const [, storage, content] = /^([\w.-]+):(iso|import)\//.exec(name ?? "") ?? [];
    if (!name || !storage || !content || node === undefined || api.expected.has("file", name)) continue;
    if (!(await canAudit(api, `/storage/${storage}`, "Datastore.Audit"))) continue;
    const { storages } = await api.inventory.snapshot();
    if (!storages.some((entry) => entry.storage === storage && entry.node === node)) {
      report.error(path, "No such storage", `There is no storage \`${storage}\` on ${node}.`);
      continue;
    }
    const volumes = await api.storage.listVolumes(node, storage, { content });
    if (volumes.some(({ volid }) => volid === name)) continue;
    const there = volumes.map(({ volid }) => volid).sort();
    report.error(
      path,
      "No such file",
      `There is no \`${name}\` on ${node}. There is ${enumerate(there.slice(0, 10))}.`,
    );
  }
}

const mapped = { pci: "pci", usb: "usb", virtiofs: "dir" } as const;

/** Devices and directories by their mapping, asked for only where another one is taken. */
export async function checkMappings({ config, report }: VmPlan, api: Session, { before }: Change): Promise<void> {
  for (const [attribute, kind] of Object.entries(mapped) as [keyof typeof mapped, "pci" | "usb" | "dir"][]) {
    const wanted = Object.entries(config[attribute] ?? {}).flatMap(([slot, device]): Wanted<string>[] => {
      const key = kind === "dir" ? "dirid" : "mapping";
      const isNew = device?.mapping && before.read({ option: slot, key }) !== device.mapping;
      return isNew ? [{ path: [attribute, slot, "mapping"], name: device.mapping }] : [];
    });
    for (const { path, name } of wanted) {
      if (api.expected.has("mapping", name) || !(await canAudit(api, `/mapping/${kind}/${name}`, "Mapping.Use")))
        continue;
      if ((await api.mappings[kind].find(name)) !== null) continue;
      const there = (await api.mappings[kind].list()).flatMap(({ id }) => id ?? []).sort();
      report.error(
        path,
        "No such mapping",
        `There is no mapping \`${name}\` of kind ${kind}. There is ${enumerate(there)}.`,
      );
    }
  }
}
