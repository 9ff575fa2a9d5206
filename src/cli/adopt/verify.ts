import { AttachedProvider } from "../attached-provider.ts";
import { Terraform } from "../run-terraform.ts";
import { findBinaries } from "../terraform-binaries.ts";
import { eventsIn, problemsIn } from "../terraform-events.ts";

export type Verdict =
  | { readonly kind: "empty"; readonly imports: number }
  | { readonly kind: "not empty"; readonly changes: readonly string[] }
  | { readonly kind: "failed"; readonly problems: readonly string[] }
  | { readonly kind: "not made" };

/** Plans the configuration in a folder with this program as its provider. Nothing is applied, no state is written. */
export async function verify(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  secrets: ReadonlyMap<string, unknown>,
  signal: AbortSignal,
): Promise<Verdict> {
  const [binary] = findBinaries();
  if (binary === undefined) return { kind: "not made" };
  const provider = await AttachedProvider.start(env);
  try {
    const terraform = new Terraform(binary, { ...env, ...valuesOf(secrets), ...provider.variables }, signal);
    const prepared = await terraform.run(folder, ["init", "-no-color"]);
    if (prepared.code !== 0) return { kind: "failed", problems: [prepared.stderr.trim()] };
    const planned = await terraform.run(folder, ["plan", "-json", "-lock=false"]);
    return verdictOf(planned.stdout, planned.code);
  } finally {
    await provider.end();
  }
}

/** As variables of the environment, which other users do not see. A secret that PVE does not show is not compared. */
const valuesOf = (secrets: ReadonlyMap<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    [...secrets].map(([name, value]) => [
      `TF_VAR_${name}`,
      typeof value === "string" ? value : value === null ? "not-compared" : JSON.stringify(value),
    ]),
  );

function verdictOf(output: string, code: number): Verdict {
  const events = eventsIn(output);
  const problems = problemsIn(events);
  if (code !== 0 || problems.length > 0) return { kind: "failed", problems };
  const changes = events.flatMap(({ type, change }) =>
    type === "planned_change" && change?.resource && change.action !== "import" && change.action !== "noop"
      ? [`${change.resource.addr}: ${change.action}`]
      : [],
  );
  const imports = events.find(({ type }) => type === "change_summary")?.changes?.import ?? 0;
  return changes.length === 0 ? { kind: "empty", imports } : { kind: "not empty", changes };
}
