import type { ContainerSystem } from "../core/world/storage.ts";
import { decompress, readTar } from "./tar.ts";

// The contents of a container template, as far as the setup of a container uses them: pve-container
// `src/PVE/LXC/Setup.pm`.

/** Names in `ID=` of /etc/os-release that map to another type. */
const aliases: Readonly<Record<string, string>> = {
  "opensuse-leap": "opensuse",
  "opensuse-tumbleweed": "opensuse",
  sles: "opensuse",
  arch: "archlinux",
  rocky: "centos",
  almalinux: "centos",
  rhel: "centos",
};

export const systems = [
  "debian",
  "devuan",
  "ubuntu",
  "centos",
  "fedora",
  "opensuse",
  "archlinux",
  "alpine",
  "gentoo",
  "nixos",
];

const marks: readonly [file: string, type: string][] = [
  ["etc/debian_version", "debian"],
  ["etc/devuan_version", "devuan"],
  ["etc/SuSE-brand", "opensuse"],
  ["etc/fedora-release", "fedora"],
  ["etc/centos-release", "centos"],
  ["etc/redhat-release", "centos"],
  ["etc/arch-release", "archlinux"],
  ["etc/alpine-release", "alpine"],
  ["etc/gentoo-release", "gentoo"],
  ["nix/store/", "nixos"],
];

/** Reads a complete archive; undefined if its contents are not known. */
export function readTemplate(filename: string, bytes: Buffer): ContainerSystem | undefined {
  const members = readTar(decompress(bytes, filename) ?? Buffer.alloc(0));
  if (members.length === 0) {
    return undefined;
  }
  const files = new Map(members.map((member) => [member.name.replace(/^\.\//, ""), member]));
  const release = files.get("etc/os-release")?.body.toString("utf8") ?? "";
  const id = /^ID=["']?([^"'\n]+)/m.exec(release)?.[1] ?? "";
  const known = systems.includes(id) ? id : aliases[id];
  const type = known ?? marks.find(([file]) => files.has(file))?.[1] ?? "unmanaged";
  return { type, zoneInfo: members.some(({ name }) => name.includes("usr/share/zoneinfo/")) };
}

/** By the name of Proxmox's templates, for archives that were not read. */
export function guessTemplate(filename: string): ContainerSystem {
  const name = filename.replace(/^.*\//, "").toLowerCase();
  const relatives = ["rockylinux", "almalinux"];
  const type =
    systems.find((system) => name.startsWith(system)) ??
    (relatives.some((system) => name.startsWith(system)) ? "centos" : "unmanaged");
  return { type, zoneInfo: true };
}
