import { die } from "../../core/kernel/failure.ts";
import type { Process } from "../../core/kernel/process.ts";
import { getEnabledStorage } from "../../storage/storages.ts";
import { allocateDisk } from "../../storage/vdisk.ts";
import { contentDirectory, parseVolumeId } from "../../storage/volume-name.ts";
import { describeVolume, findVolume, pathOf } from "../../storage/volumes.ts";

/**
 * `extract_disk_from_import_file` of pve-storage `src/PVE/GuestImport.pm`: extracts a disk of an OVA to a temporary
 * volume.
 */
export async function extractDisk(
  process: Process,
  volid: string,
  vmid: number,
  workingStorage: string | undefined,
): Promise<string> {
  const { world } = process.sim;
  const { storage: source } = parseVolumeId(volid);
  const target = workingStorage ?? source;
  const { name, format } = describeVolume(world, volid);
  const [archiveName = "", file = ""] = name.split(/\/(?=[^/]*$)/);
  const archive = `${source}:import/${archiveName}`;
  const storage = getEnabledStorage(world, target, process.node);
  const directory = `${contentDirectory(storage, "images")}/${vmid}/tmp_${1000 + process.sim.random.below(30_000)}_${vmid}`;
  const disk = findVolume(world, archive, process.node)?.ova?.files.find((member) => member.name === file);
  if (disk === undefined) {
    const path = pathOf(world, archive);
    const command = `tar -x --force-local --no-same-owner -C ${directory} -f ${path} ${file}`;
    return die(`error during extraction: command '${command}' failed: exit code 2\n\n`);
  }
  const extracted = await allocateDisk(process, {
    storage: target,
    vmid,
    format: format.replace(/^ova\+/, ""),
    size: disk.virtualSize ?? disk.size,
  });
  process.print(`renaming ${directory}/${file} to ${pathOf(world, extracted)}`);
  return extracted;
}
