import type { ConfigDraft, Families } from "#kit";

/** What is wrong, and which attribute to correct. */
export interface Conflict {
  readonly path: readonly string[];
  readonly detail: string;
  /** An attribute that decides too: while it is unknown, this is not judged. */
  readonly decidedBy?: readonly string[];
}

/** Settings that PVE does not accept together. */
export interface Rule {
  /** PVE refuses to store them, or stores them and refuses to start the VM. */
  readonly when: "written" | "started";
  /** The options they are stored in: a change to none of these is not judged. */
  readonly options: RegExp;
  /** The attributes that decide: while one of them is unknown, nothing is judged. */
  readonly attributes: readonly (readonly string[])[];
  find(config: ConfigDraft): readonly Conflict[];
}

export const mib = (draft: ConfigDraft): number => Number(draft.read({ option: "memory", key: "current" }) ?? 512);

export const isQ35 = (draft: ConfigDraft): boolean =>
  String(draft.read({ option: "machine", key: "type" }) ?? "").includes("q35");

/** The options of a draft that are slots of one family, with what they say. */
export const devicesIn = (draft: ConfigDraft, families: Families) =>
  draft.slots(families).map((slot) => ({
    slot,
    read: (key: string) => draft.read({ option: slot, key }),
  }));
