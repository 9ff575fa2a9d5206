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
  secrets: readonly string[],
): Promise<Verdict> {
  const [binary] = findBinaries();
  if (binary === undefined) return { kind: "not made" };
  const provider = await AttachedProvider.start(env);
  try {
    // Secrets are not compared: any value will do.
    const values = secrets.map((name) => `-var=${name}=not-compared`);
    const signal = new AbortController().signal;
    const terraform = new Terraform(binary, { ...env, ...provider.variables }, signal);
    const prepared = await terraform.run(folder, ["init", "-no-color"]);
    if (prepared.code !== 0) return { kind: "failed", problems: [prepared.stderr.trim()] };
    const planned = await terraform.run(folder, ["plan", "-json", "-lock=false", ...values]);
    return verdictOf(planned.stdout, planned.code);
  } finally {
    await provider.end();
  }
}

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
