import type { Simulator } from "#simulator";
import type { Input } from "../../harness/index.ts";

type World = Simulator["sim"]["world"];

export type Values = Record<string, Input>;

/** What the generic suite needs to know of a definition: one least configuration, and two values for each attribute. */
export interface Row {
  readonly type: string;
  /** The least that can be created. */
  readonly base: Values;
  /** For each attribute that can change, two values; the base may have another. Members of a variant go by `nfs.options`. */
  readonly values: Readonly<Record<string, readonly [Input, Input]>>;
  /** Attributes with tests of their own: only root@pam may set them, or they exclude another attribute of the base. */
  readonly apart?: readonly string[];
  /** Only `root@pam` with a password may do anything with it. */
  readonly isReserved?: true;
  /** What has to be there, where other rows do not allow that in the seed. */
  readonly prepare?: (world: World) => void;
  /** Further least configurations, one for each other type of the collection. */
  readonly others?: readonly Pick<Row, "base" | "values" | "prepare">[];
}

/** The configuration with one attribute, or one member of a variant, set to a value. */
export function withValue(base: Values, path: string, value: Input): Values {
  const [name = "", member] = path.split(".");
  if (member === undefined) return { ...base, [name]: value };
  return { ...base, [name]: { ...(base[name] as Values), [member]: value } };
}
