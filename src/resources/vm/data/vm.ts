import { computed, defineDataSource, found, nullable, oneOf, string, timestamp } from "#kit";
import { lookUpAttributes, lookUpGuest, validateLookUp } from "../../guest/data/one.ts";
import { readHa } from "../../guest/lifecycle/ha.ts";
import { attributes } from "../attributes.ts";
import { describeVm } from "../describe.ts";
import { vmKind } from "../kind.ts";
import { addressesOf } from "./addresses.ts";
import { creationOf } from "./creation.ts";

/** Without `inherited` and `absent_devices`, which only a state knows, and `pending`, which takes another call. */
const { inherited: _inherited, absent_devices: _absent, pending: _pending, ...shown } = computed(attributes);

/** The data source `proxmox_vm`: the attributes of the resource, found by VMID or by name. */
export const vmData = defineDataSource({
  type: vmKind.resource,
  subcategory: vmKind.subcategory,
  doc: "A virtual machine or template that exists, found by its VMID or by its name. Shows the attributes of the resource `proxmox_vm`, every slot of its maps included. Needs `VM.Audit` on it.",
  attributes: {
    ...shown,
    ...lookUpAttributes(vmKind),
    addresses: {
      type: oneOf(["configured", "agent"]),
      mode: "optional",
      doc: "Where `ip_addresses` come from: `configured`, as cloud-init sets them, or also from the guest `agent`, which is asked once and not waited for; needs `VM.GuestAgent.Audit`. Default: `configured`.",
    },
    created: found(
      nullable(string()),
      "When it was created, as RFC 3339 text. A clone has the time of its source; VMs older than PVE 7.1 have none.",
    ),
  },

  validate: validateLookUp(vmKind),

  async read(context) {
    const { api, config, signal } = context;
    api.inventory.forgetIfChanged();
    const vm = await lookUpGuest(vmKind, api, config, signal);
    const draft = api.draft(vm.config.options);
    const addresses = await addressesOf(context, vm, draft, config.addresses === "agent");
    const created = creationOf(vm.config.options);
    const { absent_devices: _, ...described } = describeVm(vm, draft, addresses);
    return {
      ...described,
      pool: vm.pool ?? null,
      ha: await readHa({ kind: vmKind, api, id: { vmid: vm.vmid }, state: null, purpose: "import", signal }),
      created: created === null ? null : timestamp(created),
    };
  },
});
