import { rm, writeFile } from "node:fs/promises";
import { Failure } from "#kit";

/** Creates the file before the keys exist: Proxmox VE shows them once, so there must be a place for them. */
export async function reserveFile(path: string): Promise<void> {
  try {
    await writeFile(path, "", { flag: "wx", mode: 0o600 });
  } catch (reason) {
    const { code, message } = reason as NodeJS.ErrnoException;
    const detail =
      code === "EEXIST"
        ? `\`${path}\` exists. It may hold keys that are in use: move it away, or name another file.`
        : `\`${path}\` cannot be written: ${message}. Nothing was changed in Proxmox VE.`;
    throw new Failure("No file for the keys", detail, { path: ["recovery", "keys_file"], cause: reason });
  }
}

/** Keeps the keys, one on each line; readable by the user alone who runs Terraform. */
export const keepKeys = (path: string, keys: readonly string[]): Promise<void> =>
  writeFile(path, `${keys.join("\n")}\n`, { mode: 0o600 });

export const dropFile = (path: string): Promise<void> => rm(path, { force: true });
