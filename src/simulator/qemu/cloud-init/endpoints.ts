import { endpoint } from "../../core/kernel/endpoint.ts";
import { onGuest } from "../../core/kernel/on-node.ts";
import { splitList } from "../../core/schema/format.ts";
import { string } from "../../core/schema/schema.ts";
import { node, vmid } from "../../core/schema/standard-options.ts";
import type { Guest } from "../../core/world/guest.ts";
import { resolverOf } from "../../core/world/node.ts";
import { cloudInitSlot } from "../config/drive.ts";
import { isTrue } from "../config/perl.ts";
import { typedSection } from "../config/stored-value.ts";
import { checkLock, getVm, loadConfig, withConfigLock } from "../vm.ts";
import { metaData, networkData, userData } from "./data.ts";
import { applyCloudInit } from "./drive.ts";

/** The options in this list; addresses and names are recorded but not listed. */
const listedOptions = "cicustom cipassword citype ciuser ciupgrade nameserver searchdomain sshkeys".split(" ");

const masked = (section: Guest["config"]): Guest["config"] =>
  section["cipassword"] === undefined ? section : { ...section, cipassword: "**********" };

/** The values on the generated drive beside the current ones (`cloudinit_pending`). */
function cloudInitItems({ config, cloudinit }: Guest): Record<string, unknown>[] {
  const values = typedSection(masked(config));
  const { added = "", ...recorded } = masked(cloudinit);
  const generated = typedSection(recorded);
  const fresh = splitList(added).map((key) => ({ key, pending: values[key] }));
  const present = listedOptions
    .filter((key) => isTrue(config[key]) && !added.includes(key))
    .map((key) =>
      isTrue(recorded[key]) ? { key, value: generated[key], pending: values[key] } : { key, value: values[key] },
    );
  const deleted = Object.keys(recorded)
    .filter((key) => !isTrue(config[key]))
    .map((key) => ({ key, delete: 1 }));
  return [...fresh, ...present, ...deleted];
}

/** qemu-server `src/PVE/API2/Qemu.pm`: cloudinit_pending, cloudinit_update, cloudinit_generated_config_dump. */
export const cloudInitEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/qemu/{vmid}/cloudinit",
    proxyTo: "node",
    permissions: { check: ["perm", "/vms/{vmid}", ["VM.Audit"]] },
    parameters: { node, vmid },
    handler: (call) => cloudInitItems(getVm(call, call.params.vmid)),
  }),
  endpoint({
    method: "PUT",
    path: "/nodes/{node}/qemu/{vmid}/cloudinit",
    ...onGuest("VM.Config.Cloudinit"),
    parameters: { node, vmid },
    handler: async (call) => {
      const { vmid: id } = call.params;
      await withConfigLock(call, id, async () => {
        const conf = loadConfig(call, id);
        checkLock(conf);
        if (cloudInitSlot(conf.config) !== undefined) {
          await applyCloudInit(call, id, conf);
        }
      });
      return null;
    },
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/qemu/{vmid}/cloudinit/dump",
    proxyTo: "node",
    permissions: { check: ["perm", "/vms/{vmid}", ["VM.Audit"]] },
    parameters: { node, vmid, type: string({ enum: ["user", "network", "meta"] }) },
    handler: (call) => {
      const { vmid: id, type } = call.params;
      const source = { ...getVm(call, id), resolver: resolverOf(call.world, call.node) };
      const maskPassword = !call.caller.has(`/vms/${id}`, ["VM.Config.Cloudinit"]);
      const data = {
        user: () => userData(source, { maskPassword }),
        network: () => networkData(source),
        meta: () => metaData(source),
      };
      return data[type]();
    },
  }),
];
