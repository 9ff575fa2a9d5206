import { type ConfigDraft, derived, inherits, map, matches, string } from "#kit";

/** Without control characters other than tabs. */
const isOneLine = (text: string): boolean => !/[^\P{Cc}\t]/u.test(text);

/** Entries are separated by NUL (pve-container: src/PVE/LXC/Config.pm, `env`). */
function variablesIn(draft: ConfigDraft): Record<string, string> | null {
  const raw = draft.raw("env");
  if (raw === null) return null;
  const entries = String(raw)
    .split("\0")
    .filter((entry) => entry.includes("="))
    .map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)] as const);
  return Object.fromEntries(entries);
}

/** Without a search path of their own, programs of an image are found by the image's. */
function setVariables(draft: ConfigDraft, desired: unknown): void {
  const wanted = desired as Readonly<Record<string, string>> | null | undefined;
  const { PATH: path } = variablesIn(draft) ?? {};
  const all = wanted ? { ...(path !== undefined && { PATH: path }), ...wanted } : {};
  const entries = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  draft.set("env", entries.length === 0 ? null : entries.join("\0"));
}

/** Server side: pve-container `src/PVE/LXC/Config.pm`. */
export const environment = {
  entrypoint: inherits(
    string({ check: (text) => (isOneLine(text) ? undefined : "Must be one line.") }),
    "entrypoint",
    "Command that the container runs; that of an OCI image when it is not given, else `/sbin/init`.",
  ),
  env: derived(
    map(string({ check: (text) => (isOneLine(text) ? undefined : "Must be one line.") }), {
      keys: matches(/^\w+$/, "the name of a variable: letters, digits and `_`"),
    }),
    "Environment variables, in place of those of an OCI image. The image's `PATH` stays unless it is among them, also with `{}`; the plan then says so.",
    { parse: variablesIn, patch: setVariables },
  ),
} as const;
