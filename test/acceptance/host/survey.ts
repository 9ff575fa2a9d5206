import { isGranted } from "#kit";
import type { InventoryGuest, PveClient } from "#pve";
import type { Choice, HostSettings } from "./settings.ts";

/** What of the host the tests use, or why it lacks that. */
export interface Survey {
  readonly found: Readonly<Partial<Record<Choice, string>>>;
  readonly lacking: Readonly<Partial<Record<Choice, string>>>;
  /** On the node; undefined where the token may not see it. */
  readonly freeMemoryGiB: number | undefined;
  readonly freeSpaceGiB: number | undefined;
}

type Answer = string | { readonly lacks: string };
type Storages = Awaited<ReturnType<PveClient["storage"]["listOnNode"]>>;

/** The largest disk of a template that the examples can still grow. */
const largestTemplateGiB = 40;

/** Finds what the settings leave open: node, storages, bridge, templates and files, as far as the token may use them. */
export async function surveyHost(client: PveClient, settings: HostSettings): Promise<Survey> {
  const { chosen } = settings;
  const permissions = await client.access.getPermissions();
  const templates = await usableTemplates(client, chosen.template);
  const node = chosen.node ?? templates[0]?.node ?? (await anyNode(client));
  const storages = await client.storage.listOnNode(node);
  const may = (storage: string, privilege: string) => isGranted(permissions, `/storage/${storage}`, privilege);
  const storageFor = (content: string, privilege: string): Answer =>
    storages.find((one) => one.active && one.content.includes(content) && may(one.storage, privilege))?.storage ?? {
      lacks: `no active storage on ${node} with content ${content} and ${privilege} for the token`,
    };
  const storage = await diskStorage(client, templates[0], storageFor("images", "Datastore.AllocateSpace"));
  const file = (content: string) => firstVolume(client, node, storages, content);
  const template = templates[0]
    ? String(templates[0].vmid)
    : { lacks: "no template with cloud-init and a scsi0 of at most 40G that the token may see" };
  const answers: Record<Choice, Answer> = {
    node,
    storage,
    files: storageFor("iso", "Datastore.AllocateTemplate"),
    backups: storageFor("backup", "Datastore.AllocateSpace"),
    bridge: await usableBridge(client, node, templates[0], permissions),
    template,
    image: await file("import"),
    iso: await file("iso"),
    container_template: await file("vztmpl"),
  };
  const all = Object.entries({ ...answers, ...chosen }) as [Choice, Answer][];
  const { nodes } = await client.inventory.snapshot();
  const { maxmem, mem } = nodes.get(node) ?? {};
  const { avail } = storages.find((one) => one.storage === storage) ?? {};
  return {
    found: Object.fromEntries(all.filter(([, answer]) => typeof answer === "string")),
    lacking: Object.fromEntries(
      all.flatMap(([name, answer]) => (typeof answer === "string" ? [] : [[name, answer.lacks]])),
    ),
    freeMemoryGiB: maxmem && mem !== undefined ? (maxmem - mem) / 2 ** 30 : undefined,
    freeSpaceGiB: avail === undefined ? undefined : avail / 2 ** 30,
  };
}

/** Templates whose settings the examples can inherit. */
async function usableTemplates(client: PveClient, chosen: string | undefined): Promise<InventoryGuest[]> {
  if (chosen !== undefined) return [await client.inventory.getTemplate(/^\d+$/.test(chosen) ? Number(chosen) : chosen)];
  const all = await client.inventory.findTemplates({});
  const usable = await Promise.all(
    all.map(async (template) => {
      if (template.isStale) return false;
      const { options } = await client.qemu.getConfig(template);
      const hasCloudInit = Object.values(options).some((value) => value.includes("cloudinit"));
      const [, size = "", unit = ""] = /size=(\d+)([MGT])/.exec(options["scsi0"] ?? "") ?? [];
      const gib = Number(size) * ({ M: 1 / 1024, G: 1, T: 1024 }[unit] ?? 0);
      return hasCloudInit && gib > 0 && gib <= largestTemplateGiB && options["net0"] !== undefined;
    }),
  );
  return all.filter((_, index) => usable[index]);
}

async function anyNode(client: PveClient): Promise<string> {
  const { nodes } = await client.inventory.snapshot();
  const [first] = [...nodes.values()]
    .filter(({ status }) => status === "online")
    .map((one) => one.node)
    .sort();
  if (first === undefined) throw new Error("no node is online");
  return first;
}

/** That of the template if possible: a clone can then share its disk. */
async function diskStorage(client: PveClient, template: InventoryGuest | undefined, any: Answer): Promise<Answer> {
  if (!template || typeof any !== "string") return any;
  const { options } = await client.qemu.getConfig(template);
  return /^([^:,]+):/.exec(options["scsi0"] ?? "")?.[1] ?? any;
}

async function usableBridge(
  client: PveClient,
  node: string,
  template: InventoryGuest | undefined,
  permissions: Parameters<typeof isGranted>[0],
): Promise<Answer> {
  const may = (bridge: string) => isGranted(permissions, `/sdn/zones/localnetwork/${bridge}`, "SDN.Use");
  const listed = (await client.network.list(node, "any_bridge")).flatMap(({ iface }) => iface ?? []);
  const inherited = template && (await client.qemu.getConfig(template)).options["net0"];
  const own = /bridge=([^,]+)/.exec(inherited ?? "")?.[1];
  return [...(own ? [own] : []), ...listed].find(may) ?? { lacks: `no bridge of ${node} with SDN.Use for the token` };
}

async function firstVolume(client: PveClient, node: string, storages: Storages, content: string): Promise<Answer> {
  for (const { storage } of storages.filter((one) => one.active && one.content.includes(content))) {
    const [first] = await client.storage.listVolumes(node, storage, { content });
    if (first) return first.volid;
  }
  return { lacks: `no volume with content ${content} that the token may see on ${node}` };
}
