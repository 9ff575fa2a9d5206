import { defineDataSource, found, list, nested, oneOf } from "#kit";
import { guestsAttributes, listedGuest, readGuests } from "../../guest/data/many.ts";
import { containerReader } from "./reader.ts";

/** `proxmox_containers`. */
export const containersData = defineDataSource({
  type: "proxmox_containers",
  subcategory: containerReader.subcategory,
  doc: "Containers of the cluster, all or those that match every filter given. If nothing matches the list is empty. Only containers on which the caller has `VM.Audit` can be seen.",
  attributes: {
    ...guestsAttributes(containerReader),
    addresses: {
      type: oneOf(["configured", "interfaces"]),
      mode: "optional",
      doc: "Whether to look for IP addresses: `configured` takes one call for each match, `interfaces` another one for each that runs. Not given: none are shown.",
    },
    containers: found(list(nested(listedGuest)), "The containers, ordered by VMID."),
  },

  async read(context) {
    const { guests: containers, ...byName } = await readGuests(containerReader, context);
    return { ...byName, containers };
  },
});
