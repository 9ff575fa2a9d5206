/**
 * Terraform's core in miniature, as a client of a provider:
 *
 *     const provider = await launch([pluginBinary.path], { env });
 *     const core = await Core.connect(provider.wire);
 *     await core.configure({ endpoint });
 *     const vm = core.resource("proxmox_vm");
 *     const instance = await vm.create({ name: "a", node: "pve1" });
 *     await vm.update(instance, { name: "b", node: "pve1" });
 *
 * An error for which Terraform would blame the provider is a `RuleViolation`; the provider's own errors are a
 * `ProviderErrors`.
 */
export { configurations, type Overrides } from "./arbitrary.ts";
export { AttachableProvider } from "./attachable.ts";
export { Core } from "./core.ts";
export { type Certificate, type Connected, type Launched, launch } from "./launch.ts";
export type { ManagedResource, Plan } from "./managed-resource.ts";
export { type Rule, RuleViolation } from "./problem.ts";
export { type Instance, isBug, type PlannedChange, ProviderErrors } from "./resource-calls.ts";
export { Decimal, Dynamic, type Input, Unknown, unknown } from "./value.ts";
