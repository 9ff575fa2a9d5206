/** A resource instance in a state, named as in `show -json`. */
export interface StateResource {
  address: string;
  type: string;
  tainted?: boolean;
  values: Record<string, unknown>;
  identity?: Record<string, unknown>;
}

/** The part of a state file of version 4 that tests read; Terraform and OpenTofu share the format. */
export interface StateFile {
  readonly outputs?: Readonly<Record<string, { readonly value: unknown }>>;
  readonly resources?: readonly {
    readonly module?: string;
    readonly mode: "managed" | "data";
    readonly type: string;
    readonly name: string;
    readonly instances: readonly Instance[];
  }[];
}

interface Instance {
  readonly index_key?: string | number;
  readonly deposed?: string;
  readonly status?: "tainted";
  readonly attributes: Record<string, unknown>;
  readonly identity?: Record<string, unknown>;
}

/** Current instances of the root module. */
export function resourcesIn({ resources = [] }: StateFile): StateResource[] {
  return resources
    .filter(({ module }) => module === undefined)
    .flatMap(({ mode, type, name, instances }) =>
      instances
        .filter(({ deposed }) => deposed === undefined)
        .map(({ index_key: key, status, attributes, identity }) => ({
          address: `${mode === "data" ? "data." : ""}${type}.${name}${key === undefined ? "" : `[${JSON.stringify(key)}]`}`,
          type,
          values: attributes,
          ...(status === "tainted" && { tainted: true }),
          ...(identity && { identity }),
        })),
    );
}
