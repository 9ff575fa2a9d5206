/** The rules of one parameter that a caller can break; all as in the description of the API. */
export interface Parameter {
  readonly type: string;
  /** Undefined: it depends on the type of the object. */
  readonly isRequired: boolean | undefined;
  /** Bounds and allowed values by name. */
  readonly rules: ReadonlyMap<string, string>;
  readonly values: readonly string[] | undefined;
  /** The keys of a property string. */
  readonly keys: Parameters;
}

export type Parameters = ReadonlyMap<string, Parameter>;

/** One method of the API. */
export interface ApiMethod {
  /** `PUT /access/users/{userid}` */
  readonly call: string;
  readonly parameters: Parameters;
  /** Who may call it, in one form for equal rules. */
  readonly permission: string;
  /** The privileges that the rule names. */
  readonly privileges: readonly string[];
}

/** Methods by call, the names of places aside. */
export type Api = ReadonlyMap<string, ApiMethod>;

/** `GET /nodes/{}/qemu`: hosts may name the places of a path as they like. */
export const callKey = (call: string): string => call.replaceAll(/\{[^}]*\}/g, "{}");

type Fields = Readonly<Record<string, unknown>>;

/** What cannot be read of a description is left out: it comes from a server. */
export function apiMethod(method: string, path: string, description: unknown): ApiMethod {
  const { parameters, permissions, allowtoken } = fieldsOf(description);
  const privileges = new Set<string>();
  const rule = permissionOf(fieldsOf(permissions), privileges);
  return {
    call: `${method} ${path}`,
    parameters: parametersOf(fieldsOf(parameters)),
    permission: Number(allowtoken ?? 1) === 0 ? `${rule}, without a token` : rule,
    privileges: [...privileges],
  };
}

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Parameters of all types of an object together. */
function parametersOf(described: Fields): Parameters {
  const kind = text(described["type-property"]);
  const variants = listOf(described["oneOf"]).flatMap((one) => [...parametersOf(fieldsOf(one))]);
  return new Map([
    ...listOf(described["allOf"]).flatMap((one) => [...parametersOf(fieldsOf(one))]),
    ...variants.map(([name, parameter]) => [name, { ...parameter, isRequired: undefined }] as const),
    ...(kind === ""
      ? []
      : [[kind, { ...parameterOf(described["type-property-schema"]), isRequired: undefined }] as const]),
    ...membersOf(described["properties"]),
  ]);
}

const membersOf = (described: unknown): Parameters =>
  new Map(Object.entries(fieldsOf(described)).map(([name, one]) => [name, parameterOf(one)]));

const bounds = ["minimum", "maximum", "minLength", "maxLength"];

function parameterOf(described: unknown): Parameter {
  const fields = fieldsOf(described);
  const { type, optional, format, items, alias } = fields;
  const item = items === undefined ? undefined : parameterOf(items);
  const inside = typeof format === "object" ? format : fields["x-format-schema"];
  const known = bounds.filter((name) => ["string", "number"].includes(typeof fields[name]));
  const values = Array.isArray(fields["enum"]) ? fields["enum"].map(String) : item?.values;
  // A property with variants by type is as optional as the variant is.
  const depends = alias !== undefined || ("type-property" in fields && optional === undefined);
  return {
    type: alias === undefined ? [typeName(type), ...(item === undefined ? [] : [item.type])].join(" of ") : "any",
    isRequired: depends ? undefined : Number(optional ?? 0) !== 1,
    rules: new Map(known.map((name) => [name, String(fields[name])])),
    values: values === undefined ? undefined : [...values].sort(),
    keys: inside === undefined ? (item?.keys ?? new Map()) : membersOf(inside),
  };
}

const checkedTypes = ["any", "array", "boolean", "integer", "null", "number", "object"];

/** Proxmox VE takes a type that it does not know for a text. */
const typeName = (type: unknown): string => {
  const name = text(type) || "any";
  return checkedTypes.includes(name) ? name : "string";
};

/** `user` decides before `check` is looked at. Without both, only root may call the method. */
function permissionOf({ user, check }: Fields, privileges: Set<string>): string {
  if (typeof user === "string") return user === "world" ? "no login" : "any user";
  return check === undefined ? "only root@pam" : checkOf(listOf(check), privileges);
}

/** The order of alternatives and of privileges does not matter. */
function checkOf([kind, ...rest]: readonly unknown[], privileges: Set<string>): string {
  if (kind === "and" || kind === "or") {
    const parts = rest.map((one) => checkOf(listOf(one), privileges)).sort();
    return parts.length === 1 ? parts.join() : `(${parts.join(` ${kind} `)})`;
  }
  const named = rest.flatMap((one) => (Array.isArray(one) ? one.map(text).filter(Boolean) : []));
  for (const one of named) privileges.add(one);
  const options = rest.filter((one) => typeof one === "string").slice(kind === "perm" ? 1 : 0);
  const isAny = options.includes("any");
  const names = [...named].sort().join(isAny ? " or " : " and ");
  if (kind === "perm") {
    const more = options.filter((one) => one !== "any").join(" ");
    return `${names} on ${text(rest[0])}${more === "" ? "" : ` (${more})`}`;
  }
  return [text(kind), names, ...options.map(text)].filter(Boolean).join(" ");
}
