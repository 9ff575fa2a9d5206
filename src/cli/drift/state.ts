import { sourceAddress } from "../../source-address.ts";
import type { CommandContext } from "../command-context.ts";
import type { Fields } from "../export/reader.ts";
import { LocalProvider } from "../local-provider.ts";
import { UsageError } from "../run-command.ts";
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
export async function compareState(text: string, env: CommandContext["env"]): Promise<Compared> {
  const instances = instancesIn(text);
  const provider = await LocalProvider.open(env);
  const before = new Map<string, Fields>();
  const after = new Map<string, Fields>();
  try {
    await Promise.all(
      instances.map(async ({ address, type, version, attributes, privateState }) => {
        const known = await provider.upgrade(type, version, attributes);
        before.set(address, await provider.configOf(type, known));
        const now = await provider.read(type, known, privateState);
        if (now !== null) after.set(address, await provider.configOf(type, now));
      }),
    );
  } finally {
    await provider.close();
  }
  return { before, after, isKnown: () => true };
}

function instancesIn(text: string) {
  const state = parse(text);
  if (state.version !== 4) {
    const found = state.version === undefined ? "no version" : `version ${state.version}`;
    throw new UsageError(`This is not a state that can be read: it has ${found}, and version 4 is needed.`);
  }
  return (state.resources ?? [])
    .filter(({ mode, provider }) => mode === "managed" && provider.includes(`/${ours}"`))
    .flatMap(({ module, type, name, instances }) =>
      instances.map(({ index_key: key, schema_version: version, attributes, private: kept }) => ({
        address: `${module ? `${module}.` : ""}${type}.${name}${key === undefined ? "" : `[${JSON.stringify(key)}]`}`,
        type,
        version,
        attributes,
        privateState: Buffer.from(kept ?? "", "base64"),
      })),
    );
}

function parse(text: string): State {
  try {
    return JSON.parse(text) as State;
  } catch (thrown) {
    throw new UsageError(`This is not a state: ${(thrown as Error).message}.`);
  }
}
