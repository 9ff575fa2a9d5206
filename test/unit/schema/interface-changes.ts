/** The parts of `terraform providers schema -json` that users' configurations and states depend on. */
export interface ProviderJson {
  readonly provider_schemas: { readonly [address: string]: { readonly [section: string]: unknown } };
}

interface AttributeJson {
  readonly type?: unknown;
  readonly nested_type?: { readonly nesting_mode: string; readonly attributes: Attributes };
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
}

type Attributes = { readonly [name: string]: AttributeJson };
type Schemas = { readonly [type: string]: { readonly version?: number; readonly block: { attributes: Attributes } } };

/** A change that can break a valid configuration or a stored state. */
export interface Breaking {
  /** As the changelog names it: `resource/proxmox_vm`. */
  readonly unit: string;
  readonly what: string;
  /** Whether a stored state requires an upgrade. */
  readonly needsUpgrade: boolean;
  readonly isUpgraded: boolean;
}

const sections = {
  resource_schemas: "resource",
  data_source_schemas: "data-source",
  ephemeral_resource_schemas: "ephemeral",
  list_resource_schemas: "list",
  action_schemas: "action",
} as const;

export function breakingChanges(before: ProviderJson, after: ProviderJson): Breaking[] {
  const [old = {}] = Object.values(before.provider_schemas);
  const [now = {}] = Object.values(after.provider_schemas);
  const inSections = Object.entries(sections).flatMap(([section, unit]) =>
    compareTypes(unit, (old[section] ?? {}) as Schemas, (now[section] ?? {}) as Schemas),
  );
  const own = ({ provider }: { readonly [section: string]: unknown }) => (provider ? { provider } : {}) as Schemas;
  const provider = compareTypes("provider", own(old), own(now));
  return [...provider, ...inSections, ...compareFunctions(old["functions"], now["functions"])];
}

function compareTypes(kind: string, before: Schemas, after: Schemas): Breaking[] {
  return Object.entries(before).flatMap(([type, old]) => {
    const unit = kind === "provider" ? kind : `${kind}/${type}`;
    const now = after[type];
    if (!now) return [{ unit, what: "is gone", needsUpgrade: kind === "resource", isUpgraded: false }];
    const isUpgraded = (now.version ?? 0) > (old.version ?? 0);
    return compareAttributes("", old.block.attributes, now.block.attributes).map(({ what, isShape }) => ({
      unit,
      what,
      needsUpgrade: kind === "resource" && isShape,
      isUpgraded,
    }));
  });
}

/** `isShape`: stored values cannot be read without an upgrade. */
function compareAttributes(path: string, before: Attributes, after: Attributes): { what: string; isShape: boolean }[] {
  const gone = Object.entries(before).flatMap(([name, old]) => {
    const now = after[name];
    const place = `${path}${name}`;
    if (!now) return [{ what: `\`${place}\` is gone`, isShape: true }];
    if (JSON.stringify(typeOf(old)) !== JSON.stringify(typeOf(now))) {
      return [{ what: `\`${place}\` has another type`, isShape: true }];
    }
    return [
      ...(now.required && !old.required ? [{ what: `\`${place}\` is required now`, isShape: false }] : []),
      ...(isSettable(old) && !isSettable(now) ? [{ what: `\`${place}\` cannot be set now`, isShape: false }] : []),
      ...compareAttributes(`${place}.`, old.nested_type?.attributes ?? {}, now.nested_type?.attributes ?? {}),
    ];
  });
  const demanded = Object.entries(after)
    .filter(([name, now]) => now.required && !before[name])
    .map(([name]) => ({ what: `\`${path}${name}\` is new and required`, isShape: false }));
  return [...gone, ...demanded];
}

const typeOf = ({ type, nested_type: nested }: AttributeJson): unknown => nested?.nesting_mode ?? type;
const isSettable = ({ required, optional }: AttributeJson): boolean => Boolean(required || optional);

function compareFunctions(before: unknown, after: unknown): Breaking[] {
  const now = (after ?? {}) as Record<string, { return_type: unknown; parameters?: { type: unknown }[] }>;
  return Object.entries((before ?? {}) as typeof now).flatMap(([name, old]) => {
    const shape = (declared: typeof old | undefined) =>
      JSON.stringify([declared?.return_type, declared?.parameters?.map(({ type }) => type)]);
    if (shape(old) === shape(now[name])) return [];
    const what = now[name] ? "is called another way or returns another type" : "is gone";
    return [{ unit: `function/${name}`, what, needsUpgrade: false, isUpgraded: false }];
  });
}

/** The breaking changes that the changelog does not announce, or that leave an unreadable state. */
export function unannounced(changes: readonly Breaking[], changelog: string): string[] {
  const [, unreleased = ""] = /^## Unreleased\n(.*?)(?=^## )/ms.exec(`${changelog}\n## `) ?? [];
  const [, breaking = ""] = /^BREAKING CHANGES:\n(.*?)(?=^[A-Z ]+:\n|(?![\s\S]))/ms.exec(unreleased) ?? [];
  return changes.flatMap(({ unit, what, needsUpgrade, isUpgraded }) => [
    ...(breaking.includes(`- ${unit}:`) ? [] : [`${unit}: ${what}, and no BREAKING CHANGES entry says so`]),
    ...(needsUpgrade && !isUpgraded ? [`${unit}: ${what}, and no state upgrade exists`] : []),
  ]);
}
