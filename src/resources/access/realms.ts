import { bool, defineCollection, shown, string } from "#kit";

/** `proxmox_realms`. Server side: pve-access-control `src/PVE/API2/Domains.pm`, `index`. */
export const realmsData = defineCollection({
  type: "proxmox_realms",
  subcategory: "Access",
  doc: "Realms that users can log in to. Every caller sees all of them.",
  path: "/access/domains",
  items: "realms",
  key: "id",
  filters: { id: "Only realms of this name", type: "Only realms of this type, such as `ldap`" },
  attributes: {
    id: shown(string(), "realm", "Name."),
    type: shown(string(), "type", "`ldap`, `ad`, `openid`, `pam` or `pve`."),
    comment: shown(string(), "comment", "What the login window calls it."),
    default: { ...shown(bool(), "default", "Whether the login window offers it first."), absent: false },
    tfa: shown(string(), "tfa", "Second factor that the realm demands: `oath` or `yubico`."),
  },
});
