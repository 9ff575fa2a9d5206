import { isListLine, type ListLine, type OptionCodecs, type PackedLine } from "./codecs.ts";
import type { Place } from "./place.ts";
import { type Families, familyOf, isSlot, numberOf } from "./slot.ts";

/** A configuration as PVE returns it: plain options, and packed ones in one line each. */
export type RawConfig = Readonly<Record<string, string | number>>;

/** What one call has to send: options to set, and the ones to remove. */
export interface ConfigPatch {
  readonly set: RawConfig;
  readonly delete: readonly string[];
}

type Raw = string | number;

/**
 * A configuration that is being changed. It reads like the configuration it will become, and it knows what to send to
 * get there: an option that was not touched, or ends up as it was, is not sent, and a packed line is patched, so that
 * sub-keys without an attribute stay as they are.
 */
export class ConfigDraft {
  readonly codecs: OptionCodecs;
  #before: RawConfig;
  readonly #now: Map<string, Raw>;

  constructor(config: RawConfig, codecs: OptionCodecs) {
    this.codecs = codecs;
    this.#before = config;
    // Perl writes an emptied option as one blank (qemu-server: src/PVE/QemuServer.pm, `write_vm_config`).
    this.#now = new Map(Object.entries(config).filter(([, value]) => String(value).trim() !== ""));
  }

  has(option: string): boolean {
    return this.#now.has(option);
  }

  /** The whole option as it stands; null when it is not set. */
  raw(option: string): Raw | null {
    return this.#now.get(option) ?? null;
  }

  /** Options in use that are slots of these families, family by family in the order of their numbers. */
  slots(families: Families): string[] {
    const slots = [...this.#now.keys()].filter((option) => isSlot(option, families));
    const rank = (slot: string) => Object.keys(families).indexOf(familyOf(slot));
    return slots.sort((a, b) => rank(a) - rank(b) || numberOf(a) - numberOf(b));
  }

  read({ option, key }: Place): unknown {
    const raw = this.raw(option);
    if (raw === null) return null;
    const line = this.#line(option);
    if (line === null) return key === null ? raw : null;
    if (isListLine(line)) return line.items;
    if (key === null) return raw;
    return (line.values as Record<string, unknown>)[key] ?? null;
  }

  /** Null, an empty string and an empty list take the value out. */
  write({ option, key }: Place, value: unknown): void {
    const isNothing = value === null || value === "" || (Array.isArray(value) && value.length === 0);
    const line = this.#line(option);
    if (line === null || (key === null && !isListLine(line))) {
      this.set(option, isNothing ? null : toRaw(value));
    } else if (isListLine(line)) {
      this.set(option, isNothing ? null : line.with(value as string[]).toString());
    } else if (key !== null) {
      this.set(
        option,
        line
          .with({ [key]: isNothing ? undefined : value })
          .toString()
          .trim() || null,
      );
    }
  }

  set(option: string, value: Raw | null): void {
    if (value === null) this.#now.delete(option);
    else this.#now.set(option, value);
  }

  /** Treats an option as one that is not set: it is sent if it is set again, and not removed otherwise. */
  forget(option: string): void {
    const { [option]: _forgotten, ...others } = this.#before;
    this.#before = others;
    this.#now.delete(option);
  }

  /** The configuration as it would be read after the change. */
  get config(): RawConfig {
    return Object.fromEntries(this.#now);
  }

  get patch(): ConfigPatch {
    const changed = [...this.#now].filter(([option, value]) => String(value) !== String(this.#before[option] ?? ""));
    const gone = Object.keys(this.#before).filter(
      (option) => !this.#now.has(option) && String(this.#before[option]).trim() !== "",
    );
    return { set: Object.fromEntries(changed), delete: gone };
  }

  #line(option: string): PackedLine | ListLine | null {
    return this.codecs.codecOf(option)?.parse(String(this.raw(option) ?? "")) ?? null;
  }
}

function toRaw(value: unknown): Raw {
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "number" ? value : String(value);
}
