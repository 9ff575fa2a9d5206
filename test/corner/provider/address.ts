/** Where configurations say the corner provider comes from; it is never published there. */
export const cornerAddress = "registry.terraform.io/proxmox-ts/corner";
