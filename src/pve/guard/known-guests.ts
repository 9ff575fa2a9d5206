import type { CallOptions } from "../api.ts";
import type { GuestAddress, GuestConfig, PendingOption } from "../qemu.ts";
import type { Call } from "../transport/call.ts";

interface Answers {
  readonly config?: GuestConfig;
  readonly pending?: readonly PendingOption[];
}

interface Known extends Answers {
  /** The state of the guest's counter when the data was requested. */
  readonly stamp: string;
  readonly readAt: number;
}

/** Between two steps that belong together passes less; after a longer wait, reading again is cheap. */
const knownForMs = 30_000;

type View = { readonly current?: boolean; readonly snapshot?: string };

/** Calls that read the configuration of one guest. */
interface Reads {
  getConfig(guest: GuestAddress, view?: View, options?: CallOptions): Promise<GuestConfig>;
  findConfig(guest: GuestAddress, options?: CallOptions): Promise<GuestConfig | null>;
  listPending(guest: GuestAddress, options?: CallOptions): Promise<PendingOption[]>;
}

/** Data of an earlier read, while this process has not changed the guest since. */
export interface KnownReads {
  knownConfig(guest: GuestAddress): GuestConfig | undefined;
  knownPending(guest: GuestAddress): readonly PendingOption[] | undefined;
}

/**
 * Remembers what was last read of each guest, so that the steps of one operation, and the plan after a refresh, need not
 * read it again. Every write to a guest, and the end of every task on it, makes that outdated. Changes by others are not
 * noticed here: a write sends the digest, and is repeated with a new configuration when PVE refuses it.
 */
export class KnownGuests {
  readonly #known = new Map<string, Known>();
  readonly #changes = new Map<number, number>();
  #commonChanges = 0;

  /** A call that changes something was sent or answered. One without a guest may change any: HA moves guests. */
  wasCalled({ path, parameters }: Pick<Call, "path" | "parameters">): void {
    const [, vmid = parameters["vmid"]] = /\/(?:qemu|lxc)\/(\d+)(?:\/|$)/.exec(path) ?? [];
    this.wasChanged(vmid);
    if (parameters["newid"] !== undefined) this.wasChanged(parameters["newid"]);
  }

  /** The guest with this id was changed; anything that is no VMID stands for every guest. */
  wasChanged(id: unknown): void {
    const vmid = Number(id);
    if (Number.isInteger(vmid) && vmid > 0) this.#changes.set(vmid, (this.#changes.get(vmid) ?? 0) + 1);
    else this.#commonChanges += 1;
  }

  /** The calls, and access to what they returned last. `parse` makes a configuration of its options. */
  remembering<R extends Reads>(type: string, reads: R, parse: (options: Record<string, string>) => GuestConfig) {
    const keyOf = ({ node, vmid }: GuestAddress) => `${type} ${node} ${vmid}`;
    const stampOf = ({ vmid }: GuestAddress) => `${this.#commonChanges} ${this.#changes.get(vmid) ?? 0}`;
    const known = (guest: GuestAddress): Known | undefined => {
      const found = this.#known.get(keyOf(guest));
      const isValid = found?.stamp === stampOf(guest) && performance.now() - found.readAt < knownForMs;
      return isValid ? found : undefined;
    };
    const reading = async <T>(guest: GuestAddress, read: Promise<T>, received: (answer: T) => Answers) => {
      const [stamp, readAt] = [stampOf(guest), performance.now()];
      const answer = await read;
      this.#known.set(keyOf(guest), { stamp, readAt, ...received(answer) });
      return answer;
    };
    /** The list that was read before, if it belongs to this configuration. */
    const withList = (guest: GuestAddress, config: GuestConfig): Answers => {
      const pending = known(guest)?.pending;
      const isSame = pending?.some(({ key, value }) => key === "digest" && value === config.digest) === true;
      return { config: copyOf(config), ...(pending && isSame && { pending }) };
    };
    const own: Reads & KnownReads = {
      getConfig: (guest, view = {}, options) =>
        view.current === undefined && view.snapshot === undefined
          ? reading(guest, reads.getConfig(guest, view, options), (config) => withList(guest, config))
          : reads.getConfig(guest, view, options),
      findConfig: (guest, options) =>
        reading(guest, reads.findConfig(guest, options), (config) => (config ? withList(guest, config) : {})),
      listPending: (guest, options) =>
        reading(guest, reads.listPending(guest, options), (pending) => {
          const config = configIn(pending);
          return config === null ? { pending } : { pending, config: parse(config) };
        }),
      knownConfig: (guest) => {
        const config = known(guest)?.config;
        return config && copyOf(config);
      },
      knownPending: (guest) => known(guest)?.pending,
    };
    return { ...reads, ...own };
  }
}

/** Callers edit what they get. */
const copyOf = (config: GuestConfig): GuestConfig => ({ ...config, options: { ...config.options } });

/**
 * The configuration as `GET …/config` shows it: with the changes that are pending. An option that the next start removes is
 * left out unless its value is `0` (qemu-server: src/PVE/API2/Qemu.pm, `vm_config`; pve-container:
 * src/PVE/API2/LXC/Config.pm). Null: the list does not tell, since PVE may hide a CPU model of its own only there.
 */
function configIn(options: readonly PendingOption[]): Record<string, string> | null {
  const shown = options.flatMap(({ key, value, pending, delete: removed }) => {
    const text = key === "cipassword" ? (pending ?? value)?.trimEnd() : (pending ?? value);
    const isLeftOut = text === undefined || (removed !== undefined && text !== "" && text !== "0");
    return isLeftOut ? [] : [[key, text] as const];
  });
  const config = Object.fromEntries(shown);
  return config["digest"] === undefined || config["cpu"]?.includes("custom-") ? null : config;
}
