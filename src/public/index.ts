/**
 * What a provider of your own is written with, published as `terraform-provider-proxmox/framework`: Terraform's semantics and its
 * plugin protocol, without any system to manage. Start with `definitions` and `runProvider`. The exports of this file are
 * stable; everything else may change.
 */
export * from "#framework";
export { isStartedByOpenTofu, isStartedByTerraform, type ServeOptions, serve } from "#plugin";
export { type ProgramOptions, runProvider } from "./run-provider.ts";
