import { type Input, type Instance, type ManagedResource, ProviderErrors } from "../../harness/index.ts";
import { isUnforeseeable } from "./bench.ts";
import type { Values } from "./row.ts";

type Body = ManagedResource["schema"]["body"];
type Attribute = Body["attributes"][string];
type Type = Attribute["type"];

/** What people write by mistake, and what breaks a file, a list or a property string. */
const texts = ["", " ", "two\nlines", " outer blanks ", "end\n", "a,b", "a;b=c", "ü", "0", "-", "x".repeat(5000)];
const numbers = [-1, 0, 1.5, 2 ** 31, 1e15];

function valuesFor(type: Type): readonly Input[] {
  switch (type.kind) {
    case "string":
      return texts;
    case "number":
      return numbers;
    case "list":
    case "set":
      return [[], ...valuesFor(type.element).map((one) => [one])];
    case "map":
      return [
        {},
        ...valuesFor(type.element).map((one) => ({ name: one })),
        ...texts.slice(0, -1).map((key) => ({ [key]: example(type.element) })),
      ];
    default:
      return [];
  }
}

const example = (type: Type): Input =>
  type.kind === "number" ? 1 : type.kind === "bool" ? true : type.kind === "string" ? "text" : {};

/** A configuration with one value in it that may not be possible, and where it is. */
export interface BadConfig {
  readonly path: string;
  readonly value: Input;
  readonly config: Values;
}

/** The configuration with each attribute of the schema set to each bad value of its type, one at a time. */
export function badConfigs({ attributes }: Body, config: Values, given: Values = config): BadConfig[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const put = (path: string, value: Input, bad: Input): BadConfig => ({
      path,
      value: bad,
      config: { ...config, [name]: value },
    });
    if (!attribute.required && !attribute.optional) return [];
    if (attribute.nested === undefined) return valuesFor(attribute.type).map((value) => put(name, value, value));
    return insideOf(attribute.nested, given[name]).map((one) => put(`${name}.${one.path}`, one.config, one.value));
  });
}

interface Inside {
  readonly path: string;
  readonly value: Input;
  readonly config: Input;
}

/** Bad values inside of an object, or of each kind of object in a list or map, where the configuration has one. */
function insideOf(nested: NonNullable<Attribute["nested"]>, given: Input | undefined): Inside[] {
  const isWhole = given !== undefined || Object.values(nested.attributes).every(({ required }) => !required);
  // Terraform itself refuses an object without what it requires.
  if (nested.nesting === "single") return isWhole ? badConfigs(nested, (given ?? {}) as Values) : [];
  const isMap = nested.nesting === "map";
  const empty = { path: "", value: null, config: isMap ? {} : [] };
  const [key, first] = Object.entries((given ?? {}) as Values)[0] ?? [];
  if (first === undefined || key === undefined) return [empty];
  const members = badConfigs(nested, first as Values).map(({ path, value, config }) => ({
    ...{ path: `${key}.${path}`, value },
    config: isMap ? { [key]: config } : [config],
  }));
  const keys = texts.slice(0, -1).map((text) => ({ path: text, value: text, config: { [text]: first } }));
  return [empty, ...members, ...(isMap ? keys : [])];
}

/** What is wrong with how the provider treats a configuration: it is refused in the plan, or stored as it is written. */
export async function problemWith(resource: ManagedResource, config: Values): Promise<string | null> {
  let made: Instance | undefined;
  try {
    const plan = await resource.plan(null, config).catch(ifRefused);
    if (plan === null) return null;
    made = await resource.apply(plan);
    await resource.expectSettled(made, config);
    return null;
  } catch (reason) {
    if (reason instanceof ProviderErrors && reason.remains) made ??= reason.remains;
    return isUnforeseeable(reason) ? null : String(reason);
  } finally {
    if (made) await resource.destroy(made);
  }
}

function ifRefused(reason: unknown): null {
  if (reason instanceof ProviderErrors) return null;
  throw reason;
}
