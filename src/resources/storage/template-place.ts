import { string } from "#kit";
import { fileAttributes } from "./file-attributes.ts";
import type { FilePlan } from "./plan-place.ts";

const { storage, node, overwrite } = fileAttributes;

/** Where a container template is stored, whatever it is made from. */
export const templatePlace = {
  storage: {
    ...storage,
    doc: "Storage for the template. It has to be one that holds files, with the content `vztmpl`.",
  },
  node,
  overwrite,
  volume_id: {
    type: string(),
    mode: "computed",
    keep: true,
    instead: "Set `storage` and `name`.",
    doc: "Volume ID, such as `local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst`: what `image.volume` of `proxmox_container` takes.",
  },
} as const;

type TemplatePlan = Omit<FilePlan, "config"> & { readonly config: Omit<FilePlan["config"], "content"> };

/** The plan of a template as that of a file: its content is always the same. */
export const asFilePlan = (context: TemplatePlan): FilePlan =>
  Object.create(context, {
    config: { value: { ...context.config, content: "vztmpl" } },
  }) as FilePlan;
