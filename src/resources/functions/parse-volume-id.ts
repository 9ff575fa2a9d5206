import { bool, defineFunction, int, nullable, object, parseVolumeId, string } from "#kit";

/** `provider::proxmox::parse_volume_id`. */
export const parseVolumeIdFunction = defineFunction({
  name: "parse_volume_id",
  summary: "Takes a volume id such as local-lvm:vm-100-disk-0 apart.",
  doc: "Takes a volume id, `<storage>:<path>`, apart. Returns `storage`; `path`, all that follows the colon; `name`, its last part; `content`, what it is (`images`, `iso`, `import`, `snippets`, `vztmpl`, `backup`); `vmid`, whose disk it is; `format`, where the file name shows it; `base`, the image of a template that a linked clone hangs on, where the storage shows it; and whether it is the base image of a template (`is_base`) or a cloud-init drive (`is_cloud_init`). What an id does not tell is null.",
  parameters: { volume_id: { type: string(), doc: "The volume id, such as `local-lvm:vm-100-disk-0`." } },
  returns: object({
    storage: string(),
    content: string(),
    path: string(),
    name: string(),
    vmid: nullable(int()),
    format: nullable(string()),
    base: nullable(string()),
    is_base: bool(),
    is_cloud_init: bool(),
  }),
  async call({ volume_id }, { fail }) {
    const id = await parseVolumeId(volume_id);
    if (id === null) {
      return fail("volume_id", `"${volume_id}" is no volume id: expected <storage>:<path>, as local:iso/debian.iso.`);
    }
    const { storage, name: path, content = "images", vmid = null, format = null, base = null } = id;
    const name = path.slice(path.lastIndexOf("/") + 1);
    return { storage, content, path, name, vmid, format, base, is_base: id.isBase, is_cloud_init: id.isCloudInit };
  },
});
