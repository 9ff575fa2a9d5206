import type { GuestType } from "#pve";
import { Activity } from "./activity.ts";
import { isGrowerText, removeGrower } from "./disk-grower.ts";
import { isPveError } from "./pve-error.ts";
import { placesOfStorages } from "./same-place.ts";
import type { Session } from "./session.ts";

/** A place where a guest refers to a volume. */
export interface Attachment {
  readonly vmid: number;
  readonly type: GuestType;
  readonly node: string;
  readonly slot: string;
  readonly volume: string;
  /** The snapshot that refers to it; null: the guest itself does. */
  readonly snapshot: string | null;
  /** The guest exists only to grow the volume: an interrupted run has left it. */
  readonly isTemporary: boolean;
}

/** A volume. On a storage that is not shared, each node may have one of that ID. */
export interface VolumePlace {
  readonly volume: string;
  /** The node that alone has it; null: its storage is shared. */
  readonly node: string | null;
}

type Guest = Pick<Attachment, "vmid" | "type" | "node">;

/** Options that name a volume. A volume that is kept as `unusedN` is not attached. */
const volumeSlot = /^(scsi|virtio|sata|ide|efidisk|tpmstate|mp)\d+$|^rootfs$/;

/** How long no work on guests may begin before a volume counts as kept: Terraform may be about to begin it. */
const graceMs = 2000;

const readAttempts = 3;

/**
 * Which guest has which volume. PVE has no list of that, so every guest is read, once per run, and again after this
 * process has changed it. A removal that waits for a restart has not happened: the running guest still writes.
 */
export class Attachments {
  /** Hooks that read, plan and change guests: while there are any, a volume may become free. */
  readonly work = new Activity();
  readonly #api: Session;
  readonly #known = new Map<number, readonly Attachment[]>();
  /** Volumes that plans take from guests, by VMID; null: the guest is destroyed. */
  readonly #released = new Map<number, ReadonlySet<string> | null>();
  readonly #inState = new Set<number>();
  /** Snapshots that plans remove, as `VMID/NAME`. */
  readonly #dropped = new Set<string>();
  /** The guest that will have each volume after this run, as far as it is planned. */
  readonly #claims = new Map<string, { readonly by: unknown; readonly label: string }>();
  #reading: Promise<void> | undefined;
  /** Known as soon as a guest has a volume of the name that is asked for, on another storage. */
  #isSamePlace = (one: string, other: string): boolean => one === other;
  /** Nodes that are offline: what their guests have is not known. */
  #unread: readonly string[] = [];

  constructor(api: Session) {
    this.#api = api;
  }

  /** Everywhere the volume is attached, in guests and in snapshots. */
  async of(place: VolumePlace): Promise<Attachment[]> {
    await this.#readFor(place);
    return this.#find(place);
  }

  /** Where one guest has the volume, without asking the others. */
  async in(vmid: number, place: VolumePlace): Promise<Attachment | null> {
    const guest = await this.#api.inventory.locate(vmid);
    if (guest === null) return null;
    if (!this.#known.has(vmid)) this.#known.set(vmid, await this.#read(guest));
    return this.#find(place).find((one) => one.vmid === vmid && one.snapshot === null) ?? null;
  }

  async unreadNodes(): Promise<readonly string[]> {
    await this.#readAll();
    return this.#unread;
  }

  /** This process has changed the guest. */
  async changed(vmid: number): Promise<void> {
    if (!this.#known.has(vmid) && this.#reading === undefined) return;
    await this.#reading;
    this.#known.delete(vmid);
    const guest = await this.#api.inventory.locate(vmid);
    if (guest) this.#known.set(vmid, await this.#read(guest));
    this.work.tell();
  }

  /** Records that the state has the guest: a plan that is not made yet may destroy it. */
  expect(vmid: number): void {
    this.#inState.add(vmid);
  }

  /** Records which volumes a planned change takes from a guest; null: all, since it is destroyed. */
  release(vmid: number, volumes: ReadonlySet<string> | null): void {
    this.#released.set(vmid, volumes);
    this.work.tell();
  }

  /** Records that a plan removes a snapshot, and with it what it refers to. */
  dropSnapshot(vmid: number, name: string): void {
    this.#dropped.add(`${vmid}/${name}`);
    this.work.tell();
  }

  /** Records that a guest will have the volume. Returns the one that another plan gives it to. */
  claim({ volume, node }: VolumePlace, by: unknown, label: string): string | null {
    const key = `${node ?? ""} ${volume}`;
    const other = this.#claims.get(key);
    if (other !== undefined && other.by !== by) return other.label;
    this.#claims.set(key, { by, label });
    return null;
  }

  /** The guest is planned anew, or its change is done: from then on its configuration says what it has. */
  unclaim(by: unknown): void {
    for (const [key, claim] of this.#claims) if (claim.by === by) this.#claims.delete(key);
  }

  /** Where the volume will still be attached after this run. Plans that are not made yet are waited for. */
  async keepers(place: VolumePlace, signal: AbortSignal): Promise<Attachment[]> {
    const all = await this.of(place);
    const isDropped = ({ vmid, snapshot }: Attachment) => this.#dropped.has(`${vmid}/${snapshot}`);
    const isKnown = () =>
      all.every((one) => this.#released.get(one.vmid) === null || this.#isFreed(one, isDropped(one)));
    await this.work.until(isKnown, graceMs, signal);
    return all.filter((one) => this.#released.get(one.vmid) !== null && !this.#isFreed(one, isDropped(one)));
  }

  /** Waits until no other guest has the volume, or no snapshot either. Returns where it still is when nothing in this run frees it. */
  async untilFree(
    place: VolumePlace,
    vmid: number | null,
    signal: AbortSignal,
    isNeeded: (one: Attachment) => boolean = ({ snapshot }) => snapshot === null,
  ): Promise<Attachment[]> {
    const others = () => this.#find(place).filter((one) => one.vmid !== vmid && isNeeded(one));
    await this.#readFor(place);
    await this.work.until(() => others().length === 0, graceMs, signal);
    for (const other of others()) {
      if (other.isTemporary) await removeGrower(this.#api, other, signal);
      // Another client may have detached it.
      await this.changed(other.vmid);
    }
    return others();
  }

  /**
   * The same before any guest is changed, but after guests and snapshots are destroyed. What a plan that is not made yet
   * may free is not certain.
   */
  async remaining(place: VolumePlace, signal: AbortSignal): Promise<(Attachment & { readonly isCertain: boolean })[]> {
    const all = await this.of(place);
    const isGone = ({ vmid, snapshot }: Attachment) =>
      this.#released.get(vmid) === null || this.#dropped.has(`${vmid}/${snapshot}`);
    await this.work.until(() => all.every(isGone), graceMs, signal);
    // With few of Terraform's slots, the plan of a guest may come after this one.
    const isPlanned = ({ vmid, volume }: Attachment) =>
      this.#released.has(vmid) || [...this.#claims].some(([key, { by }]) => by === vmid && key.endsWith(` ${volume}`));
    const remaining = all.filter((one) => !isGone(one) && (!this.#inState.has(one.vmid) || isPlanned(one)));
    const isKept = (one: Attachment) => one.snapshot === null && isPlanned(one);
    return remaining.map((one) => ({ ...one, isCertain: this.work.isConcurrent || isKept(one) }));
  }

  #isFreed({ vmid, volume, snapshot }: Attachment, isDropped: boolean): boolean {
    return snapshot === null ? (this.#released.get(vmid)?.has(volume) ?? false) : isDropped;
  }

  #find({ volume, node }: VolumePlace): Attachment[] {
    const [storage, name] = partsOf(volume);
    return [...this.#known.values()].flat().filter((one) => {
      const [otherStorage, otherName] = partsOf(one.volume);
      return otherName === name && this.#isSamePlace(otherStorage, storage) && (node === null || one.node === node);
    });
  }

  /** Storages on one place have the same volumes under several names. */
  async #readFor({ volume }: VolumePlace): Promise<void> {
    await this.#readAll();
    const [storage, name] = partsOf(volume);
    const all = [...this.#known.values()].flat().map((one) => partsOf(one.volume));
    if (all.some(([otherStorage, otherName]) => otherName === name && otherStorage !== storage)) {
      this.#isSamePlace = await placesOfStorages(this.#api);
    }
  }

  #readAll(): Promise<void> {
    this.#reading ??= this.#readGuests().catch((reason: unknown) => {
      this.#reading = undefined;
      throw reason;
    });
    return this.#reading;
  }

  async #readGuests(): Promise<void> {
    const { guests, nodes, isOnline } = await this.#api.inventory.snapshot();
    this.#unread = [...nodes.keys()].filter((node) => !isOnline(node));
    const readable = [...guests.values()].filter(({ node }) => isOnline(node));
    await Promise.all(readable.map(async (guest) => this.#known.set(guest.vmid, await this.#read(guest))));
  }

  async #read({ vmid, type, node }: Guest, attempt = 1): Promise<Attachment[]> {
    const guest = { vmid, type, node };
    const calls = type === "qemu" ? this.#api.qemu : this.#api.lxc;
    try {
      const options = await calls.listPending(guest);
      const lines = options.flatMap(({ key, value, pending }) => [value, pending].map((line) => [key, line] as const));
      const isTemporary = options.some(({ key, value }) => key === "description" && isGrowerText(String(value ?? "")));
      const own = attachmentsIn(lines).map((place) => ({ ...guest, ...place, snapshot: null, isTemporary }));
      const hasSnapshots = options.some(({ key }) => key === "parent");
      return hasSnapshots ? [...own, ...(await this.#readSnapshots(guest))] : own;
    } catch (reason) {
      // It was destroyed or moved since it was listed, or the caller may see no more than that it exists.
      if (isPveError(reason, "not_found", "permission")) return [];
      // A snapshot that was listed may be gone.
      if (attempt < readAttempts) return this.#read(guest, attempt + 1);
      throw reason;
    }
  }

  async #readSnapshots(guest: Guest): Promise<Attachment[]> {
    const isVm = guest.type === "qemu";
    const names = await (isVm ? this.#api.snapshots : this.#api.containerSnapshots).list(guest);
    const read = names.map(async ({ name }) => {
      const ofSnapshot = { snapshot: name, isTemporary: false };
      const { options } = await (isVm ? this.#api.qemu : this.#api.lxc).getConfig(guest, { snapshot: name });
      return attachmentsIn(Object.entries(options)).map((place) => ({ ...guest, ...place, ...ofSnapshot }));
    });
    return (await Promise.all(read)).flat();
  }
}

function partsOf(volume: string): readonly [storage: string, name: string] {
  const at = volume.indexOf(":");
  return [volume.slice(0, at), volume.slice(at + 1)];
}

function attachmentsIn(lines: Iterable<readonly [slot: string, line: unknown]>) {
  const found = new Map<string, Pick<Attachment, "slot" | "volume">>();
  for (const [slot, line] of lines) {
    const [first = ""] = String(line ?? "").split(",");
    const volume = first.replace(/^(file|volume)=/, "");
    if (volumeSlot.test(slot) && volume.includes(":")) found.set(`${slot} ${volume}`, { slot, volume });
  }
  return [...found.values()];
}

/** In the run store: a configured provider has one. */
export const attachmentsOf = (api: Session): Attachments => api.store.keep("attachments", () => new Attachments(api));
