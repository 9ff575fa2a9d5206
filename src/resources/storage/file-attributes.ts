import { bool, enumerate, fileContents, int, notEmpty, notEmptyIfGiven, oneOf, string, timeouts } from "#kit";

/** With a word for those who come with snippets, as many do. */
const fileContent = {
  ...oneOf(fileContents),
  checks: [
    (content: unknown) => {
      if (fileContents.some((word) => word === content)) return undefined;
      return content === "snippets"
        ? "Snippets cannot be brought to a storage: Proxmox VE has no call that takes them. Give the text to `cloud_init.user_data` of `proxmox_vm`, which needs no snippet, or copy the file to the storage's `snippets` folder over SSH."
        : `Must be one of ${enumerate(fileContents)}.`;
    },
  ],
};

/** What a file on a storage is, whether it was uploaded or downloaded. */
export const fileAttributes = {
  storage: {
    type: notEmpty,
    mode: "required",
    wire: "storage",
    replace: true,
    doc: "Storage the file goes to. It has to be one that keeps files (a directory, NFS, CIFS, CephFS …) and to be set up for the content.",
  },
  node: {
    type: notEmptyIfGiven,
    mode: "optional_computed",
    keep: true,
    replace: true,
    doc: "Node that receives the file. May be left out where the storage is shared or on one node only; on a shared storage another node does not mean another file.",
  },
  content: {
    type: fileContent,
    mode: "required",
    wire: "content",
    replace: true,
    doc: "What the file is: `iso` (an image for a CD drive), `import` (a disk image that VMs are made from) or `vztmpl` (a container template). Snippets cannot be brought to a node through the API: use `cloud_init.user_data` of `proxmox_vm`, which needs none, or copy them there.",
  },
  volume_id: {
    type: string(),
    mode: "computed",
    keep: true,
    instead: "Set `storage`, `content` and `name`.",
    doc: "Volume ID, such as `local:iso/debian.iso`: what `cdroms.*.file` and `disks.*.import_from` of `proxmox_vm` take.",
  },
  overwrite: {
    type: bool(),
    mode: "optional",
    local: true,
    doc: "Whether a file that has the name already may be overwritten when this one is created. Left out: it may not, and the plan says how to import it instead.",
  },
} as const;

/** What bpg's files have in common. Their `overwrite` is on unless it is given, and stays behind. */
export const fileMovedFrom = {
  storage: "datastore_id",
  node: "node_name",
  content: "content_type",
  volume_id: "id",
} as const;

export const sizeBytes = {
  type: int(),
  mode: "computed",
  keep: true,
  doc: "Size of the file on the storage, in bytes.",
} as const;

/** Images are large and lines are slow. */
export const fileTimeouts = timeouts({ create: "2h", update: "2h", delete: "10m" });
