import { type Attributes, Failure, LegacyState, type MoveDefinition, type State, sizeOf } from "#kit";
import type { Fingerprint } from "./identity.ts";
import type { GuestPrivateState } from "./private-state.ts";

/** A value as far as the other state has it; what is `undefined` is left to the refresh. */
export type Part<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> | undefined }
    : T;

interface GuestPart {
  readonly vmid?: number | undefined;
  readonly node?: string | undefined;
}

/**
 * Moves from types of other providers. What that provider does (its timeouts, waits, power and deletion switches) stays
 * behind: here it is said in other words or not at all, and a state that repeats it would only make a difference in the
 * first plan. `proofOf`: what in a state belongs to this guest only.
 */
export const moveGuest =
  <A extends Attributes, P extends GuestPrivateState, G extends GuestPart>(
    noun: string,
    proofOf: (guest: G) => Fingerprint | null,
  ) =>
  (provider: string, type: string, translate: (guest: LegacyState) => G): MoveDefinition<A, P> => ({
    provider,
    type,
    move({ state, privateState }) {
      const guest = translate(new LegacyState(state));
      if (guest.vmid === undefined) {
        throw new Failure(
          "Unable to move the resource",
          `Its state does not say which ${noun} it is: there is no VMID.`,
        );
      }
      // Who wrote that node is not the one who moved the guest elsewhere since.
      privateState.node = guest.node ?? null;
      privateState.fingerprint = proofOf(guest) ?? privateState.fingerprint;
      return prune(guest) as Partial<State<A>>;
    },
  });

/** Without members that are not known, and without objects that have none left. */
function prune(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const pruned = Object.entries(value).map(([name, member]) => [name, prune(member)] as const);
  const kept = pruned.filter(([, member]) => member !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

export const mebibytes = (amount: number | undefined) => (amount === undefined ? undefined : sizeOf(amount * 2 ** 20));
export const gibibytes = (amount: number | undefined) => (amount === undefined ? undefined : sizeOf(amount * 2 ** 30));

/** Where a number below zero stands for "not set". */
export const unlessNegative = (value: number | undefined) => (value !== undefined && value >= 0 ? value : undefined);

/** `a=1,b=2` */
export const optionsOf = (line: string | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries((line?.split(",") ?? []).map((option) => option.split(/=(.*)/s, 2)));

/** Devices by slot, where the other provider only counts them. */
export const numbered = <T>(family: string, devices: readonly T[]): Record<string, T> =>
  Object.fromEntries(devices.map((device, number) => [`${family}${number}`, device]));

/** The VMID at the end of `pve1/lxc/100`, or alone. */
export const vmidIn = (id: string | undefined): number | undefined => Number(id?.split("/").at(-1)) || undefined;

/** Lines of a text, such as public keys. */
export const linesOf = (text: string | undefined): string[] | undefined =>
  text
    ?.split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Telmate's start order: a block since 3.0.2, before that PVE's own line. */
export function telmateStartup(guest: LegacyState) {
  const block = guest.block("startup_shutdown");
  const line = optionsOf(guest.text("startup"));
  const value = (name: string, option: string) => unlessNegative(block.number(name) ?? Number(line[option] ?? -1));
  return {
    order: value("order", "order"),
    up_delay: value("startup_delay", "up"),
    down_delay: value("shutdown_timeout", "down"),
  };
}

/** bpg's start order. */
export function bpgStartup(guest: LegacyState) {
  const startup = guest.block("startup");
  return {
    order: unlessNegative(startup.number("order")),
    up_delay: unlessNegative(startup.number("up_delay")),
    down_delay: unlessNegative(startup.number("down_delay")),
  };
}
