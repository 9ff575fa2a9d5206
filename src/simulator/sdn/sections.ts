import { type OptionRules, sectionsDigest, typedOptions } from "../cluster/section-config.ts";
import { die, failureText } from "../kernel/failure.ts";
import type { Process } from "../kernel/process.ts";
import { boolean, type Properties } from "../schema/schema.ts";
import type { ConfigSection } from "../world/section.ts";

// What zones and vnets have in common: pve-network `src/PVE/Network/SDN.pm`.

/** Which state a reader wants to see. */
export const views = { pending: boolean({ optional: true }), running: boolean({ optional: true }) };

export interface View {
  readonly pending?: 0 | 1 | undefined;
  readonly running?: 0 | 1 | undefined;
}

type Sections = Record<string, ConfigSection>;

/** `lock_sdn_config`: edits happen under one lock, and while somebody holds a token only with that token. */
export async function changeSdn<T>(
  process: Process,
  action: string,
  token: string | undefined,
  body: () => T,
): Promise<T> {
  try {
    return await process.lock({ kind: "cfs", id: "domain-sdn" }, {}, () => {
      const { lockToken } = process.sim.world.sdn;
      if (lockToken !== undefined && lockToken !== token) {
        die("invalid lock token provided! at /usr/share/perl5/PVE/Network/SDN.pm line 362.");
      }
      return body();
    });
  } catch (thrown) {
    die(`${action}: ${failureText(thrown)}`);
  }
}

function plain(section: ConfigSection, properties: Properties): Record<string, unknown> {
  return { ...typedOptions(section.options, properties), type: section.type };
}

/** `pending_config`: the running object, what would change, and a word for the difference. */
function pendingView(
  running: ConfigSection | undefined,
  edited: ConfigSection | undefined,
  properties: Properties,
): Record<string, unknown> {
  const before = running === undefined ? {} : plain(running, properties);
  const after = edited === undefined ? {} : plain(edited, properties);
  if (running === undefined || edited === undefined) {
    const { type, ...options } = after;
    return running === undefined
      ? { type, pending: options, state: "new" }
      : { ...before, pending: {}, state: "deleted" };
  }
  const set = Object.entries(after).filter(([name, value]) => name !== "type" && before[name] !== value);
  const deleted = Object.keys(before)
    .filter((name) => after[name] === undefined)
    .map((name) => [name, "deleted"]);
  const pending = Object.fromEntries([...set, ...deleted]);
  return { ...before, ...(Object.keys(pending).length > 0 && { pending, state: "changed" }) };
}

export interface SectionKind {
  readonly edited: Sections;
  readonly running: Sections;
  readonly properties: Properties;
  rulesOf(type: string): OptionRules;
}

/** The objects that a reader sees in the wished state, by id. */
export function viewSections(kind: SectionKind, view: View): Record<string, Record<string, unknown>> {
  const { edited, running, properties } = kind;
  if (view.pending === 1) {
    const ids = [...new Set([...Object.keys(running), ...Object.keys(edited)])].sort();
    return Object.fromEntries(ids.map((id) => [id, pendingView(running[id], edited[id], properties)]));
  }
  const sections = view.running === 1 ? running : edited;
  const digest = sectionsDigest(sections, kind.rulesOf);
  return Object.fromEntries(
    Object.entries(sections).map(([id, section]) => [id, { ...plain(section, properties), digest }]),
  );
}
