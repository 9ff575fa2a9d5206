import {
  bool,
  bpg,
  type CreateContext,
  checkPrivileges,
  defineResource,
  type FileId,
  type LegacyState,
  movesFrom,
  type Need,
  normalName,
  notEmptyIfGiven,
  oneOf,
  onlyIf,
  type PlanContext,
  type Session,
  string,
  telmate,
  type UpdateContext,
  type ValidateContext,
  volumeIdOf,
  whyUnfit,
} from "#kit";
import { checksumHint, isSameChecksum, parseChecksum } from "./checksum.ts";
import { fetchByTask } from "./fetch-file.ts";
import { fileAttributes, fileMovedFrom, fileTimeouts, sizeBytes } from "./file-attributes.ts";
import { needsToRemove } from "./file-place.ts";
import { makeFile, removeFile } from "./file-volume.ts";
import { importFile } from "./import-file.ts";
import { nodeOf, observeFile } from "./observe-file.ts";
import { planPlace, planVolumeId } from "./plan-place.ts";

const type = "proxmox_download";

const attributes = {
  ...fileAttributes,
  url: {
    type: string({
      check: (url) => (isUrl(url) ? undefined : "Must be an address that begins with `https://` or `http://`."),
    }),
    mode: "required",
    wire: "url",
    local: true,
    replace: { when: "unless `checksum` stays the same" },
    doc: "Address the node fetches the file from, by HTTP or HTTPS. Another address means another file, unless `checksum` stays the same.",
  },
  name: {
    type: notEmptyIfGiven,
    mode: "optional_computed",
    wire: "filename",
    keep: true,
    replace: true,
    doc: "Name of the file on the storage, with an extension that fits the content: `.iso` or `.img`; `.qcow2`, `.raw`, `.vmdk` or `.ova`; `.tar` and its compressed forms. Left out: the last part of `url`, without the extension of `compression`.",
  },
  checksum: {
    type: string({ check: (sum) => (parseChecksum(sum) ? undefined : checksumHint), same: isSameChecksum }),
    mode: "optional",
    wire: "checksum",
    local: true,
    replace: { when: "if another one takes its place; added later, the file is checked" },
    doc: "Checksum the file must have, such as `sha256:1f2e…`; the number of digits determines the algorithm where it is not named. A download that has another one fails and leaves nothing. Added later, the file that is there is checked. Left out: nothing is checked.",
  },
  compression: {
    type: oneOf(["bz2", "gz", "lzo", "zst"]),
    mode: "optional",
    wire: "compression",
    local: true,
    replace: { when: "unless the file was imported" },
    doc: "How the file is compressed at its address, if it is to be decompressed on its way to the storage; for `iso` only. `checksum` is then that of the compressed file.",
  },
  verify_certificates: {
    type: bool(),
    mode: "optional",
    wire: "verify-certificates",
    local: true,
    doc: "Whether the certificate of an `https://` address must be valid. Left out: it must.",
  },
  size_bytes: { ...sizeBytes, replace: { when: "if the file was changed outside of Terraform" } },
  timeouts: fileTimeouts,
} as const;

type Attributes = typeof attributes;
interface Remembered {
  /** Its size when it was downloaded, or imported. */
  size: number | null;
}
type DownloadPlan = PlanContext<Attributes, Remembered, Session>;
type DownloadCreate = CreateContext<Attributes, "node" | "volume_id", Remembered, Session>;
type DownloadUpdate = UpdateContext<Attributes, "node" | "volume_id", Remembered, Session>;

/**
 * `proxmox_download`. Server side: pve-storage `src/PVE/API2/Storage/Status.pm`, `download_url`; pve-common
 * `src/PVE/Tools.pm`, `download_file_from_url`.
 */
export const download = defineResource({
  type,
  subcategory: "Storage",
  doc: "A file that a node downloads from the Internet to one of its storages: a cloud image that VMs are made from, an ISO image, or a container template. A file of that name that exists already is never overwritten unless `overwrite` says so. Needs `Datastore.AllocateTemplate` and `Datastore.Audit` on the storage, `Sys.AccessNetwork` on the node (or `Sys.Audit` and `Sys.Modify` on `/`), and `Datastore.Allocate` on the storage to remove the file.",
  attributes,
  identity: ["node", "volume_id"],
  moves: movesFrom({ attributes, identity: ["node", "volume_id"], noun: "download" }, [
    bpg("download_file", {
      ...fileMovedFrom,
      name: "file_name",
      url: "url",
      checksum: movedChecksum,
      compression: "decompression_algorithm",
      verify_certificates: onlyIf(false, "verify"),
      size_bytes: "size",
    }),
    // A file of the Internet that another type took to the storage.
    bpg("file", {
      ...fileMovedFrom,
      name: "file_name",
      url: "source_file.path",
      checksum: "source_file.checksum",
      verify_certificates: (old) => (old.block("source_file").flag("insecure") ? false : undefined),
      size_bytes: "file_size",
    }),
    telmate("storage_iso", {
      storage: "storage",
      node: "pve_node",
      content: () => "iso",
      volume_id: "id",
      name: "filename",
      url: "url",
      checksum: movedChecksum,
    }),
  ]),
  privateState: { size: null } as Remembered,
  label: ({ storage, content, name }) => `download ${storage}:${content}/${name ?? "?"}`,

  validate,

  async plan(context) {
    const { api, prior } = context;
    planName(context);
    planVolumeId(context);
    planReplacement(context);
    if (api && (prior === null || context.changes.size > 0)) {
      await planPlace(type, context, api, needsToFetch);
    }
  },

  async planDelete(context) {
    const { api, state, report } = context;
    if (api) await checkPrivileges({ report, api, needs: needsToRemove(state.storage) });
  },

  async create(context) {
    const { desired } = context;
    const { storage, content } = desired;
    const place = { storage, content, name: desired.name ?? nameIn(desired.url, desired.compression) };
    const id = { node: await nodeOf(context, desired), volume_id: volumeIdOf(place) };
    const mayOverwrite = desired.overwrite === true;
    return makeFile(context, { type, id, mayOverwrite }, async (existing) => {
      if (existing !== null) await removeFile(context, id); // PVE itself never overwrites
      await fetchFile(context, id, place.name);
    });
  },

  read: (context) =>
    observeFile(context, ({ size_bytes }) => {
      if (context.purpose === "create" || context.purpose === "import") context.privateState.size = size_bytes;
      return { size_bytes };
    }),

  /** PVE compares the checksum of a file that is there already, and downloads nothing if it is right. */
  async update(context) {
    const { desired, prior, id } = context;
    const isNewPin = desired.checksum !== null && prior.checksum === null;
    // What was decompressed has another checksum than what was downloaded.
    if (isNewPin && desired.compression === null) await fetchFile(context, id, id.volume_id.replace(/^.*\//, ""));
  },

  delete: (context) => removeFile(context, context.id),

  import: importFile,
});

function movedChecksum(old: LegacyState): string | undefined {
  const [sum, algorithm] = [old.text("checksum"), old.text("checksum_algorithm")];
  return sum === undefined || algorithm === undefined ? sum : `${algorithm}:${sum}`;
}

const isUrl = (url: string): boolean => /^https?:\/\//.test(url) && URL.canParse(url);

function validate({ config, report }: ValidateContext<Attributes>): void {
  const { url, name, content, compression } = config;
  if (compression && content && content !== "iso") {
    report.error(
      "compression",
      "Cannot be decompressed",
      `Proxmox VE decompresses \`iso\` only, and this is \`${content}\`. ${content === "vztmpl" ? "Container templates stay compressed: leave `compression` out." : "Decompress the image elsewhere, or upload it with `proxmox_file`."}`,
    );
  }
  if (!content || compression === undefined || !url || !isUrl(url) || name === undefined) return;
  const problem = whyUnfit(content, name ?? nameIn(url, compression));
  if (problem) report.error("name", "Name does not fit", problem);
}

/** `debian-13.qcow2` of `https://example.com/images/debian-13.qcow2?mirror=1`. */
function nameIn(url: string, compression: string | null): string {
  const name = normalName(new URL(url).pathname.split("/").at(-1) ?? "");
  return compression && name.endsWith(`.${compression}`) ? name.slice(0, -compression.length - 1) : name;
}

function planName(context: DownloadPlan): void {
  const { name, url, compression } = context.config;
  if (name !== null) return;
  // A file that is there keeps its name, whatever the new address ends with.
  if (context.prior?.name !== undefined && otherFile(context) === null) return;
  if (url === undefined || compression === undefined) context.setUnknown("name");
  else context.set("name", nameIn(url, compression));
}

/** What asks for another file. What was imported is taken for what is configured. */
function otherFile({ config, prior }: DownloadPlan): "url" | "checksum" | "compression" | null {
  if (prior === null || !prior.url || config.url === undefined || config.checksum === undefined) return null;
  if (config.compression !== undefined && config.compression !== prior.compression) return "compression";
  // The same content may come from another address.
  if (prior.checksum && config.checksum) return isSameChecksum(prior.checksum, config.checksum) ? null : "checksum";
  return config.url === prior.url ? null : "url";
}

function planReplacement(context: DownloadPlan): void {
  const { prior, privateState } = context;
  if (prior === null) return;
  const reason = otherFile(context);
  if (reason !== null) context.replace(reason);
  const { size } = privateState;
  if (size === null || prior.size_bytes === undefined || prior.size_bytes === size) return;
  context.setUnknown("size_bytes");
  context.replace(
    "size_bytes",
    `${prior.volume_id} has ${prior.size_bytes} bytes and had ${size} when it was downloaded: it was changed outside of Terraform.`,
  );
}

/** pve-storage: src/PVE/API2/Storage/Status.pm, `download_url`; `Sys.Modify` counts on `/`, from where it is passed on. */
const needsToFetch = (node: string | undefined): Need[] =>
  node === undefined
    ? []
    : [{ privileges: ["Sys.AccessNetwork", "Sys.Modify"], paths: [`/nodes/${node}`], attribute: "url" }];

async function fetchFile(context: DownloadCreate | DownloadUpdate, id: FileId, filename: string): Promise<void> {
  const { api, desired, signal } = context;
  const { url, content, storage, compression, verify_certificates: isVerified } = desired;
  const checksum = desired.checksum === null ? null : parseChecksum(desired.checksum);
  const request = {
    url,
    content,
    filename,
    ...(checksum && { checksum: checksum.value, "checksum-algorithm": checksum.algorithm }),
    ...(compression && { compression }),
    ...(isVerified !== null && { "verify-certificates": isVerified }),
  };
  const submit = () => api.storage.download(id.node, storage, request, { signal });
  await fetchByTask(context, id, { submit, task: { type: "download", id: filename } });
}
