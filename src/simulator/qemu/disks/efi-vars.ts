import type { Drive } from "../config/drive.ts";

/** Sizes of the variable templates in pve-edk2-firmware (qemu-server `src/PVE/QemuServer/OVMF.pm`). */
const templateBytes = { aarch64: 64 * 2 ** 20, "4m": 528 * 2 ** 10, "2m": 128 * 2 ** 10 } as const;

/** `get_efivars_size`. */
export function efiVarsSize(arch: string, drive: Drive | undefined): number {
  return templateBytes[arch === "aarch64" ? "aarch64" : drive?.["efitype"] === "4m" ? "4m" : "2m"];
}
