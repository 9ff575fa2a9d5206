import type { Unseen } from "../export/reader.ts";

/** Lists of the API, and what objects of them are called. */
const listsOf: readonly (readonly [path: RegExp, nouns: readonly string[]])[] = [
  [/^\/access\/users$/, ["user", "token"]],
  [/^\/access\/groups$/, ["group"]],
  [/^\/access\/roles$/, ["role"]],
  [/^\/access\/acl$/, ["permission"]],
  [/^\/access\/domains$/, ["realm"]],
  [/^\/pools$/, ["pool"]],
  [/^\/storage$/, ["storage"]],
  [/^\/cluster\/ha\/resources$/, ["HA resource"]],
  [/^\/cluster\/ha\/rules$/, ["HA rule"]],
  [/^\/cluster\/backup$/, ["backup job"]],
  [/^\/cluster\/jobs\/realm-sync$/, ["realm sync job"]],
  [/^\/cluster\/replication$/, ["replication job"]],
  [/^\/cluster\/qemu\/custom-cpu-models$/, ["CPU model"]],
  [/^\/cluster\/metrics\/server$/, ["metric server"]],
  [/^\/cluster\/notifications\//, ["notification"]],
  [/^\/cluster\/acme\/account$/, ["ACME account"]],
  [/^\/cluster\/acme\/plugins$/, ["ACME plugin"]],
  [/^\/cluster\/mapping\/pci$/, ["PCI mapping"]],
  [/^\/cluster\/mapping\/usb$/, ["USB mapping"]],
  [/^\/cluster\/mapping\/dir$/, ["directory mapping"]],
  [/^\/cluster\/sdn\/zones$/, ["SDN zone"]],
  [/^\/cluster\/sdn\/vnets$/, ["vnet", "subnet", "firewall of vnet"]],
  [/^\/cluster\/sdn\/vnets\/[^/]+\/subnets$/, ["subnet"]],
  [/^\/cluster\/sdn\/controllers$/, ["SDN controller"]],
  [/^\/cluster\/sdn\/fabrics\//, ["fabric", "fabric node"]],
  [/^\/cluster\/sdn\/prefix-lists$/, ["prefix list"]],
  [/^\/cluster\/sdn\/route-maps\//, ["route map entry"]],
  [/^\/cluster\/sdn\/ipams$/, ["IPAM"]],
  [/^\/cluster\/sdn\/ipams\/[^/]+\/status$/, ["address"]],
  [/^\/cluster\/sdn\/dns$/, ["SDN DNS server"]],
  [/\/ceph\//, ["Ceph pool"]],
  [/^\/nodes\/[^/]+\/storage/, ["ISO image", "container template", "snippet", "import image"]],
  [/^\/cluster\/options$/, ["cluster options"]],
  [/^\/cluster\/firewall\//, ["firewall of the cluster"]],
];

/** Single objects by their path; what is below `/nodes/NAME/disks` are pools on that node. */
const objectsOf: readonly (readonly [path: RegExp, name: (id: string) => readonly string[]])[] = [
  [/^\/access\/domains\/([^/]+)$/, (id) => [`realm ${id}`]],
  [/^\/cluster\/acme\/account\/([^/]+)$/, (id) => [`ACME account ${id}`]],
  [/^\/cluster\/metrics\/server\/([^/]+)$/, (id) => [`metric server ${id}`]],
  [/^\/cluster\/jobs\/realm-sync\/([^/]+)$/, (id) => [`realm sync job ${id}`]],
  [/^\/cluster\/sdn\/vnets\/([^/]+)\/firewall/, (id) => [`firewall of vnet ${id}`]],
  [/^\/nodes\/([^/]+)\/firewall/, (id) => [`firewall of node ${id}`]],
  [/^\/nodes\/[^/]+\/(?:qemu|lxc)\/(\d+)\/firewall/, (id) => [`firewall of guest ${id}`]],
  [/^\/nodes\/[^/]+\/(?:qemu|lxc)\/(\d+)\/(?!firewall)/, (id) => [`VM ${id}`, `container ${id}`]],
  [/^\/nodes\/([^/]+)\/(?!firewall|qemu|lxc|storage|disks\/(?!list))/, (id) => [`node ${id}`]],
  [/^\/nodes\/([^/]+)$/, (id) => [`node ${id}`, `firewall of node ${id}`]],
];

/** Whether an object may be missing, or look changed, only because the caller may not see it. */
export function isHidden(unseen: readonly Unseen[]): (object: string) => boolean {
  const paths = unseen.map(({ path }) => path.split(": ")[0] ?? path);
  const matching = <T>(table: readonly (readonly [RegExp, T])[]) =>
    paths.flatMap((path) =>
      table.flatMap(([form, value]) => {
        const found = form.exec(path);
        return found === null ? [] : [{ value, id: found[1] ?? "" }];
      }),
    );
  const nouns = matching(listsOf).flatMap(({ value }) => value);
  const names = new Set(matching(objectsOf).flatMap(({ value, id }) => value(id)));
  const nodes = paths.flatMap((path) => /^\/nodes\/([^/]+)(?:$|\/disks\/(?!list))/.exec(path)?.[1] ?? []);
  return (object) =>
    names.has(object) ||
    nouns.some((noun) => object === noun || object.startsWith(`${noun} `)) ||
    nodes.some((node) => object.endsWith(` on ${node}`));
}
