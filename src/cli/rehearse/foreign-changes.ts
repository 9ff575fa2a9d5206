import { sourceAddress } from "../../source-address.ts";

/** The part of `terraform show -json PLAN` that is looked at. */
export interface PlanJson {
  readonly resource_changes?: readonly {
    readonly address: string;
    readonly mode: string;
    readonly provider_name: string;
    readonly change: { readonly actions: readonly string[] };
  }[];
  readonly configuration?: { readonly root_module?: ModuleJson };
}

interface ModuleJson {
  readonly resources?: readonly { readonly address: string; readonly provisioners?: readonly unknown[] }[];
  readonly module_calls?: Readonly<Record<string, { readonly module?: ModuleJson }>>;
}

/** Providers that keep to themselves what they do. */
const harmless = new Set(["random", "tls", "time", "null", "terraform", "http", "external", "cloudinit"]);

const nameOf = (provider: string): string => provider.split("/").at(-1) ?? provider;

const isOurs = (provider: string): boolean =>
  provider.split("/").slice(-2).join("/") === sourceAddress.split("/").slice(-2).join("/");

/** What an apply of the plan would do outside of the copy: changes of other providers, and provisioners. */
export function foreignChanges(plan: PlanJson, allowed: readonly string[]): string[] {
  const changes = (plan.resource_changes ?? [])
    .filter(
      ({ mode, change }) =>
        mode === "managed" && !change.actions.every((action) => action === "no-op" || action === "read"),
    )
    .filter(({ provider_name: provider }) => !isOurs(provider))
    .filter(({ provider_name: provider }) => !harmless.has(nameOf(provider)) && !allowed.includes(nameOf(provider)))
    .map(({ address, provider_name: provider }) => `${address} (provider ${nameOf(provider)})`);
  const provisioned = allowed.includes("provisioners") ? [] : provisionedIn(plan.configuration?.root_module);
  return [...changes, ...provisioned.map((address) => `${address} (provisioners)`)];
}

function provisionedIn(module: ModuleJson | undefined, prefix = ""): string[] {
  const own = (module?.resources ?? []).filter(({ provisioners }) => (provisioners ?? []).length > 0);
  const below = Object.entries(module?.module_calls ?? {}).flatMap(([name, call]) =>
    provisionedIn(call.module, `${prefix}module.${name}.`),
  );
  return [...own.map(({ address }) => `${prefix}${address}`), ...below];
}
