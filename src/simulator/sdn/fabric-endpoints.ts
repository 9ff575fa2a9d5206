import type { Caller } from "../core/access/caller.ts";
import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { isIPv4 } from "../core/schema/network-formats.ts";
import { array, string } from "../core/schema/schema.ts";
import { assertDigest } from "../core/sections/section-config.ts";
import type { SdnConfig } from "../core/world/sdn.ts";
import type { SectionOptions } from "../core/world/section.ts";
import type { World } from "../core/world/world.ts";
import { checkFabrics } from "./fabric-checks.ts";
import {
  canonicalPrefix,
  fabricsDigest,
  getFabric,
  listFabricNodes,
  listFabrics,
  nodesOfFabric,
} from "./fabric-config.ts";
import { fabricOptions, fabricProperties, type Protocol } from "./fabric-options.ts";
import { fabricId } from "./formats.ts";
import { changeSdn, pendingEntries, type View, views } from "./sections.ts";

type Sections = SdnConfig["fabrics"];
type Entries = Record<string, Record<string, unknown>>;

/** The objects in the requested state, with the digest of the edited one. */
export function viewFabrics({ sdn }: World, view: View, list: (sections: Sections) => Entries): Entries {
  const edited = list(sdn.fabrics);
  const seen = view.pending
    ? pendingEntries(list(sdn.running.fabrics), edited)
    : view.running
      ? list(sdn.running.fabrics)
      : edited;
  const hash = view.running && !view.pending ? {} : { digest: fabricsDigest(sdn.fabrics) };
  return Object.fromEntries(Object.entries(seen).map(([id, entry]) => [id, { ...entry, ...hash }]));
}

interface Guarded {
  readonly digest?: string | undefined;
  readonly "lock-token"?: string | undefined;
}

/** The options of a request for a fabric. */
interface Order {
  readonly given: Readonly<Record<string, string>>;
  readonly params: { readonly redistribute?: string[] | undefined };
}

/** Changes a copy, which replaces the file if it passes the checks; the answer is the result of writing a file. */
export async function changeFabrics(
  call: Pick<Call, "world" | "params"> & Parameters<typeof changeSdn>[0],
  action: string,
  body: (sections: Sections, checkDigest: () => void) => void,
): Promise<string> {
  const { digest, "lock-token": token } = call.params as Guarded;
  return await changeSdn(call, action, token, () => {
    const sections = structuredClone(call.world.sdn.fabrics);
    body(sections, () => assertDigest(fabricsDigest(call.world.sdn.fabrics), digest));
    checkFabrics(sections);
    call.world.sdn.fabrics = sections;
    return "";
  });
}

const fabricReaders = ["SDN.Audit", "SDN.Allocate"] as const;
export const nodeReaders = ["Sys.Audit", "Sys.Modify"] as const;
export const seesFabric = (caller: Caller, id: unknown) => caller.hasAny(`/sdn/fabrics/${id ?? ""}`, fabricReaders);

/** proxmox-ve-rs `proxmox-sdn-types/src/ospf.rs`: an area keeps its notation. */
function parseArea(text: string): string {
  if (isIPv4(text)) {
    return text;
  }
  return /^\+?\d+$/.test(text) && Number(text) <= 0xffffffff
    ? String(Number(text))
    : die("error: Area is not a number, nor an ip address");
}

/** The options of a request that belong to the protocol. */
function optionsOf({ given, params }: Order, kind: Protocol): SectionOptions {
  const { own, sources } = fabricOptions[kind];
  const { redistribute } = params;
  for (const text of redistribute ?? []) {
    const [, source = ""] = /(?:^|,)source=([^,]+)/.exec(text) ?? [];
    if (!sources.includes(source)) {
      paramError({
        redistribute: `value '${source}' does not have a value in the enumeration '${sources.join(", ")}'`,
      });
    }
  }
  const plain = ["ip_prefix", "ip6_prefix", ...own].filter((name) => name !== "redistribute");
  return {
    ...Object.fromEntries(
      plain.flatMap((name) => {
        const value = given[name];
        return value === undefined ? [] : [[name, name === "area" ? parseArea(value) : value]];
      }),
    ),
    ...(own.includes("redistribute") && redistribute !== undefined && { redistribute }),
  };
}

/** What stands for the default is not stored. */
const withoutDefaults = (options: SectionOptions): SectionOptions =>
  Object.fromEntries(
    Object.entries(options).filter(
      ([name, value]) => !(["persistent_keepalive", "bfd"].includes(name) && value === "0") && value.length > 0,
    ),
  );

function addFabric(sections: Sections, call: Order & Pick<Call, "world">, id: string, kind: Protocol): void {
  const options = optionsOf(call, kind);
  const { controllers } = call.world.sdn;
  const rival = kind === "bgp" && Object.keys(controllers).find((name) => controllers[name]?.type === "bgp");
  if (rival) {
    die(
      `cannot add a BGP fabric while BGP controller '${rival}' exists: both target the default-VRF BGP router at /usr/share/perl5/PVE/API2/Network/SDN/Fabrics/Fabric.pm line 120.`,
    );
  }
  if (kind === "ospf" && options["area"] === undefined) {
    die("error: missing field `area`");
  }
  if (sections[id] !== undefined) {
    die(`fabric '${id}' already exists in config`);
  }
  for (const prefix of ["ip_prefix", "ip6_prefix"]) {
    if (options[prefix] !== undefined) {
      options[prefix] = canonicalPrefix(String(options[prefix]));
    }
  }
  sections[id] = { type: `${kind}_fabric`, options: { id, protocol: kind, ...withoutDefaults(options) } };
}

/** Checks the references to a fabric that is deleted, and the privileges on its nodes. */
function checkDelete({ world, caller }: Pick<Call, "world" | "caller">, id: string): void {
  const file = "/usr/share/perl5/PVE/API2/Network/SDN/Fabrics/Fabric.pm";
  for (const node of Object.keys(nodesOfFabric(world.sdn.fabrics, id))) {
    if (!caller.has(`/nodes/${node}`, ["Sys.Modify"])) {
      die(`permission check failed: missing 'Sys.Modify' on node ${node} at ${file} line 231.`);
    }
  }
  const users = (sections: SdnConfig["zones"], type: string) =>
    Object.keys(sections).find((key) => sections[key]?.type === type && sections[key]?.options["fabric"] === id);
  const controller = users(world.sdn.controllers, "evpn");
  const zone = users(world.sdn.zones, "vxlan");
  if (controller !== undefined) {
    die(`this fabric is still used in the EVPN controller "${controller}" at ${file} line 243.`);
  }
  if (zone !== undefined) {
    die(`this fabric is still used in the VXLAN zone "${zone}" at ${file} line 252.`);
  }
}

const path = "/cluster/sdn/fabrics";
const open = { additionalProperties: true } as const;
const one = { check: ["perm", "/sdn/fabrics/{id}", ["SDN.Allocate"]] } as const;

const readEndpoints = [
  indexEndpoint(path, "subdir", ["fabric", "node", "all"], {
    permissions: { check: ["perm", "/sdn/fabrics", ["SDN.Audit"]] },
    ...open,
  }),
  endpoint({
    ...open,
    method: "GET",
    path: `${path}/all`,
    permissions: { user: "all" },
    parameters: views,
    handler: ({ world, params, caller }) => ({
      fabrics: Object.entries(viewFabrics(world, params, listFabrics))
        .filter(([id]) => seesFabric(caller, id))
        .map(([, entry]) => entry),
      nodes: Object.entries(viewFabrics(world, params, listFabricNodes))
        .filter(([key, { fabric_id: fabric, pending }]) => {
          const owner = fabric ?? (pending as { fabric_id?: string } | undefined)?.fabric_id;
          return seesFabric(caller, owner) && caller.hasAny(`/nodes/${key}`, nodeReaders);
        })
        .map(([, entry]) => entry),
    }),
  }),
  endpoint({
    ...open,
    method: "GET",
    path: `${path}/fabric`,
    permissions: { user: "all" },
    parameters: views,
    handler: ({ world, params, caller }) =>
      Object.entries(viewFabrics(world, params, listFabrics))
        .filter(([id]) => seesFabric(caller, id))
        // PVE reads the wrong member for the digest of the plain list.
        .map(([, { digest, ...entry }]) => ({ ...entry, ...(params.pending === 1 && { digest }) })),
  }),
  endpoint({
    ...open,
    method: "GET",
    path: `${path}/fabric/{id}`,
    permissions: { check: ["perm", "/sdn/fabrics/{id}", fabricReaders, { any: true }] },
    parameters: { id: fabricId },
    handler: ({ world, params }) => {
      getFabric(world.sdn.fabrics, params.id);
      return viewFabrics(world, {}, listFabrics)[params.id];
    },
  }),
];

const writeEndpoints = [
  endpoint({
    ...open,
    method: "POST",
    path: `${path}/fabric`,
    protected: true,
    permissions: { check: ["perm", "/sdn/fabrics", ["SDN.Allocate"]] },
    parameters: fabricProperties,
    handler: (call) =>
      changeFabrics(call, "adding fabric failed", (sections, checkDigest) => {
        checkDigest();
        addFabric(sections, call, call.params.id, call.params.protocol);
      }),
  }),
  endpoint({
    ...open,
    method: "PUT",
    path: `${path}/fabric/{id}`,
    protected: true,
    permissions: one,
    parameters: { ...fabricProperties, delete: array(string(), { optional: true }) },
    handler: (call) => {
      const { id, protocol, delete: deletions = [] } = call.params;
      for (const [index, name] of deletions.entries()) {
        const { deletable } = fabricOptions[protocol];
        if (!deletable.includes(name)) {
          const names = deletable.join(", ");
          paramError({
            [`delete[${index}]`]: `value '${name}' does not have a value in the enumeration '${names}'`,
          });
        }
      }
      return changeFabrics(call, "updating fabric failed", (sections, checkDigest) => {
        checkDigest();
        const section = getFabric(sections, id);
        if (section.options["protocol"] !== protocol) {
          die("node has a different protocol than the referenced fabric");
        }
        if (deletions.includes("area")) {
          die("error: data did not match any variant of untagged enum FabricDeletableProperties");
        }
        const options = withoutDefaults({ ...section.options, ...optionsOf(call, protocol) });
        section.options = Object.fromEntries(Object.entries(options).filter(([name]) => !deletions.includes(name)));
      });
    },
  }),
  endpoint({
    ...open,
    method: "DELETE",
    path: `${path}/fabric/{id}`,
    protected: true,
    permissions: one,
    parameters: { id: fabricId },
    handler: (call) =>
      changeFabrics(call, "deleting fabric failed", (sections, checkDigest) => {
        const { id } = call.params;
        checkDelete(call, id);
        checkDigest();
        for (const key of Object.keys(sections).filter((name) => sections[name]?.options["fabric_id"] === id)) {
          delete sections[key];
        }
        delete sections[id];
      }),
  }),
];

/** pve-network `src/PVE/API2/Network/SDN/Fabrics.pm` and `Fabrics/Fabric.pm`. */
export const fabricEndpoints = [...readEndpoints, ...writeEndpoints];
