import type { World } from "#simulator";
import type { Chronicle } from "../chronicle.ts";
import { type Evidence, type Finding, finding } from "../judge.ts";
import { ofType, type Watch } from "../part.ts";
import type { Config, Configs } from "../script.ts";
import type { Held } from "../stack.ts";
import { GuestLedger } from "./guest-ledger.ts";

/** A kind of guest, as far as its checks differ. */
export interface WatchedKind {
  readonly type: "qemu" | "lxc";
  readonly resource: string;
  readonly noun: string;
  /** The option that holds the name. */
  readonly nameOption: "name" | "hostname";
  /** The attribute that holds the volumes. */
  readonly volumeMap: "disks" | "mounts";
}

/** What must be true of VMs, or of containers. */
export class GuestWatch implements Watch {
  readonly #kind: WatchedKind;
  readonly #ledger: GuestLedger;

  constructor(kind: WatchedKind, chronicle: Chronicle) {
    this.#kind = kind;
    this.#ledger = new GuestLedger(chronicle, kind.volumeMap);
  }

  plan(configs: Configs, held: ReadonlyMap<string, Held>): void {
    const { resource } = this.#kind;
    this.#ledger.plan(Object.fromEntries(ofType(resource, Object.entries(configs))), new Map(ofType(resource, held)));
  }

  judge(evidence: Evidence): Finding[] {
    const { noun } = this.#kind;
    return [
      ...this.#missing(evidence).map(finding(`${noun} missing`)),
      ...this.#orphans(evidence).map(finding(`orphan ${noun}`)),
      ...this.#duplicates(evidence).map(finding("duplicate name")),
      ...this.#lostDisks(evidence).map(finding("disk lost")),
      ...this.#replaced(evidence).map(finding(`${noun} replaced unasked`)),
      ...this.#marked(evidence).map(finding("mark left")),
    ];
  }

  /** Guests that neither existed at the start nor took a VMID in a fault. */
  #ours({ chronicle }: Evidence) {
    const guests = Object.values(chronicle.world.guests).filter(({ type }) => type === this.#kind.type);
    return guests.filter(({ vmid, config }) => !chronicle.isOthers(vmid) && config["name"] !== "taken-by-another");
  }

  #missing({ wanted, held, chronicle }: Evidence): string[] {
    const { resource, type, noun, nameOption } = this.#kind;
    return ofType<Config>(resource, Object.entries(wanted)).flatMap(([address, { name }]) => {
      const vmid = vmidOf(held.get(address));
      if (vmid === 0) return [`${address} is in no state`];
      const guest = chronicle.world.guests[vmid];
      return guest?.type === type && guest.config[nameOption] === name ? [] : [`${address} should be ${noun} ${vmid}`];
    });
  }

  #orphans(evidence: Evidence): string[] {
    const { resource, noun, nameOption } = this.#kind;
    const known = new Set(ofType(resource, evidence.held).map(([, held]) => vmidOf(held)));
    // Without a worker, PVE leaves an empty configuration that the API cannot remove; the message has to say so.
    const isNamed = (vmid: number) => evidence.messages.includes(`VMID ${vmid} is left reserved`);
    const isExcused = (vmid: number) => isNamed(vmid) || evidence.chronicle.isExcusedStub(vmid);
    const lost = this.#ours(evidence).filter(({ vmid }) => !known.has(vmid) && !isExcused(vmid));
    return lost.map(({ vmid, node, config }) => `${noun} ${vmid} "${config[nameOption]}" on ${node} is in no state`);
  }

  #duplicates(evidence: Evidence): string[] {
    const names = this.#ours(evidence).flatMap(({ config }) => config[this.#kind.nameOption] ?? []);
    return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  }

  #lostDisks({ held, chronicle }: Evidence): string[] {
    return this.#ledger.treasures.flatMap(({ guest, slot, disk, mayBeElsewhere }) => {
      const portrait = chronicle.portrait(vmidOf(held.get(guest)));
      const disks = Object.entries(portrait?.disks ?? {});
      if (disks.some(([, { stamp }]) => stamp === disk.stamp)) return [];
      const now = portrait?.disks[slot];
      const places = disks.filter(([name]) => name === slot || name.startsWith("unused"));
      if (mayBeElsewhere && places.some(([, { size }]) => size >= disk.size)) return [];
      return [`${disk.volid}, ${slot} of ${guest}, ${now ? `has become ${now.volid}` : "does not exist"}`];
    });
  }

  #replaced({ held, chronicle }: Evidence): string[] {
    return [...this.#ledger.stamps].flatMap(([address, stamp]) => {
      const vmid = vmidOf(held.get(address));
      const now = chronicle.portrait(vmid)?.stamp;
      return now === stamp
        ? []
        : [`${address} is ${now === undefined ? "missing" : `another ${this.#kind.noun} ${vmid}`}`];
    });
  }

  #marked(evidence: Evidence): string[] {
    return this.#ours(evidence).flatMap(({ vmid, config }) =>
      config["description"]?.includes("terraform-provider-proxmox") ? [`${vmid}: ${config["description"]}`] : [],
    );
  }
}

const vmidOf = (held: Held | undefined): number => Number(held?.attribute("vmid") ?? 0);

/** Removes what PVE left of a guest whose worker did not start, with the command of the message. */
export function removeReserved(message: string, { guests }: World): boolean {
  const [, vmid = ""] = /`(?:qm|pct) unlock (\d+) && (?:qm|pct) destroy \1`/.exec(message) ?? [];
  if (guests[vmid]?.config["lock"] !== "create") return false;
  delete guests[vmid];
  return true;
}

/** The guest that a message says exists already, with its import block. */
export const finishedGuest =
  ({ noun, resource }: WatchedKind) =>
  (message: string): { readonly address: string; readonly id: string } | undefined => {
    const shape = new RegExp(`A ${noun} named "([^"]+)" exists already: VMID (\\d+)[\\s\\S]*import \\{`);
    const [, name, id] = shape.exec(message) ?? [];
    return name === undefined || id === undefined ? undefined : { address: `${resource}.${name}`, id };
  };
