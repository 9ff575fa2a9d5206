/** The source address in configurations; it is in every user's files, so it never changes. */
export const sourceAddress = "registry.terraform.io/proxmox-ts/proxmox";
