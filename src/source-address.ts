/** Where configurations say this provider comes from; written into every user's files, so it never changes. */
export const sourceAddress = "registry.terraform.io/proxmox-ts/proxmox";
