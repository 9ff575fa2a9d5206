import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Outcome, StateResource, Workspace } from "../terraform/workspace.ts";

const examples = join(import.meta.dirname, "../../examples/resources");

export interface ResourceLife {
  /** Resource types whose examples are tested together. */
  readonly types: readonly string[];
  /** A change in place, and an optional argument to remove: texts to find, and their replacements. */
  readonly update: readonly (readonly [from: string, to: string])[];
  readonly unset: readonly (readonly [from: string, to: string])[];
  /** Adapts the examples to the cluster. Default: unchanged. */
  readonly adapt?: (hcl: string) => string;
  /** Attributes that an import cannot read. */
  readonly local?: readonly string[];
  readonly workspace: () => Workspace;
  /** The ID to import an object by, where names differ from those in the script. Default: that of the script. */
  readonly importId?: (written: string, resource: StateResource | undefined) => string;
  /** Checks the server after each step. */
  readonly look: (step: "created" | "updated" | "unset") => void | Promise<void>;
}

/** Create, update, unset an optional, import, destroy; the plan after each step is empty. */
export async function liveWholeLife(life: ResourceLife): Promise<void> {
  const {
    types,
    update,
    unset,
    local = [],
    adapt = (hcl) => hcl,
    workspace,
    importId = (written) => written,
    look,
  } = life;
  using terraform = workspace();
  const text = adapt(types.map((type) => read(type, "resource.tf")).join("\n"));
  await applied(terraform, text);
  await look("created");
  const changed = replaced(text, update);
  await applied(terraform, changed);
  await look("updated");
  const bare = replaced(changed, unset);
  await applied(terraform, bare);
  await look("unset");

  using other = workspace();
  other.configure(bare);
  const before = await terraform.resources();
  for (const [address, written] of types.flatMap(importsOf)) {
    const id = importId(written, before[address]);
    expect((await other.import(address, id)).stdout).toContain("Import successful");
  }
  const imported = await other.resources();
  for (const [address, resource] of Object.entries(imported)) {
    expect(without(local, resource), address).toEqual(without(local, before[address]));
  }
  expect(errorsIn(await terraform.destroy())).toEqual([]);
}

/** Applies a configuration without an error, and checks that the next plan is empty. */
export async function applied(terraform: Workspace, text: string): Promise<void> {
  terraform.configure(text);
  expect(errorsIn(await terraform.apply())).toEqual([]);
  const { code, changes } = await terraform.plan();
  expect({ code, changes }).toEqual({ code: 0, changes: {} });
}

/** The commands of the import script, parsed as a shell does. */
const importsOf = (type: string): [address: string, id: string][] =>
  [...read(type, "import.sh").matchAll(/^terraform import (\S+) '?([^'\n]+)'?$/gm)].map(([, address = "", id = ""]) => [
    address,
    id,
  ]);

const read = (type: string, file: string): string => readFileSync(join(examples, type, file), "utf8");

function replaced(text: string, changes: ResourceLife["update"]): string {
  return changes.reduce((now, [from, to]) => {
    expect(now).toContain(from);
    return now.replace(from, to);
  }, text);
}

export const errorsIn = ({ diagnostics }: Outcome) => diagnostics.filter(({ severity }) => severity === "error");

const without = (local: readonly string[], resource: StateResource | undefined): unknown =>
  withoutMembers(local, resource?.values ?? {});

/** Versions of secrets are also members of objects. */
function withoutMembers(local: readonly string[], value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const shown = Object.entries(value).filter(([name]) => !local.includes(name));
  return Object.fromEntries(shown.map(([name, member]) => [name, withoutMembers(local, member)]));
}
