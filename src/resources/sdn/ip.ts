import {
  alreadyExists,
  awaitReference,
  checkPrivileges,
  commitStaged,
  createOnce,
  defineResource,
  Failure,
  isPveError,
  matches,
  type Need,
  provenWrite,
  type Session,
  string,
} from "#kit";
import { ipAddress, parseAddress } from "./addresses.ts";
import { planIp } from "./plan-ip.ts";
import { vnets } from "./planned.ts";

const type = "proxmox_sdn_ip";

const attributes = {
  vnet: {
    type: string(),
    mode: "required",
    replace: true,
    doc: 'Vnet, in a zone with `ipam = "pve"` and `simple = { dhcp = "dnsmasq" }`. Refer to the subnet of the address, so that the subnet is there first: `proxmox_sdn_subnet.NAME.vnet`.',
  },
  ip: {
    type: string({ check: ipAddress, same: (a, b) => isSameAddress(a, b) }),
    mode: "required",
    replace: true,
    doc: "The address, inside a subnet of the vnet.",
  },
  mac: {
    type: string({
      check: matches(/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/i, "a MAC address such as `BC:24:11:00:00:01`"),
      same: (a, b) => a.toUpperCase() === b.toUpperCase(),
    }),
    mode: "required",
    replace: true,
    doc: "MAC address of the network card that gets the address.",
  },
} as const;

interface Reserved {
  readonly vnet: string;
  readonly ip: string;
}

/** `proxmox_sdn_ip`. Server side: pve-network `src/PVE/API2/Network/SDN/Ips.pm`, `src/PVE/Network/SDN/Ipams/PVEPlugin.pm`. */
export const sdnIp = defineResource({
  type,
  subcategory: "SDN",
  doc: "A fixed address for a network card in a vnet: the DHCP server of the zone always gives it that one. It is registered in Proxmox VE's own IPAM at once; the subnet must be in effect, and is committed first if this run creates it. Needs `SDN.Allocate` on `/sdn/zones/<zone>/<vnet>`.",
  attributes,
  identity: ["vnet", "ip"],
  nameOf: ({ vnet, ip }) => (vnet && ip ? idOf({ vnet, ip }) : undefined),
  label: ({ ip, vnet }) => (ip ? `address ${ip} of vnet ${vnet ?? "?"}` : "address of a vnet"),

  async plan({ api, config, prior, changes, report }) {
    const { vnet, ip } = config;
    if (!api || vnet === undefined || ip === undefined || (prior !== null && changes.size === 0)) return;
    const zone = await zoneOf(api, vnet);
    const isAllowed = zone === undefined || (await checkPrivileges({ report, api, needs: needsOf(zone, vnet) }));
    if (isAllowed) await planIp(api, report, { vnet, ip });
    const isKnown = prior !== null || api.managed.has(type, idOf({ vnet, ip }));
    const found = isKnown || !isAllowed ? null : await find(api, { vnet, ip });
    if (found === null) return;
    const { summary, detail } = existing({ vnet, ip }, found.gateway === true);
    report.error("ip", summary, detail);
  },

  async planDelete({ api, id, report }) {
    const zone = api && (await zoneOf(api, id.vnet));
    if (api && zone !== undefined) await checkPrivileges({ report, api, needs: needsOf(zone, id.vnet) });
  },

  async create({ api, desired, signal }) {
    const { vnet, ip, mac } = desired;
    await awaitReference(api, { kind: "vnet", name: vnet, signal });
    await commitStaged(api, signal);
    const zone = (await zoneOf(api, vnet)) ?? "";
    await createOnce({
      api,
      signal,
      find: () => find(api, { vnet, ip }, signal),
      make: () => api.sdn.addAddress({ zone, vnet, ip, mac }, { signal }),
      exists: existing({ vnet, ip }, false),
      path: "ip",
    });
    return { vnet, ip };
  },

  async read({ api, id, state, purpose, signal }) {
    const all = () => api.sdn.listAddresses({ signal });
    const found = (await (purpose === "refresh" ? api.store.together("addresses of the SDN", all) : all())).find(
      (one) => isOne(one, id),
    );
    if (found === undefined) return null;
    const mac = found.mac ?? "";
    return { vnet: found.vnet, ip: id.ip, mac: state?.mac.toUpperCase() === mac.toUpperCase() ? state.mac : mac };
  },

  async delete({ api, id, state, signal }) {
    const zone = await zoneOf(api, id.vnet);
    if (zone === undefined) return;
    const remove = async () => {
      try {
        await api.sdn.removeAddress({ zone, ...id, mac: state.mac }, { signal });
      } catch (reason) {
        if (!isPveError(reason, "not_found")) throw reason;
      }
    };
    await provenWrite(api, { write: remove, isDone: async () => (await find(api, id, signal)) === null, signal });
  },

  import({ id }) {
    const [, vnet, ip = ""] = /^([A-Za-z][A-Za-z0-9]*)\/(\S+)$/.exec(id.trim()) ?? [];
    if (vnet !== undefined && parseAddress(ip) !== null) return { vnet, ip };
    throw new Failure("Invalid import ID", `\`${id}\` is not of the form VNET/IP, such as \`guests/10.30.0.10\`.`);
  },
});

const isSameAddress = (a: string, b: string): boolean => parseAddress(a)?.value === parseAddress(b)?.value;

const isOne = (one: Reserved, { vnet, ip }: Reserved): boolean => one.vnet === vnet && isSameAddress(one.ip, ip);

const idOf = ({ vnet, ip }: Reserved): string => `${vnet}/${ip.toLowerCase()}`;

const find = async (api: Session, wanted: Reserved, signal?: AbortSignal) =>
  (await api.sdn.listAddresses({ signal })).find((one) => isOne(one, wanted)) ?? null;

async function zoneOf(api: Session, vnet: string): Promise<string | undefined> {
  const zone = (await vnets.all(api)).get(vnet)?.["zone"];
  return zone === undefined ? undefined : String(zone);
}

const needsOf = (zone: string, vnet: string): Need[] => [
  { privileges: ["SDN.Allocate"], paths: [`/sdn/zones/${zone}/${vnet}`], attribute: null },
];

function existing({ vnet, ip }: Reserved, isGateway: boolean): { summary: string; detail: string } {
  const detail = `${ip} is the gateway of a subnet of \`${vnet}\`.`;
  if (isGateway) return { summary: "Address of the gateway", detail };
  const otherwise = "Otherwise choose another `ip`.";
  return alreadyExists({ type, id: idOf({ vnet, ip }), label: `Address ${ip} of vnet ${vnet}`, otherwise });
}
