import { die } from "../core/kernel/failure.ts";
import type { Task } from "../core/kernel/process.ts";
import type { Section } from "../core/world/guest.ts";
import type { OciConfig, Volume } from "../core/world/storage.ts";
import { copySeconds, getEnabledStorage } from "../storage/storages.ts";
import { guessTemplate } from "../storage/template-contents.ts";
import { parseVolumeId } from "../storage/volume-name.ts";
import { pathOf } from "../storage/volumes.ts";
import { parseNetwork, printNetwork } from "./networks.ts";
import { isNetworkKey } from "./options.ts";

/**
 * Unpacks a template and detects its system (pve-container `src/PVE/LXC/Create.pm` and `src/PVE/LXC/Setup.pm`). Returns
 * the options that follow from it; they override requested ones.
 */
export async function unpackTemplate(task: Task, archive: Volume, options: Section): Promise<Section> {
  const { world } = task.sim;
  const storage = getEnabledStorage(world, parseVolumeId(archive.volid).storage, task.node);
  if (archive.oci === undefined) {
    task.print(`extracting archive '${pathOf(world, archive.volid)}'`);
  } else {
    task.print("Detected OCI archive");
    // `run_in_userns`: a namespace without a map has no root.
    if (options["unprivileged"] !== "1") {
      die("setgid(0): Invalid argument");
    }
  }
  await task.sleep(copySeconds(archive.size, storage));
  const image = archive.oci === undefined ? {} : ociOptions(task, archive.oci, options);
  return { ...image, ...detectSystem(task, archive, options) };
}

function detectSystem(task: Task, archive: Volume, options: Section): Section {
  const { type, zoneInfo } = archive.system ?? guessTemplate(archive.volid);
  const { ostype: requested, arch, timezone } = options;
  const isManaged = requested !== "unmanaged";
  if (isManaged && requested !== undefined && requested !== type) {
    task.print(`got unexpected ostype (${type} != ${requested})`);
  }
  if (arch === undefined) {
    task.print("Detected container architecture: amd64");
  }
  if (isManaged && type !== "unmanaged" && timezone !== undefined && !zoneInfo) {
    const path = timezone === "host" ? "/usr/share/zoneinfo/Etc/UTC" : `/usr/share/zoneinfo/${timezone}`;
    task.print(`container does not have ${path}, timezone can not be modified`);
  }
  return { arch: arch ?? "amd64", ostype: isManaged ? type : "unmanaged" };
}

/** `cmd2string`: quotes words that a shell would split. */
function quoteCommand(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`)).join(" ");
}

/** `restore_oci_archive`: the image defines the process and its environment. */
function ociOptions(task: Task, { entrypoint = [], cmd = [], env }: OciConfig, options: Section): Section {
  const command = [...entrypoint, ...cmd];
  const taken: Section = env === undefined ? {} : { env: env.join("\0") };
  if (command.length === 0 || command[0] === "/sbin/init") {
    return taken;
  }
  Object.assign(taken, { entrypoint: quoteCommand(command), cmode: "console" });
  for (const key of Object.keys(options).filter(isNetworkKey)) {
    const network = parseNetwork(options[key] ?? "");
    if (network["host-managed"] === undefined) {
      task.print(`Auto-Enabling host-managed network for network device ${key}.`);
      taken[key] = printNetwork({ ...network, "host-managed": "1" });
    }
  }
  return taken;
}
