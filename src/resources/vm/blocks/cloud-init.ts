import { bool, type ConfigDraft, derived, group, inherits, int, list, oneOf, string } from "#kit";
import { ipv4, ipv6 } from "../validate/addresses.ts";
import { cdromFamilies, driveFamilies, fileOf, isCdrom, isCloudInit, storageOf } from "./drive-slots.ts";

const address = string({
  check: (text) => (ipv4.isAddress(text) || ipv6.isAddress(text) ? undefined : "Must be an IP address."),
});
const sshKey = string({
  check: (text) =>
    /^\S+ .+$/.test(text.trim()) ? undefined : "Must be one public key, as in an `authorized_keys` line.",
  same: (a, b) => a.trim() === b.trim(),
});
const trimmed = {
  parse: (keys: unknown) => keys,
  print: (keys: unknown) => (keys as readonly string[]).map((key) => key.trim()),
};
const drive = (draft: ConfigDraft) => draft.slots(cdromFamilies).find((slot) => isCloudInit(draft, slot)) ?? null;
const snippet = (kind: string, doc: string) => inherits(string(), `cicustom/${kind}`, doc);

/** Server side: qemu-server `src/PVE/QemuServer/Cloudinit.pm`. */
export const cloudInit = {
  cloud_init: group(
    {
      storage: derived(string(), "Storage for the drive; that of the first disk when it is not given.", {
        parse: (draft) => storageOf(fileOf(draft, drive(draft) ?? "")),
      }),
      slot: derived(string(), "Slot of the drive; a free one of `ide2`, `ide0`, `ide1`, `ide3` for a new one.", {
        parse: drive,
      }),
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
    },
    "What cloud-init does in the guest. Addresses are given with the network cards.",
    {
      custom: {
        patch(draft, desired) {
          if (desired !== null) ensureDrive(draft, desired as { storage?: string | null; slot?: string | null });
        },
      },
    },
  ),
} as const;

/** Without its drive, nothing of this reaches the guest. */
function ensureDrive(draft: ConfigDraft, wanted: { storage?: string | null; slot?: string | null }): void {
  const current = drive(draft);
  if (current !== null && (wanted.slot ?? current) === current && isOn(draft, current, wanted.storage)) return;
  const storage = wanted.storage ?? (current === null ? firstStorage(draft) : storageOf(fileOf(draft, current)));
  if (storage === null) return;
  const slot = wanted.slot ?? current ?? ["ide2", "ide0", "ide1", "ide3"].find((free) => !draft.has(free)) ?? "ide2";
  if (current !== null) draft.set(current, null);
  draft.set(slot, `${storage}:cloudinit,media=cdrom`);
}

const isOn = (draft: ConfigDraft, slot: string, storage: string | null | undefined) =>
  storage === undefined || storage === null || storageOf(fileOf(draft, slot)) === storage;

function firstStorage(draft: ConfigDraft): string | null {
  const disk = draft.slots(driveFamilies).find((slot) => !isCdrom(draft, slot));
  return disk === undefined ? null : storageOf(fileOf(draft, disk));
}
