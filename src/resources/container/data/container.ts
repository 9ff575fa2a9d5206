import { computed, defineDataSource, oneOf } from "#kit";
import { lookUpAttributes, lookUpGuest, validateLookUp } from "../../guest/data/one.ts";
import { readHa } from "../../guest/lifecycle/ha.ts";
import { attributes } from "../attributes.ts";
import { describeContainer } from "../describe.ts";
import { containerKind } from "../kind.ts";
import { addressesOf } from "./reader.ts";

/** Without `inherited` and `absent_devices`, which only a state knows, and `pending`, which takes another call. */
const { inherited: _inherited, absent_devices: _absent, pending: _pending, ...shown } = computed(attributes);

/** The data source `proxmox_container`: the attributes of the resource, found by VMID or by name. */
export const containerData = defineDataSource({
  type: containerKind.resource,
  subcategory: containerKind.subcategory,
  doc: "A container that exists, found by its VMID or by its name. Shows the attributes of the resource `proxmox_container`, every slot of its maps included. Needs `VM.Audit` on it, and `VM.Config.Options` if it has environment variables.",
  attributes: {
    ...shown,
    ...lookUpAttributes(containerKind),
    addresses: {
      type: oneOf(["configured", "interfaces"]),
      mode: "optional",
      doc: "Where `ip_addresses` come from: `configured`, or also from the `interfaces` of a running container. Default: `configured`.",
    },
  },

  validate: validateLookUp(containerKind),

  async read(context) {
    const { api, config, signal } = context;
    api.inventory.forgetIfChanged();
    const found = await lookUpGuest(containerKind, api, config, signal);
    const draft = api.containerDraft(found.config.options);
    const addresses = await addressesOf(context, found, draft, config.addresses === "interfaces");
    const { absent_devices: _, ...described } = describeContainer(found, draft, addresses);
    return {
      ...described,
      pool: found.pool ?? null,
      ha: await readHa({ kind: containerKind, api, id: { vmid: found.vmid }, state: null, purpose: "import", signal }),
    };
  },
});
