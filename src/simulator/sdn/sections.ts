import type { Call } from "../core/kernel/endpoint.ts";
import { die, failureText } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import { splitList } from "../core/schema/format.ts";
import { boolean, type Properties, string } from "../core/schema/schema.ts";
import { sectionsDigest, typedOptions } from "../core/sections/section-config.ts";
import type { SectionAction, SectionFile } from "../core/sections/section-file.ts";
import type { SdnConfig } from "../core/world/sdn.ts";
import type { ConfigSection } from "../core/world/section.ts";
import type { World } from "../core/world/world.ts";

// The common part of all SDN objects: pve-network `src/PVE/Network/SDN.pm`.

/** The state that a reader requests. */
export const views = { pending: boolean({ optional: true }), running: boolean({ optional: true }) };

/** For every change: the token of the lock, if one is held. */
export const lockToken = { "lock-token": string({ optional: true }) };

export interface View {
  readonly pending?: 0 | 1 | undefined;
  readonly running?: 0 | 1 | undefined;
}

/** `lock_sdn_config`: changes happen under one lock; while a token is held, they require that token. */
export async function changeSdn<T>(
  process: Process,
  action: string,
  token: string | undefined,
  body: () => T | Promise<T>,
): Promise<T> {
  try {
    return await process.lock({ kind: "cfs", id: "domain-sdn" }, {}, () => {
      const { lockToken: held } = process.sim.world.sdn;
      if (held !== undefined && held !== token) {
        die("invalid lock token provided! at /usr/share/perl5/PVE/Network/SDN.pm line 291.");
      }
      return body();
    });
  } catch (thrown) {
    die(`${action}: ${failureText(thrown)}`);
  }
}

/** The `change` of a section file of one noun: `create sdn zone object failed: …`. */
export const changeOf =
  (noun: string) =>
  <T>(call: Call, action: SectionAction, body: () => T | Promise<T>): Promise<T> =>
    changeSdn(call, `${action} sdn ${noun} object failed`, call.params["lock-token"] as string | undefined, body);

type Entry = Record<string, unknown>;
type Entries = Record<string, Entry>;

/** Lists of names are compared and answered in order. */
function encode(name: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    return [...value].sort().join(",");
  }
  return name === "nodes" || name === "exitnodes" ? [...new Set(splitList(String(value)))].sort().join(",") : value;
}

/** Sections as the API answers them: typed, with lists of nodes in order. */
export function entriesOf(sections: Record<string, ConfigSection>, properties: Properties): Entries {
  return Object.fromEntries(
    Object.entries(sections).map(([id, { type, options }]) => {
      const typed = Object.entries(typedOptions(options, properties)).map(([name, value]) => [
        name,
        Array.isArray(value) ? value : encode(name, value),
      ]);
      return [id, { ...Object.fromEntries(typed), type }];
    }),
  );
}

/** Members that a new object shows beside `pending` instead of in it. */
const identifying = ["type", "vnet"];

/** `pending_config` for one object: its running values, the changes, and the kind of change. */
function pendingEntry(running: Entry | undefined, edited: Entry | undefined): Entry {
  if (edited === undefined) {
    return { ...running, pending: {}, state: "deleted" };
  }
  const isOther = (name: string) =>
    running?.[name] === undefined || encode(name, edited[name]) !== encode(name, running[name]);
  const names = Object.keys(edited);
  const shown = Object.fromEntries(
    names.filter((name) => identifying.includes(name)).map((name) => [name, edited[name]]),
  );
  const changed = names
    .filter((name) => !identifying.includes(name) && isOther(name))
    .map((name) => [name, edited[name]]);
  const deleted = Object.keys(running ?? {})
    .filter((name) => edited[name] === undefined)
    .map((name) => [name, "deleted"]);
  const isChanged =
    changed.length > 0 || deleted.length > 0 || identifying.some((name) => edited[name] !== running?.[name]);
  if (running !== undefined && !isChanged) {
    return { ...running };
  }
  return {
    ...running,
    ...shown,
    pending: Object.fromEntries([...changed, ...deleted]),
    state: running === undefined ? "new" : "changed",
  };
}

/** `pending_config` for all objects of a kind. */
export function pendingEntries(running: Entries, edited: Entries): Entries {
  const ids = [...new Set([...Object.keys(running), ...Object.keys(edited)])].sort();
  return Object.fromEntries(ids.map((id) => [id, pendingEntry(running[id], edited[id])]));
}

/** The objects of a kind in the requested state, by id. Only the edited state has a digest. */
export function viewSections(world: World, kind: keyof SdnConfig, file: SectionFile, view: View): Entries {
  const edited = entriesOf(world.sdn[kind], file.options);
  const running = entriesOf(world.sdn.running[kind], file.options);
  const hash = view.pending || view.running ? null : sectionsDigest(world.sdn[kind], file.rulesOf);
  const seen = view.pending ? pendingEntries(running, edited) : view.running ? running : edited;
  return Object.fromEntries(
    Object.keys(seen)
      .sort()
      .map((id) => [id, { [file.key]: id, ...seen[id], digest: hash }]),
  );
}

/** `has_pending_changes`; fabrics are not checked. */
export function hasPendingChanges({ sdn }: World): boolean {
  return (["zones", "vnets", "subnets", "controllers"] as const).some((kind) =>
    Object.values(pendingEntries(entriesOf(sdn.running[kind], {}), entriesOf(sdn[kind], {}))).some(
      ({ pending }) => pending !== undefined,
    ),
  );
}
