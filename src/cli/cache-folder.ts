import { homedir } from "node:os";
import { join } from "node:path";

/** For results that are slow to build and the same for every checkout: a built OpenTofu, bundled providers. */
export function cacheFolder(name: string): string {
  const root = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return join(root, "terraform-provider-proxmox", name);
}
