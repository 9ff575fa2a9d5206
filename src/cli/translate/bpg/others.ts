import { type Conversion, checksum, listOf, obj, opposite, raw, same, text, words } from "../conversions.ts";
import { attributeOf, type Block, blocksOf } from "../hcl/document.ts";
import type { Dynamic } from "../hcl/dynamic.ts";
import { Obj } from "../hcl/output.ts";
import { joinPieces, optionPieces, splitPieces } from "../hcl/pieces.ts";
import type { Given, Shape, Variant } from "../shape.ts";
import type { Translation } from "../translation.ts";
import { container } from "./container.ts";
import { writeDefaults } from "./defaults.ts";
import { slotVm, vm } from "./vm.ts";

const disable = { conversions: { disable: opposite } };

/** A mapping: their entries name the node, here the node is the key. */
const mapping = (kind: "dir" | "pci" | "usb"): Shape => ({
  id: "name",
  families: { map: { into: `${kind}.nodes`, key: { attribute: "node" } } },
  finish: (translation) => (kind === "pci" ? devicesByNode(translation) : undefined),
  importId: (value) => (value("name") === undefined ? undefined : `${kind}:${value("name")}`),
});

/** A node has one or more PCI devices of a name. */
function devicesByNode(translation: Translation): void {
  const nodes = translation.out.at(["pci", "nodes"]);
  const given = translation.given("map")?.items;
  const byNode = new Map<string, Obj[]>();
  nodes.entries.clear();
  for (const item of given ?? []) {
    const members = new Map(item.members ?? []);
    const node = members.get("node");
    const device = obj(
      Object.fromEntries(
        [
          ["description", "comment"],
          ["device_id", "id"],
          ["iommu_group", "iommu_group"],
          ["path", "path"],
          ["subsystem_id", "subsystem_id"],
        ].map(([ours = "", theirs = ""]) => [ours, members.get(theirs)?.raw]),
      ),
    );
    const key = node?.string ?? `(${node?.text})`;
    byNode.set(key, [...(byNode.get(key) ?? []), device]);
  }
  for (const [node, devices] of byNode) nodes.set(node, obj({ devices }));
}

/** Snippets have no API: such a file stays with the provider that uploads it over SSH. */
function staysForSnippets(translation: Translation): string | undefined {
  const content = translation.given("content_type")?.string;
  const isRaw = blocksOf(translation.body, "source_raw").length > 0;
  const name = blocksOf(translation.body, "source_raw").map(({ body }) => attributeOf(body, "file_name"))[0];
  const isSnippet =
    content === "snippets" ||
    (content === undefined && isRaw && /\.ya?ml"$/.test(name ? translation.expr(name.value).text : ""));
  return isSnippet
    ? "snippets have no API: put the text into `cloud_init.user_data` (`network_data`, `meta_data`, `vendor_data`) of the VM, then remove the file"
    : content !== undefined && !["import", "iso", "vztmpl"].includes(content)
      ? `files of the content \`${content}\` cannot be uploaded through the API`
      : undefined;
}

/** An address of the Internet is downloaded by the node. */
const download: Shape = {
  id: "volume_id",
  conversions: {},
  handlers: {
    checksum: ({ value, around, put }, translation) => {
      const sum = checksum(value, translation.given("checksum_algorithm"), around);
      if (sum !== undefined) put("checksum", sum);
    },
    upload_timeout: ({ line, path }, translation) =>
      void translation.out.tail.push(translation.note("left", line, path, "see `timeouts`")),
    overwrite_unmanaged: ({ line, path, value }, translation) => {
      if (value.boolean === false) return;
      const todo =
        "a file that is there already is taken over by the move; `overwrite = true` replaces one at the creation";
      translation.out.tail.push(translation.note("left", line, path, todo));
    },
    overwrite: () => undefined,
  },
  quiet: ["checksum_algorithm"],
};

/** A file of the Internet is downloaded by the node. */
function fromInternet(translation: Translation): Variant | undefined {
  const [source] = blocksOf(translation.body, "source_file");
  const path = source && attributeOf(source.body, "path");
  const [first] = (path && translation.expr(path.value).pieces) ?? [];
  if (!(first && "literal" in first && /^https?:\/\//.test(first.literal))) return undefined;
  const rows = {
    "source_file.path": "=url",
    "source_file.checksum": "=checksum",
    "source_file.insecure": "=verify_certificates",
  };
  const conversions = { "source_file.insecure": ifOn };
  return {
    target: "proxmox_download",
    rows,
    shape: { id: "volume_id", conversions, quiet: ["overwrite", "timeout_upload"] },
  };
}

/** Certificates are verified unless it is said otherwise. */
const ifOn: Conversion = (value, around) => (value.boolean === false ? undefined : opposite(value, around));

const file: Shape = {
  id: "volume_id",
  stays: staysForSnippets,
  instead: fromInternet,
  quiet: ["overwrite", "timeout_upload", "source_file.insecure"],
};

/** Who a rule list belongs to: the guest is found by its VMID. */
const rules: Shape = {
  id: "id",
  families: { rule: { into: "rules", key: "list" } },
  finish: ({ out }) => {
    if (out.entries.has("vmid")) out.entries.delete("node");
  },
  conversions: {},
};

const ipset: Shape = { id: "id", families: { cidr: { into: "entries", key: { attribute: "name" } } } };

/** `prune_backups = { keep-daily = "7" }` */
function prune({ value, put, line, path }: Given, translation: Translation): void {
  const members = value.members;
  if (members === undefined) {
    translation.out.tail.push(translation.note("hand", line, path, "write `prune = { keep_last = … }`"));
    return;
  }
  for (const [name, one] of members)
    put(`prune.${name.replaceAll("-", "_")}`, one.number === undefined ? one.raw : raw(String(one.number)));
}

/** A node without a priority, `{ pve1 = null }`, has 0. */
const priorities: Conversion = (value, around) =>
  value.members?.some(([, priority]) => priority.isNull)
    ? obj(Object.fromEntries(value.members.map(([node, one]) => [node, one.isNull ? raw("0") : one.raw])))
    : same(value, around);

/** The lines of the hosts file. */
function hostEntries(translation: Translation): void {
  const entries = blocksOf(translation.body, "entry").map(({ body }) => {
    const [address, names] = ["address", "hostnames"].map((name) => attributeOf(body, name));
    const list = names && translation.expr(names.value);
    const words = list?.items?.every(({ string }) => string !== undefined)
      ? list.items.map(({ string }) => string).join(" ")
      : `\${join(" ", ${list?.text})}`;
    const [ip] = address ? [translation.expr(address.value)] : [];
    return `${ip?.string ?? `\${${ip?.text}}`} ${words}`;
  });
  const node = translation.out.entries.get("node");
  translation.out.entries.clear();
  if (node) translation.out.set("node", node.value);
  translation.out.set("content", raw(`join("\\n", [${[...entries, ""].map((line) => `"${line}"`).join(", ")}])`));
}

/** `hostEntries` reads the blocks that are written out. */
function repeatedEntry({ node }: Block, translation: Translation, dynamic?: Dynamic): void {
  if (dynamic === undefined) return;
  const todo = "add these lines to `content`: `join` of a `for` expression";
  translation.out.tail.push(translation.note("hand", node.line, "entry", todo));
}

/** A job is named by the guest and a number. */
function replicationId(translation: Translation): void {
  if (translation.out.entries.has("id")) return;
  const [guest, number] = ["guest", "jobnum"].map((name) => translation.given(name));
  if (guest && number) translation.out.set("id", raw(`"\${${guest.text}}-\${${number.text}}"`));
}

/** Adds the object that says of which kind it is, where none of its attributes is given. */
function ofItsKind(translation: Translation, kind: string): void {
  if (!translation.out.entries.has(kind)) translation.out.set(kind, new Obj());
  writeDefaults(translation);
}

const network = { references: [[/^name$/, "name"]] as const, importId: undefined };
const ofNetwork = (kind: string): Shape => ({
  references: network.references,
  finish: (translation) => ofItsKind(translation, kind),
});

const ofKind = (kind: string, more: Shape = {}): Shape => ({
  id: "id",
  ...more,
  finish: (translation) => ofItsKind(translation, kind),
});

const fabricNode = (protocol: string): Shape => ({
  conversions: {
    interface_names: (value) => raw(`{ for name in ${value.text} : name => {} }`),
  },
  finish: ({ out }) => out.set("protocol", text(protocol)),
});

/** Without a list, a bridge that knows VLANs carries all of them. */
const vids: Conversion = (value, around) =>
  value.string === "2-4094" ? undefined : words(/[\s,;]+/, " ")(value, around);

/** `scope=both,enable-new=1,remove-vanished=acl;entry` */
function syncDefaults({ value, put, line, path }: Given, translation: Translation): void {
  const options = value.pieces && optionPieces(value.pieces);
  if (options === undefined)
    translation.out.tail.push(translation.note("hand", line, path, "write `sync_defaults = { scope = … }`"));
  for (const [name, pieces] of options ?? []) {
    const given = joinPieces(pieces);
    const place = `ldap.sync_defaults.${name.replaceAll("-", "_")}`;
    if (name === "scope") put(place, raw(given));
    else if (name === "enable-new")
      put(place, raw(given === '"1"' ? "true" : given === '"0"' ? "false" : `${given} == "1"`));
    else if (name === "remove-vanished" && given !== '"none"')
      put(
        place,
        splitPieces(pieces, /;/).map((part) => raw(joinPieces(part))),
      );
  }
}

/** `email=mail,firstname=givenName` */
function syncAttributes({ value, put, line, path }: Given, translation: Translation): void {
  const options = value.pieces && optionPieces(value.pieces);
  if (options === undefined)
    translation.out.tail.push(translation.note("hand", line, path, "write `sync_attributes = { email = … }`"));
  else
    put(
      "ldap.sync_attributes",
      obj(Object.fromEntries([...options].map(([name, one]) => [name, raw(joinPieces(one))]))),
    );
}

const realm: Shape = {
  id: "id",
  handlers: {
    sync_attributes: syncAttributes,
    sync_defaults_options: syncDefaults,
    secure: ({ value, put }) =>
      put(
        "ldap.mode",
        value.boolean === undefined ? raw(`${value.text} ? "ldaps" : "ldap"`) : text(value.boolean ? "ldaps" : "ldap"),
      ),
  },
};

const storage = (kind: string): Shape => ofKind(kind, disable);

const plain: Shape = { id: "id" };

export const bpgShapes: Readonly<Record<string, Shape>> = {
  vm,
  vm2: slotVm,
  cloned_vm: slotVm,
  container,
  download_file: download,
  oci_image: {
    ...download,
    handlers: {
      overwrite_unmanaged: download.handlers?.["overwrite_unmanaged"] as never,
      upload_timeout: download.handlers?.["upload_timeout"] as never,
    },
  },
  file,
  acl: plain,
  group: plain,
  role: plain,
  user: { id: "id", conversions: {} },
  user_token: { id: "id" },
  pool: plain,
  hardware_mapping_dir: mapping("dir"),
  hardware_mapping_pci: mapping("pci"),
  hardware_mapping_usb: mapping("usb"),
  haresource: { id: "sid", quiet: ["type"], importId: (value) => value("sid") },
  harule: { id: "name", conversions: { disable: opposite, nodes: priorities } },
  replication: { ...disable, quiet: ["guest", "jobnum", "type", "source"], finish: replicationId, id: "id" },
  backup_job: { id: "id", handlers: { prune_backups: prune }, conversions: { vmid: (value) => value.raw } },
  firewall_rules: rules,
  cluster_firewall_security_group: { ...rules, id: "name" },
  firewall_ipset: { ...ipset, quiet: ["node_name"] },
  firewall_alias: { id: "id", quiet: ["node_name"] },
  firewall_options: { id: "id", quiet: ["node_name"], finish: writeDefaults },
  cluster_firewall: { finish: writeDefaults },
  hosts: { blocks: { entry: repeatedEntry }, finish: hostEntries },
  hagroup: { isDropped: true },
  sdn_applier: { isDropped: true },
  sdn_subnet: {
    id: "cidr",
    families: { dhcp_range: { into: "dhcp_ranges", key: "list" } },
  },
  sdn_vnet: plain,
  sdn_fabric_node_openfabric: fabricNode("openfabric"),
  sdn_fabric_node_ospf: fabricNode("ospf"),
  acme_dns_plugin: { id: "id", conversions: { disable: opposite }, finish: writeDefaults },
  acme_account: { id: "name", conversions: { contact: listOf } },
  acme_certificate: { families: { domains: { into: "domains", key: { attribute: "domain" } } } },
  node_firewall: { rows: { node_name: "node.node" }, finish: writeDefaults },
  apt_repository: {
    handlers: {
      file_path: ({ value, put }, translation) => {
        const index = translation.given("index");
        const part = (one: typeof value | undefined) =>
          one?.string ?? (one?.number === undefined ? `\${${one?.text}}` : one.text);
        put("repository", raw(`"${part(value)}#${part(index)}"`));
      },
    },
    quiet: ["index"],
  },
  realm_sync: {
    stays: () =>
      "write `proxmox_realm_sync_job` with a `schedule`, or use the action `proxmox_realm_sync` or Sync in the web interface",
  },
  metrics_server: {
    id: "id",
    quiet: ["type"],
    conversions: { disable: opposite },
    finish: (translation) => {
      const kind = translation.given("type")?.string;
      if (kind !== undefined && !translation.out.entries.has(kind)) translation.out.set(kind, new Obj());
    },
  },
  pool_membership: { quiet: ["type"] },
  realm_ldap: ofKind("ldap", realm),
  realm_openid: ofKind("openid"),
  network_linux_bridge: { ...ofNetwork("bridge"), conversions: { vids } },
  network_linux_bond: ofNetwork("bond"),
  network_linux_vlan: ofNetwork("vlan"),
  ...Object.fromEntries(
    "cifs directory lvm lvmthin nfs pbs zfspool"
      .split(" ")
      .map((kind) => [`storage_${kind}`, storage(kind === "directory" ? "dir" : kind)]),
  ),
  ...Object.fromEntries("qinq simple vlan vxlan".split(" ").map((kind) => [`sdn_zone_${kind}`, ofKind(kind)])),
  sdn_zone_evpn: ofKind("evpn", { conversions: { rt_import: words(/[\s,;]+/, ",") } }),
  ...Object.fromEntries("openfabric ospf".split(" ").map((kind) => [`sdn_fabric_${kind}`, ofKind(kind)])),
};
