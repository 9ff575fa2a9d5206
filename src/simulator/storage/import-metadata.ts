import { endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { string } from "../core/schema/schema.ts";
import { node, storageId } from "../core/schema/standard-options.ts";
import { checkVolumeAccess } from "./access.ts";
import { parseOvf } from "./ovf.ts";
import { pluginOf } from "./plugins.ts";
import { getStorage } from "./storages.ts";
import { parseVolumeName } from "./volume-name.ts";
import { findVolume, pathOf } from "./volumes.ts";

/** `get_import_metadata` of pve-storage `src/PVE/Storage/DirPlugin.pm` and `src/PVE/Storage/ESXiPlugin.pm`. */
export const importMetadataEndpoint = endpoint({
  method: "GET",
  path: "/nodes/{node}/storage/{storage}/import-metadata",
  protected: true,
  proxyTo: "node",
  permissions: { user: "all" },
  parameters: { node, storage: storageId, volume: string() },
  handler: ({ world, caller, node: here, params: { storage: id, volume: volname } }) => {
    const volid = `${id}:${volname}`;
    checkVolumeAccess(world, caller, volid);
    const storage = getStorage(world, id);
    if (storage.type === "esxi") {
      const machine = findVolume(world, volid, here)?.machine ?? die(`no such VM '${volname}'`);
      return { type: "vm", source: "esxi", ...machine };
    }
    if (pluginOf(storage).naming !== "directory") {
      die("storage does not support the importer API");
    }
    const { content, format } = parseVolumeName(storage, volname);
    if (content !== "import") {
      die(`invalid content type '${content}'`);
    }
    if (format !== "ova" && format !== "ovf") {
      die("invalid format");
    }
    const archive = findVolume(world, volid, here)?.ova;
    if (archive?.ovf === undefined) {
      const path = pathOf(world, volid);
      return format === "ova"
        ? die(`command 'tar -xO --wildcards '--occurrence=1' -f ${path} '*.ovf'' failed: exit code 2`)
        : die(`unable to open file '${path}' - No such file or directory`);
    }
    const { options, disks, nets } = parseOvf(archive.ovf);
    const isEfi = options["bios"] === "ovmf";
    return {
      type: "vm",
      source: volname,
      "create-args": options,
      disks: {
        ...Object.fromEntries(
          disks.map(({ address, file, size }) => [
            address,
            { volid: `${id}:${format === "ova" ? volname : "import"}/${file}`, ...(size !== undefined && { size }) },
          ]),
        ),
        ...(isEfi && { efidisk0: 1 }),
      },
      net: Object.fromEntries(nets.map((model, index) => [`net${index}`, { model }])),
      warnings: [
        ...(format === "ova" ? [{ type: "ova-needs-extracting" }] : []),
        ...(isEfi ? [{ type: "efi-state-lost", key: "bios", value: "ovmf" }] : []),
      ],
    };
  },
});
