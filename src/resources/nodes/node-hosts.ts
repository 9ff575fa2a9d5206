import { isIP } from "node:net";
import { bpg, defineSettings, oncePerRun, type PlanContext, type Session, string } from "#kit";
import { node } from "./node-attribute.ts";

interface Line {
  readonly address: string;
  readonly names: readonly string[];
}

/** The lines that are neither empty nor comments. A comment after names counts as names, as it does for PVE. */
const linesOf = (text: string): Line[] =>
  text
    .split("\n")
    .filter((line) => !/^\s*(#.*)?$/.test(line))
    .map((line) => {
      const [address = "", ...names] = line.split(/\s+/);
      return { address, names: names.filter(Boolean) };
    });

/** What PVE refuses (pve-common: src/PVE/INotify.pm, `write_etc_hosts`). */
function faultOf(text: string): string | undefined {
  for (const { address, names } of linesOf(text)) {
    if (!isIP(address)) return `Must begin each line with an IP address, and not with \`${address}\`.`;
    const bad = names.find((name) => !/^[.\-A-Za-z0-9]+$/.test(name));
    if (bad !== undefined) return `Must have host names of letters, digits, \`.\` and \`-\`, and not \`${bad}\`.`;
  }
  return undefined;
}

const attributes = {
  node,
  content: {
    type: string({ check: faultOf }),
    mode: "required",
    wire: "data",
    doc: "The whole file. It must have a line with the address and the name of the node, without which services of the node fail.",
  },
} as const;

/** `proxmox_node_hosts`. Server side: pve-manager `PVE/API2/Nodes.pm`. */
export const nodeHosts = defineSettings({
  type: "proxmox_node_hosts",
  subcategory: "Nodes",
  doc: "The file `/etc/hosts` of a node, as a whole. Destroying the resource leaves the file as it is, since a node cannot do without.",
  noun: "hosts file of node",
  path: "/nodes/{node}/hosts",
  file: "the hosts file of a node",
  identity: ["node"],
  // They store entries; the refresh reads the file.
  movedFrom: [bpg("hosts", { node: "node_name" })],
  change: "POST",
  attributes,
  plan: requireOwnLine,
});

const members = oncePerRun((api: Session) => api.cluster.listMembers());

/** A node that cannot resolve its own name to its address does not get through its next start. */
async function requireOwnLine(
  { config, changes, report }: PlanContext<typeof attributes, object, Session>,
  api: Session,
): Promise<void> {
  const { node: name, content } = config;
  if (name === undefined || content === undefined || !changes.has("content")) return;
  const own = linesOf(content).filter(({ names }) => names.includes(name));
  const { ip } = (await members(api)).find((member) => member.type === "node" && member.name === name) ?? {};
  const isThere = own.some(({ address }) => ip === undefined || address === ip);
  if (isThere) return;
  const found = own.length === 0 ? "has no line for it" : `gives it the address ${own[0]?.address}`;
  const line = `${ip ?? "ADDRESS"} ${name}`;
  const detail = `The node finds its own address by its name, and \`content\` ${found}. Add the line \`${line}\`.`;
  report.error("content", "Line of the node is missing", detail);
}
