import type { SchemaAttribute } from "#framework";
import { sourceAddress } from "../../source-address.ts";
import type { CommandContext } from "../command-context.ts";
import type { Fields } from "../export/reader.ts";
import { LocalProvider } from "../local-provider.ts";
import { progressOf } from "../progress.ts";
import { ProviderProblem, UsageError } from "../run-command.ts";
import type { Compared } from "./drift.ts";

/** The part of a state file, version 4, that is looked at. */
interface State {
  readonly version?: number;
  readonly resources?: readonly {
    readonly module?: string;
    readonly mode: string;
    readonly type: string;
    readonly name: string;
    readonly provider: string;
    readonly instances: readonly {
      readonly index_key?: string | number;
      readonly schema_version: number;
      readonly attributes: Fields;
      readonly private?: string;
    }[];
  }[];
}

const ours = sourceAddress.split("/").slice(-2).join("/");

/** Compares what a configuration can say of each object with what is there now. */
export async function compareState(text: string, context: CommandContext): Promise<Compared> {
  const progress = progressOf(context);
  const state = parse(text);
  const instances = instancesIn(state);
  if (instances.length === 0) throw new ProviderProblem(nothingIn(state));
  const provider = await LocalProvider.open(context.env);
  const schemas = await provider.schemas();
  const before = new Map<string, Fields>();
  const after = new Map<string, Fields>();
  try {
    const compareOne = async ({ address, type, version, attributes, privateState }: Instance) => {
      const known = await provider.upgrade(type, version, attributes);
      const schema = schemas.get(type)?.attributes ?? [];
      const was = hidden(schema, await provider.configOf(type, known));
      const now = await provider.read(type, known, privateState);
      before.set(address, was);
      if (now !== null) after.set(address, hidden(schema, await provider.configOf(type, now)));
    };
    const problems = await Promise.all(instances.map((one) => compareOne(one).then(() => null, problemOf(one))));
    const unread = problems.filter((one) => one !== null);
    if (unread.length > 0 && unread.length === instances.length) throw new ProviderProblem(unread[0]);
    for (const problem of unread) context.stderr.write(`Not compared: ${problem}\n`);
    for (const [type, all] of Map.groupBy(instances, (one) => one.type)) progress(`Read ${all.length} of ${type}`);
  } finally {
    await provider.close();
  }
  return { before, after, isKnown: () => true };
}

/** One object that may not be read does not hide the others. */
const problemOf =
  ({ address }: Instance) =>
  (reason: unknown): string => {
    if (!(reason instanceof ProviderProblem)) throw reason;
    return `${address}: ${reason.message.split("\n")[0]}`;
  };

/** A secret: it is compared, and never shown. */
class Hidden {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  toJSON(): string {
    return "(sensitive)";
  }
}

function hidden(attributes: readonly SchemaAttribute[], values: Fields): Fields {
  const cover = ({ sensitive, nested }: SchemaAttribute, value: unknown): unknown => {
    if (value === null || value === undefined) return value;
    if (sensitive) return new Hidden(value);
    if (nested === undefined) return value;
    if (nested.nesting === "single") return hidden(nested.attributes, value as Fields);
    if (Array.isArray(value)) return value.map((one) => hidden(nested.attributes, one as Fields));
    const entries = Object.entries(value).map(([key, one]) => [key, hidden(nested.attributes, one as Fields)]);
    return Object.fromEntries(entries);
  };
  const own = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const attribute = own.get(name);
      return [name, attribute === undefined ? value : cover(attribute, value)];
    }),
  );
}

interface Instance {
  readonly address: string;
  readonly type: string;
  readonly version: number;
  readonly attributes: Fields;
  readonly privateState: Uint8Array;
}

/** Why there is nothing to compare: silence would be taken for "no drift". */
function nothingIn({ resources = [] }: State): string {
  const others = new Set(resources.map(({ provider }) => /"([^"]+)"/.exec(provider)?.[1] ?? provider));
  const isOurs = [...others].some((one) => one.endsWith(`/${ours}`));
  if (others.size === 0) return "Nothing was compared: the state has no resources.";
  return isOurs
    ? "Nothing was compared: the state has data sources of this provider only, and no resources."
    : `Nothing was compared: the state has resources of other providers only: ${[...others].join(", ")}. This one is ${sourceAddress}.`;
}

function instancesIn(state: State): Instance[] {
  return (state.resources ?? [])
    .filter(({ mode, provider }) => mode === "managed" && provider.includes(`/${ours}"`))
    .flatMap(({ module, type, name, instances }) =>
      instances.map(({ index_key: key, schema_version: version, attributes, private: kept }) => ({
        address: `${module ? `${module}.` : ""}${type}.${name}${key === undefined ? "" : `[${JSON.stringify(key)}]`}`,
        type,
        version,
        attributes: requireAttributes(attributes, `${type}.${name}`),
        privateState: Buffer.from(kept ?? "", "base64"),
      })),
    );
}

function parse(text: string): State {
  let state: (State & Fields) | null;
  try {
    state = JSON.parse(text) as (State & Fields) | null;
  } catch (thrown) {
    throw new UsageError(`This is not a state: ${(thrown as Error).message}.`);
  }
  if (state?.["format"] !== undefined) throw new UsageError("This is an export, which --since takes.");
  if (state?.["encrypted_data"] !== undefined)
    throw new UsageError("This state is encrypted: `tofu state pull` prints it so that it can be read.");
  if (state?.version !== 4) {
    const found = state?.version === undefined ? "no version" : `version ${state.version}`;
    throw new UsageError(`This is not a state that can be read: it has ${found}, and version 4 is needed.`);
  }
  if (!Array.isArray(state.resources ?? [])) throw new UsageError("This is not a state: its resources are no list.");
  return state;
}

/** Terraform 0.11 stored them in another form. */
function requireAttributes(attributes: Fields | undefined, address: string): Fields {
  if (typeof attributes === "object" && attributes !== null) return attributes;
  throw new UsageError(
    `The state has no attributes of ${address} that can be read: write it with \`terraform refresh\` first.`,
  );
}
