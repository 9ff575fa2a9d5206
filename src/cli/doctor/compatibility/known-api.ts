import { type Api, apiMethod, callKey } from "./api-method.ts";

/** A place of the API that is newer than 9.0. */
interface Later {
  readonly call: string;
  readonly parameter?: string | undefined;
  readonly key?: string | undefined;
  readonly value?: string | undefined;
  readonly since: string;
}

export interface KnownApi {
  /** The release that it is of. */
  readonly version: string;
  readonly api: Api;
  /** The version that a place came with; undefined: 9.0 has it, or it is not known. */
  since(call: string, place?: Omit<Later, "call" | "since">): string | undefined;
}

const linesOf = <T>(text: string): T[] => text.split("\n").map((line) => JSON.parse(line) as T);

/** The API that this provider was made for. */
export async function knownApi(): Promise<KnownApi> {
  const { methods, later, version } = await import("./gen/known-api.ts");
  const known = linesOf<[string, string, unknown]>(methods).map((one) => apiMethod(...one));
  const additions = linesOf<Later>(later);
  return {
    version,
    api: new Map(known.map((one) => [callKey(one.call), one])),
    since(call, { parameter, key, value } = {}) {
      const isOf = (one: Later) =>
        `${call}/`.startsWith(`${one.call}/`) &&
        [undefined, parameter].includes(one.parameter) &&
        [undefined, key].includes(one.key) &&
        [undefined, value].includes(one.value);
      return additions.find(isOf)?.since;
    },
  };
}
