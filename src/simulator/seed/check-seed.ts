import { X509Certificate } from "node:crypto";
import type { Endpoint } from "../core/kernel/endpoint.ts";
import type { Failure } from "../core/kernel/failure.ts";
import type { Properties } from "../core/schema/schema.ts";
import { checkParameters } from "../core/schema/validate.ts";
import { SeedError } from "./read-seed.ts";
import { type Seed, storageFigures } from "./seed-schema.ts";

/** Keys of a guest that PVE writes itself and takes from no caller. */
const internalKeys = /^(?:meta|parent|snaptime|vmstate|runningcpu|runningmachine|running-nets-host-mtu|unused\d+)$/;

type Fields = Readonly<Record<string, unknown>>;

/** Lists of sections, each with the call that creates one; what is not an option of it is the seed's own. */
const sectionLists: readonly (readonly [call: string, place: string, (seed: Seed) => readonly Fields[] | undefined])[] =
  [
    ["POST /storage", "storages", ({ storages }) => storages],
    ["POST /access/domains", "realms", ({ realms }) => realms],
    ["POST /cluster/ha/resources", "ha_resources", (seed) => seed.ha_resources],
    ["POST /cluster/ha/rules", "ha_rules", (seed) => seed.ha_rules],
    ["POST /cluster/backup", "backup_jobs", (seed) => seed.backup_jobs],
    ["POST /cluster/jobs/realm-sync/{id}", "realm_sync_jobs", (seed) => seed.realm_sync_jobs],
    ["POST /cluster/replication", "replication_jobs", (seed) => seed.replication_jobs],
    ["POST /cluster/qemu/custom-cpu-models", "custom_cpu_models", (seed) => seed.custom_cpu_models],
    ["POST /cluster/metrics/server/{id}", "metric_servers", (seed) => seed.metric_servers],
    ["POST /cluster/acme/plugins", "acme.plugins", ({ acme }) => acme?.plugins],
    ["POST /cluster/mapping/pci", "mappings.pci", ({ mappings }) => mappings?.pci],
    ["POST /cluster/mapping/usb", "mappings.usb", ({ mappings }) => mappings?.usb],
    ["POST /cluster/mapping/dir", "mappings.dir", ({ mappings }) => mappings?.dir],
    ["POST /cluster/firewall/rules", "firewall.cluster.rules", ({ firewall }) => firewall?.cluster?.rules],
    ["POST /cluster/sdn/zones", "sdn.zones", ({ sdn }) => sdn?.zones?.filter(({ zone }) => zone !== "localnetwork")],
    ["POST /cluster/sdn/vnets", "sdn.vnets", ({ sdn }) => sdn?.vnets],
    ["POST /cluster/sdn/vnets/{vnet}/subnets", "sdn.subnets", ({ sdn }) => sdn?.subnets],
    ["POST /cluster/sdn/controllers", "sdn.controllers", ({ sdn }) => sdn?.controllers],
    ["POST /cluster/sdn/fabrics/fabric", "sdn.fabrics", ({ sdn }) => sdn?.fabrics],
    ["POST /cluster/sdn/fabrics/node/{fabric_id}", "sdn.fabric_nodes", ({ sdn }) => sdn?.fabric_nodes],
    ["POST /cluster/sdn/prefix-lists", "sdn.prefix_lists", ({ sdn }) => sdn?.prefix_lists],
    ["POST /cluster/sdn/route-maps/entries", "sdn.route_map_entries", ({ sdn }) => sdn?.route_map_entries],
    ["POST /cluster/sdn/ipams", "sdn.ipams", ({ sdn }) => sdn?.ipams],
    ["POST /cluster/sdn/dns", "sdn.dns", ({ sdn }) => sdn?.dns],
  ];
const ownMembers: Readonly<Record<string, readonly string[]>> = {
  storages: [...storageFigures, "content", "nodes"],
  "sdn.zones": ["status", "bridges"],
};

/** What is configured must be what the API would have taken; the parameters of its calls say what that is. */
export function checkSeed(seed: Seed, endpoints: readonly Endpoint[]): void {
  const parametersOf = (call: string): Properties =>
    endpoints.find(({ method, path }) => `${method} ${path}` === call)?.parameters ?? {};
  checkGuests(seed, parametersOf);
  for (const [index, { config, certificate }] of (seed.nodes ?? []).entries()) {
    checkFields(parametersOf("PUT /nodes/{node}/config"), config ?? {}, `nodes[${index}].config`, () => false);
    if (certificate !== undefined && !isCertificate(certificate)) {
      throw new SeedError(`nodes[${index}].certificate`, "must be a certificate in PEM");
    }
  }
  for (const [call, place, listOf] of sectionLists) {
    const own = ["note", ...(ownMembers[place] ?? [])];
    for (const [index, fields] of (listOf(seed) ?? []).entries()) {
      checkFields(parametersOf(call), fields, `${place}[${index}]`, (key) => own.includes(key));
    }
  }
  for (const [index, entry] of (seed.notifications ?? []).entries()) {
    const kind = entry.type === "matcher" ? "matchers" : `endpoints/${entry.type}`;
    const parameters = parametersOf(`POST /cluster/notifications/${kind}`);
    checkFields(parameters, entry, `notifications[${index}]`, (key) => key === "type" || key === "note");
  }
}

function checkGuests({ guests }: Seed, parametersOf: (call: string) => Properties): void {
  for (const [index, { type = "qemu", config, pending = {}, snapshots = {} }] of (guests ?? []).entries()) {
    const parameters = parametersOf(`PUT /nodes/{node}/${type}/{vmid}/config`);
    const sections: [string, Fields][] = Object.entries(snapshots as Record<string, Fields>);
    const named = sections.map(([name, section]): [string, Fields] => [`snapshots.${name}`, section]);
    for (const [name, section] of [["config", config], ["pending", pending], ...named] as [string, Fields][]) {
      checkFields(parameters, section, `guests[${index}].${name}`, (key) => internalKeys.test(key));
    }
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

function checkFields(parameters: Properties, fields: Fields, place: string, isOurs: (key: string) => boolean): void {
  for (const [key, value] of Object.entries(fields)) {
    if (isOurs(key) || value === undefined) {
      continue;
    }
    const schema = parameters[key];
    if (schema === undefined) {
      throw new SeedError(`${place}.${key}`, "unknown option");
    }
    try {
      // Each is checked alone: what it requires stands beside it.
      const { requires: _, ...alone } = schema as typeof schema & { requires?: string };
      checkParameters({ [key]: alone as typeof schema }, { [key]: value });
    } catch (thrown) {
      const text = Object.values((thrown as Failure).errors ?? {})[0] ?? String(thrown);
      throw new SeedError(`${place}.${key}`, text.trim().replaceAll("\n", " "));
    }
  }
}
