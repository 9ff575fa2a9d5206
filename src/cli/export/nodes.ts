import { exportDiskPools } from "./disk-pools.ts";
import { allOf, given, optionsIn, withoutLineFeed } from "./fields.ts";
import type { Fields, Reader } from "./reader.ts";

export interface ExportedNode extends Fields {
  readonly name: string;
  readonly status: "online" | "offline";
}

/** The members of the cluster, that which answers first. */
export async function exportNodes(reader: Reader, status: readonly Fields[]): Promise<ExportedNode[]> {
  const members = status.filter(({ type }) => type === "node");
  const ordered = [...members].sort((a, b) => Number(b["local"] ?? 0) - Number(a["local"] ?? 0));
  return allOf(ordered, async (member) => exportNode(reader, member));
}

async function exportNode(reader: Reader, member: Fields): Promise<ExportedNode> {
  const name = String(member["name"]);
  const isOnline = member["online"] !== 0;
  const known = {
    name,
    nodeid: member["nodeid"],
    address: member["ip"],
    status: isOnline ? "online" : "offline",
  } as const;
  if (!isOnline) {
    reader.note(`/nodes/${name}`, "the node is offline");
    return { ...known, ...given(known) } as ExportedNode;
  }
  const at = { node: name };
  const [status, network, dns, hosts, time, config, apt, disks, certificates, pools] = await Promise.all([
    reader.one("/nodes/{node}/status", at),
    reader.list("/nodes/{node}/network", at),
    reader.one("/nodes/{node}/dns", at),
    reader.one("/nodes/{node}/hosts", at),
    reader.one("/nodes/{node}/time", at),
    reader.one("/nodes/{node}/config", at),
    reader.one("/nodes/{node}/apt/repositories", at),
    reader.list("/nodes/{node}/disks/list", at),
    reader.list("/nodes/{node}/certificates/info", at),
    exportDiskPools(reader, name),
  ]);
  const own = certificates.find(({ filename }) => filename === "pveproxy-ssl.pem");
  return {
    ...known,
    ...given({
      nodeid: member["nodeid"],
      address: member["ip"],
      cpus: (status?.["cpuinfo"] as Fields | undefined)?.["cpus"],
      memory_bytes: (status?.["memory"] as Fields | undefined)?.["total"],
      interfaces: network.map((one) => interfaceOf(one)),
      openvswitch: network.some(({ type }) => String(type).startsWith("OVS")) || undefined,
      dns: dns === null ? undefined : optionsIn(dns),
      hosts: hosts?.["data"],
      timezone: time?.["timezone"],
      config: config === null ? undefined : withoutLineFeed(optionsIn(config)),
      repositories: repositoriesOf(apt),
      disks: disks.map((disk) => diskOf(disk)),
      disk_pools: pools,
      certificate: own?.["pem"],
    }),
  };
}

const interfaceOf = (one: Fields) => optionsIn(one, ["priority", "exists", "altnames", "link-type"]);

function repositoriesOf(apt: Fields | null): Fields[] {
  const files = (apt?.["files"] ?? []) as readonly { path: string; repositories?: readonly Fields[] }[];
  return files.flatMap(({ path, repositories = [] }) =>
    repositories.map((one) =>
      given({
        path,
        types: one["Types"],
        uris: one["URIs"],
        suites: one["Suites"],
        components: one["Components"],
        enabled: one["Enabled"] ? 1 : 0,
      }),
    ),
  );
}

function diskOf({ devpath, size, model, serial, type, used }: Fields): Fields {
  const isKnown = ["hdd", "nvme", "ssd"].includes(String(type));
  return given({ devpath, size, model, serial, type: isKnown ? type : undefined, used: used || undefined });
}
