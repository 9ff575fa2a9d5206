import { homedir } from "node:os";
import { join } from "node:path";
import { privateFolder } from "../kit/notes-folder.ts";

/** For results that are slow to build and the same for every checkout: a built OpenTofu, bundled providers. */
export function cacheFolder(name: string): string {
  const root = process.env["XDG_CACHE_HOME"] || cacheOfUser();
  return join(root, "terraform-provider-proxmox", name);
}

/** A uid without an entry in passwd, as in containers, has no home. */
function cacheOfUser(): string {
  try {
    return join(homedir(), ".cache");
  } catch {
    return privateFolder();
  }
}
