import { join } from "node:path";
import { buildPluginBinary } from "../terraform/plugin-binary.ts";

export const buildCorner = () => buildPluginBinary("corner", join(import.meta.dirname, "provider/main.ts"));

/** Builds it before the tests, since every worker would. */
export async function setup(): Promise<void> {
  await buildCorner();
}
