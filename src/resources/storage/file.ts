import { basename } from "node:path";
import {
  bpg,
  type CreateContext,
  checkPrivileges,
  defineResource,
  Failure,
  type FileToSend,
  movesFrom,
  normalName,
  notEmptyIfGiven,
  nullable,
  type PlanContext,
  type Session,
  sendFile,
  string,
  type UpdateContext,
  type ValidateContext,
  volumeIdOf,
  whyUnfit,
} from "#kit";
import { fileAttributes, fileMovedFrom, fileTimeouts, sizeBytes } from "./file-attributes.ts";
import { needsToRemove } from "./file-place.ts";
import { makeFile, removeFile } from "./file-volume.ts";
import { importFile } from "./import-file.ts";
import { type Fingerprint, fingerprint, localFile, textFile, UnreadableFile } from "./local-file.ts";
import { nodeOf, observeFile } from "./observe-file.ts";
import { planPlace, planVolumeId } from "./plan-place.ts";

const type = "proxmox_file";

const attributes = {
  ...fileAttributes,
  name: {
    type: notEmptyIfGiven,
    mode: "optional_computed",
    wire: "filename",
    keep: true,
    replace: true,
    doc: "Name of the file on the storage, with an extension that fits the content: `.iso` or `.img`; `.qcow2`, `.raw`, `.vmdk` or `.ova`; `.tar` and its compressed forms. Left out: the name of `source`, with `_` for every letter Proxmox VE does not keep.",
  },
  source: {
    type: notEmptyIfGiven,
    mode: "optional",
    local: true,
    doc: "Path of a local file to upload, seen from the folder Terraform runs in; it has to exist while planning. Either this or `text` must be given for a new file; without both, a file that was imported stays as it is. When its content changes, it is uploaded again over the old one, which keeps its volume ID.",
  },
  text: {
    type: string(),
    mode: "optional",
    local: true,
    doc: "The content itself, for small files. Give `name` with it.",
  },
  sha256: {
    type: nullable(string()),
    mode: "computed",
    keep: true,
    doc: "SHA-256 of what was uploaded, as Proxmox VE has checked it. Null after an import, until the next apply: Proxmox VE does not tell the checksum of a file, so an imported one of the same size is taken to be the same.",
  },
  size_bytes: sizeBytes,
  timeouts: fileTimeouts,
} as const;

type Attributes = typeof attributes;
interface Remembered {
  /** The local file as it was when it was last uploaded, or planned to be. */
  source: Fingerprint | null;
}
type FilePlanContext = PlanContext<Attributes, Remembered, Session>;
type FileUpdate = UpdateContext<Attributes, "node" | "volume_id", Remembered, Session>;
type FileCreate = CreateContext<Attributes, "node" | "volume_id", Remembered, Session>;

/**
 * `proxmox_file`. Sent piece by piece with its checksum, never over a file of another owner.
 * Server side: pve-storage `src/PVE/API2/Storage/Status.pm`, `upload`.
 */
export const file = defineResource({
  type,
  subcategory: "Storage",
  doc: "A file on a storage that is uploaded from where Terraform runs: an ISO image, a disk image that VMs are made from, or a container template. A file of that name that exists already is never overwritten unless `overwrite` says so. To have the node fetch a file from the Internet itself, use `proxmox_download`. Needs `Datastore.AllocateTemplate` and `Datastore.Audit` on the storage, and `Datastore.Allocate` to remove the file.",
  attributes,
  identity: ["node", "volume_id"],
  moves: movesFrom({ attributes, identity: ["node", "volume_id"], noun: "file" }, [
    bpg("file", {
      ...fileMovedFrom,
      name: "file_name",
      source: "source_file.path",
      text: "source_raw.data",
      size_bytes: "file_size",
    }),
  ]),
  privateState: { source: null } as Remembered,
  label: ({ storage, content, name }) => `file ${storage}:${content}/${name ?? "?"}`,

  validate,

  async plan(context) {
    const { api, prior } = context;
    planName(context);
    planVolumeId(context);
    if (context.config.source !== null || context.config.text !== null) await planContent(context);
    else if (prior === null) {
      const detail = "Give the path of a local file in `source`, or the content in `text`.";
      context.report.error("source", "Content needed", detail);
    }
    if (api && (prior === null || context.changes.size > 0)) {
      await planPlace(type, context, api);
    }
  },

  async planDelete(context) {
    const { api, state, report } = context;
    if (api) await checkPrivileges({ report, api, needs: needsToRemove(state.storage) });
  },

  async create(context) {
    const { desired } = context;
    const { node, place, content } = await prepare(context);
    const id = { node, volume_id: volumeIdOf(place) };
    const mayOverwrite = desired.overwrite === true;
    return makeFile(context, { type, id, mayOverwrite }, (existing) =>
      sendFile(context, node, place, content, existing),
    );
  },

  async read(context) {
    const sha256 = await checksumOf(context.state);
    return observeFile(context, ({ size_bytes }) => ({ sha256: sha256(size_bytes), size_bytes }));
  },

  async update(context) {
    const { changes, prior } = context;
    // What was imported is taken for what its size says it is.
    const isOther = changes.has("size_bytes") || (changes.has("sha256") && prior.sha256 !== null);
    if (!isOther) return;
    const { node, place, content } = await prepare(context);
    await sendFile(context, node, place, content, { volid: volumeIdOf(place) });
  },

  delete: (context) => removeFile(context, context.id),

  import: importFile,
});

interface Known {
  readonly sha256?: string | null | undefined;
  readonly source?: string | null | undefined;
  readonly text?: string | null | undefined;
}

/** A moved state has no checksum: what was uploaded then is taken for the local file if both have the same size. */
async function checksumOf(state: Known | null): Promise<(size: number) => string | null> {
  const known = state?.sha256 ?? null;
  if (known !== null || !(state?.source || state?.text)) return () => known;
  const local = state.source ? await fingerprint(state.source, null).catch(() => null) : textFile(state.text ?? "");
  return (size) => (local?.size === size ? local.sha256 : null);
}

function validate({ config, report }: ValidateContext<Attributes>): void {
  const { source, text, name, content } = config;
  if (source && text) report.error("text", "Two contents", "Give `source` or `text`, not both.");
  if (text === "") report.error("text", "Nothing to upload", "`text` is empty. Proxmox VE takes no empty files.");
  if (text && name === null) report.error("name", "Name needed", "Text has no name of its own: say `name`, too.");
  const wanted = name ?? (name === null && source ? normalName(basename(source)) : undefined);
  const problem = wanted && content ? whyUnfit(content, wanted) : undefined;
  if (problem) report.error("name", "Name does not fit", problem);
}

function planName(context: FilePlanContext): void {
  const { name, source } = context.config;
  if (name !== null || source === null) return;
  if (source === undefined) context.setUnknown("name");
  else context.set("name", normalName(basename(source)));
}

/** The checksum and the size of what would be uploaded, which is also what will be on the storage. */
async function planContent(context: FilePlanContext): Promise<void> {
  const { config, privateState, report } = context;
  if (config.source === undefined || config.text === undefined) {
    context.setUnknown("sha256");
    context.setUnknown("size_bytes");
    return;
  }
  try {
    const seen = config.source ? await fingerprint(config.source, privateState.source) : null;
    privateState.source = seen;
    const { sha256, size } = seen ?? textFile(config.text ?? "");
    context.set("sha256", sha256);
    context.set("size_bytes", size);
  } catch (reason) {
    if (!(reason instanceof UnreadableFile)) throw reason;
    report.error("source", "Local file cannot be read", reason.message);
  }
}

/** Where the file goes, and the file itself. */
async function prepare(context: FileCreate | FileUpdate) {
  const { desired } = context;
  const { storage, content, source } = desired;
  const name = desired.name ?? normalName(basename(source ?? ""));
  return {
    node: await nodeOf(context, desired),
    place: { storage, content, name },
    content: await contentOf(context),
  };
}

async function contentOf({ desired, privateState, log }: FileCreate | FileUpdate): Promise<FileToSend> {
  const { source, text } = desired;
  if (source === null) return textFile(text ?? "");
  const planned = privateState.source;
  const seen = await fingerprint(source, planned).catch((reason: unknown) => {
    if (!(reason instanceof UnreadableFile)) throw reason;
    throw new Failure("Local file cannot be read", reason.message, { path: "source", cause: reason });
  });
  if (planned && seen.sha256 !== planned.sha256) {
    throw new Failure("File changed", `\`${source}\` is not what it was when this was planned. Plan again.`, {
      path: "source",
    });
  }
  return localFile(seen, log);
}
