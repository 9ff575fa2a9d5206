import { bool, type ConfigDraft, derived, group, inherits, int, list, nullable, oneOf, string } from "#kit";
import { ipv4, ipv6 } from "../../guest/validate/addresses.ts";
import { publicKey } from "../../guest/validate/public-key.ts";
import { storageOf } from "../../guest/volume.ts";
import { dataDrive, ensureDrive, ownDrive, removeDrives, type WantedDrive } from "./cloud-init-drive.ts";
import { fileOf } from "./drive-slots.ts";

const address = string({
  check: (text) => (ipv4.isAddress(text) || ipv6.isAddress(text) ? undefined : "Must be an IP address."),
});
const sshKey = string({
  check: publicKey,
  same: (a, b) => a.trim() === b.trim(),
});
const trimmed = {
  parse: (keys: unknown) => keys,
  print: (keys: unknown) => (keys as readonly string[]).map((key) => key.trim()),
};
const fileIn = (draft: ConfigDraft, slot: string | null) => (slot === null ? null : fileOf(draft, slot));
/** Shipped on a disc of its own, so it lives in Terraform only. */
const text = (doc: string, more: { readonly sensitive?: true } = {}) =>
  ({ type: string(), mode: "optional", local: true, doc, ...more }) as const;
/** The same, known to the configuration alone. */
const hiddenText = (doc: string) =>
  ({ type: string(), mode: "optional", writeOnly: true, sensitive: true, undo: "ignore", doc }) as const;
const snippet = (kind: string, doc: string) => inherits(string(), `cicustom/${kind}`, doc);

/** Server side: qemu-server `src/PVE/QemuServer/Cloudinit.pm`. */
export const cloudInit = {
  cloud_init: group(
    {
      storage: derived(
        string(),
        "Storage for the drive; that of the first disk when it is not given.",
        { parse: (draft) => storageOf(fileOf(draft, ownDrive(draft) ?? "")) },
        // Text takes the place of PVE's own drive.
        { keep: { unless: ["user_data", "user_data_wo"] }, undo: "with_object", refers: "storage" },
      ),
      slot: derived(
        string(),
        "Slot of the drive; a free one of `ide2`, `ide0`, `ide1`, `ide3` for a new one.",
        { parse: (draft) => dataDrive(draft) ?? ownDrive(draft) },
        { undo: "with_object" },
      ),
      user: inherits(string(), "ciuser", "User to create; the image's own when it is not given."),
      password: {
        type: string(),
        mode: "optional",
        writeOnly: { trigger: "password_version" },
        sensitive: true,
        wire: "cipassword",
        doc: "Its password; never stored. Raise `password_version` to send it again.",
      },
      password_version: { type: int(), mode: "optional", local: true, doc: "Raise it when `password` changes." },
      ssh_keys: inherits(list(sshKey), "sshkeys", "Public keys that may log in.", { as: trimmed }),
      dns_servers: inherits(list(address), "nameserver", "Name servers; the host's when not given."),
      search_domain: inherits(string(), "searchdomain", "Domain for short names."),
      upgrade: inherits(bool(), "ciupgrade", "Whether packages are upgraded at the first boot."),
      type: inherits(oneOf(["configdrive2", "nocloud", "opennebula"]), "citype", "Format of the drive."),
      snippets: group(
        {
          user: snippet("user", "User data."),
          network: snippet("network", "Network data."),
          meta: snippet("meta", "Meta data."),
          vendor: snippet("vendor", "Vendor data."),
        },
        "Snippet volumes that take the place of generated files.",
      ),
      user_data: text(
        "User data, as text: shipped on an ISO image that is uploaded through the API, in place of PVE's own drive. Other text is another image in the same drive; it excludes whatever PVE would generate. Terraform stores it in its state, in clear: `user_data_wo` is never stored.",
        { sensitive: true },
      ),
      network_data: text("Network configuration, as text; beside `user_data`."),
      meta_data: text("Meta data, as text; beside `user_data`. Not given: an instance ID and the VM's name."),
      vendor_data: text("Vendor data, as text; beside `user_data`.", { sensitive: true }),
      user_data_wo: hiddenText(
        "`user_data` in write-only form: for secrets. Terraform stores it nowhere; the state has a hash of the image, in `data_volume`. Other text is another image, as with `user_data`.",
      ),
      network_data_wo: hiddenText("`network_data` in write-only form."),
      meta_data_wo: hiddenText("`meta_data` in write-only form."),
      vendor_data_wo: hiddenText("`vendor_data` in write-only form."),
      data_version: {
        type: int(),
        mode: "optional",
        local: true,
        doc: "Where it is given, changed write-only texts are shipped only when it changes. Needed where the texts differ from run to run, as what an ephemeral resource returns.",
      },
      data_storage: derived(
        string(),
        "Storage for that image, with content `iso`; a shared one is preferred when it is not given.",
        { parse: (draft) => storageOf(fileOf(draft, dataDrive(draft) ?? "")) },
        { refers: "storage" },
      ),
      data_volume: {
        type: nullable(string()),
        mode: "computed",
        keep: true,
        instead: "Set `cloud_init.user_data` and `cloud_init.data_storage`.",
        doc: "The image; its name depends on its content.",
        custom: { parse: (draft: ConfigDraft) => fileIn(draft, dataDrive(draft)) },
      },
    },
    "What cloud-init does in the guest. Addresses are given with the network cards.",
    {
      custom: {
        patch(draft, desired) {
          if (desired === null) removeDrives(draft);
          else ensureDrive(draft, desired as WantedDrive);
        },
      },
    },
  ),
} as const;
