import {
  checkPrivileges,
  defineResource,
  Failure,
  type FileId,
  notEmptyIfGiven,
  type PlanContext,
  parseFileVolume,
  type Session,
  string,
  volumeIdOf,
} from "#kit";
import { chooseAppliance, partsOfTemplate } from "./appliance.ts";
import { fetchByTask } from "./fetch-file.ts";
import { fileTimeouts, sizeBytes } from "./file-attributes.ts";
import { checkPlace, needsToRemove } from "./file-place.ts";
import { makeFile, removeFile } from "./file-volume.ts";
import { importFile } from "./import-file.ts";
import { nodeOf, observeFile } from "./observe-file.ts";
import { planPlace } from "./plan-place.ts";
import { asFilePlan, templatePlace } from "./template-place.ts";

const type = "proxmox_container_template";

const attributes = {
  ...templatePlace,
  name: {
    type: string(),
    mode: "required",
    replace: true,
    doc: "Name of the appliance, without its version: `debian-13-standard`. `proxmox_container_templates` lists what there is.",
  },
  version: {
    type: notEmptyIfGiven,
    mode: "optional_computed",
    keep: true,
    replace: true,
    doc: "Version, such as `13.1-2`. Left out: the newest one at the time of the creation; a newer one is not fetched automatically (`terraform apply -replace=ADDRESS` does that).",
  },
  size_bytes: sizeBytes,
  timeouts: fileTimeouts,
} as const;

type Plan = PlanContext<typeof attributes, object, Session>;

/** `proxmox_container_template`. Server side: pve-manager `PVE/API2/Nodes.pm`, `apl_download`. */
export const containerTemplate = defineResource({
  type,
  subcategory: "Containers",
  doc: "A container template of those that Proxmox offers (`pveam available`), downloaded by a node to one of its storages and checked against Proxmox's signed checksum. Needs `Datastore.AllocateTemplate` and `Datastore.Audit` on the storage, and `Datastore.Allocate` to remove the file.",
  attributes,
  identity: ["node", "volume_id"],
  label: ({ name, version }) => `container template ${name}${version ? ` ${version}` : ""}`,

  async plan(context) {
    const { api, prior } = context;
    const place = asFilePlan(context);
    if (prior !== null && context.changes.size === 0) return;
    if (api) await planFile(context, api);
    else if (prior === null) context.setUnknown("version");
    if (api && !context.report.failed) await planPlace(type, place, api);
  },

  async planDelete(context) {
    const { api, state, report } = context;
    if (api) await checkPrivileges({ report, api, needs: needsToRemove(state.storage) });
  },

  async create(context) {
    const { api, desired, signal } = context;
    const { storage, name, version } = desired;
    const node = await nodeOf(context, { storage, node: desired.node, content: "vztmpl" });
    const { template } = await chooseAppliance(api, node, { name, version });
    const id = { node, volume_id: volumeIdOf({ storage, content: "vztmpl", name: template }) };
    return makeFile(context, { type, id, mayOverwrite: desired.overwrite === true }, async (existing) => {
      if (existing !== null) await removeFile(context, id);
      const submit = () => api.templates.download(node, { storage, template }, { signal });
      await fetchByTask(context, id, { submit, task: { type: "download", id: template } });
    });
  },

  async read(context) {
    const seen = await observeFile(context, ({ size_bytes }) => ({ size_bytes }));
    if (seen === null) return null;
    const { content: _, name: file, ...place } = seen;
    const { name, version } = partsOfTemplate(file);
    return { ...place, name, version: version ?? "" };
  },

  /** Only what Terraform alone knows can change. */
  update: async () => {},

  delete: (context) => removeFile(context, context.id),

  async import(context): Promise<FileId> {
    const id = await importFile(context);
    const file = parseFileVolume(id.volume_id);
    if (file?.content !== "vztmpl" || partsOfTemplate(file.name).version === null) {
      throw new Failure(
        "Not a template of Proxmox",
        `\`${id.volume_id}\` is not named as the templates of Proxmox are, such as \`local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst\`. Import it as \`proxmox_download\` or \`proxmox_file\`.`,
      );
    }
    return id;
  },
});

/** The version and the volume ID are known as soon as name, storage and node are. */
async function planFile(context: Plan, api: Session): Promise<void> {
  const { config, prior, report, planned } = context;
  // A node that does not exist cannot be asked for its templates.
  const wish = config.node === null ? (prior?.node ?? null) : config.node;
  const node = await checkPlace(api, report, { ...config, node: wish, content: "vztmpl" });
  const isKnown = node !== undefined && config.name !== undefined && config.version !== undefined;
  if (!isKnown || report.failed) {
    if (prior === null) context.setUnknown("version");
    context.setUnknown("volume_id");
    return;
  }
  const isSame =
    prior !== null && config.name === prior.name && (config.version === null || config.version === prior.version);
  const version = isSame ? prior.version : config.version;
  const appliance = isSame ? null : await chooseAppliance(api, node, { name: config.name, version });
  const file = appliance?.template ?? prior?.volume_id?.replace(/^.*\//, "");
  if (appliance?.version !== undefined && config.version === null) context.set("version", appliance.version);
  if (file !== undefined && planned.storage !== undefined)
    context.set("volume_id", `${planned.storage}:vztmpl/${file}`);
  else context.setUnknown("volume_id");
}
