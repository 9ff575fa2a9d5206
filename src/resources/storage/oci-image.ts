import {
  bpg,
  checkPrivileges,
  defineResource,
  matches,
  movesFrom,
  type Need,
  normalName,
  notEmptyIfGiven,
  string,
  type ValidateContext,
  volumeIdOf,
  whyUnfit,
} from "#kit";
import { fetchByTask } from "./fetch-file.ts";
import { fileTimeouts, sizeBytes } from "./file-attributes.ts";
import { needsToRemove } from "./file-place.ts";
import { makeFile, removeFile } from "./file-volume.ts";
import { importFile } from "./import-file.ts";
import { nodeOf, observeFile } from "./observe-file.ts";
import { planPlace } from "./plan-place.ts";
import { asFilePlan, templatePlace } from "./template-place.ts";

const type = "proxmox_oci_image";

/** As PVE has it, less the anchors (pve-storage: src/PVE/API2/Storage/Status.pm, `oci_registry_pull`). */
const label = "(?:[a-zA-Z\\d]|[a-zA-Z\\d][a-zA-Z\\d-]*[a-zA-Z\\d])";
const part = "[a-z\\d]+(?:(?:[._]|__|[-]*)[a-z\\d]+)*";
const shape = new RegExp(`^(?:${label}(?:\\.${label})*(?::\\d+)?/)?${part}(?:/${part})*:\\w[\\w.-]{0,127}$`);

const attributes = {
  ...templatePlace,
  reference: {
    type: string({ check: matches(shape, "a reference with a tag, such as `docker.io/library/nginx:1.29`") }),
    mode: "required",
    // An image that was imported is taken to be the configured one: its registry is not recorded.
    local: true,
    replace: { when: "unless the image was imported: its registry is not recorded" },
    doc: "Image in a registry, with its tag: `docker.io/library/nginx:1.29`. A tag that moves, such as `latest`, is pulled once.",
  },
  name: {
    type: notEmptyIfGiven,
    mode: "optional_computed",
    keep: true,
    replace: true,
    doc: "Name of the file, with `.tar` at the end. Left out: made of the reference, such as `nginx_1.29.tar`.",
  },
  size_bytes: sizeBytes,
  timeouts: fileTimeouts,
} as const;

/** `proxmox_oci_image`. Server side: pve-storage `src/PVE/API2/Storage/Status.pm`, `oci_registry_pull`. */
export const ociImage = defineResource({
  type,
  subcategory: "Containers",
  doc: "An OCI image that a node pulls from a registry to one of its storages, as a container template. Proxmox VE 9.1 or newer, with `skopeo` installed on the node. Needs `Datastore.AllocateTemplate` and `Datastore.Audit` on the storage, `Sys.AccessNetwork` on the node, and `Datastore.Allocate` on the storage to remove the file.",
  attributes,
  identity: ["node", "volume_id"],
  moves: movesFrom({ attributes, identity: ["node", "volume_id"], noun: "OCI image" }, [
    bpg("oci_image", {
      node: "node_name",
      storage: "datastore_id",
      volume_id: "id",
      name: "file_name",
      reference: "reference",
      size_bytes: "size",
    }),
  ]),
  label: ({ reference, volume_id }) => `OCI image ${reference ?? volume_id ?? ""}`,

  validate({ config, report }: ValidateContext<typeof attributes>) {
    const problem = config.name ? whyUnfitImage(config.name) : undefined;
    if (problem) report.error("name", "Name does not fit", problem);
  },

  async plan(context) {
    const { api, prior, config } = context;
    const place = asFilePlan(context);
    const isOther = prior === null || (prior.reference && config.reference !== prior.reference);
    if (prior !== null && isOther) context.replace("reference");
    if (config.name === null && isOther) {
      if (config.reference === undefined) context.setUnknown("name");
      else context.set("name", nameOf(config.reference));
    }
    const { storage, name } = context.planned;
    if (storage !== undefined && name !== undefined) context.set("volume_id", `${storage}:vztmpl/${name}`);
    else context.setUnknown("volume_id");
    if (api && (prior === null || context.changes.size > 0)) await planPlace(type, place, api, needsToPull);
  },

  async planDelete(context) {
    const { api, state, report } = context;
    if (api) await checkPrivileges({ report, api, needs: needsToRemove(state.storage) });
  },

  async create(context) {
    const { api, desired, signal } = context;
    const { storage, reference } = desired;
    const name = desired.name ?? nameOf(reference);
    const node = await nodeOf(context, { storage, node: desired.node, content: "vztmpl" });
    const id = { node, volume_id: volumeIdOf({ storage, content: "vztmpl", name }) };
    return makeFile(context, { type, id, mayOverwrite: desired.overwrite === true }, async (existing) => {
      if (existing !== null) await removeFile(context, id);
      const request = { reference, filename: name.replace(/\.tar$/, "") };
      const submit = () => api.templates.pull(node, storage, request, { signal });
      await fetchByTask(context, id, { submit, task: { type: "ociregistrypull", id: name } });
    });
  },

  async read(context) {
    const seen = await observeFile(context, ({ size_bytes }) => ({ size_bytes }));
    if (seen === null) return null;
    const { content: _, ...image } = seen;
    return image;
  },

  /** Only what Terraform alone knows can change. */
  update: async () => {},

  delete: (context) => removeFile(context, context.id),

  import: importFile,
});

/** `nginx_1.29.tar` of `docker.io/library/nginx:1.29`. */
const nameOf = (reference: string): string => `${normalName(reference.replace(/^.*\//, ""))}.tar`;

const whyUnfitImage = (name: string): string | undefined => {
  if (/.\.tar$/.test(name)) return whyUnfit("vztmpl", name);
  const stem = normalName(name.replace(/\.tar.*$/, "")) || "image";
  return `Proxmox VE stores images as \`.tar\`: write \`${stem}.tar\`.`;
};

const needsToPull = (node: string | undefined): Need[] =>
  node === undefined ? [] : [{ privileges: ["Sys.AccessNetwork"], paths: [`/nodes/${node}`], attribute: "reference" }];
