import { join } from "node:path";
import { buildPluginBinary } from "../terraform/plugin-binary.ts";

export const buildCorner = () => buildPluginBinary("corner", join(import.meta.dirname, "provider/main.ts"));

/** Before the tests: else every worker that needs it would make it. */
export async function setup(): Promise<void> {
  await buildCorner();
}
