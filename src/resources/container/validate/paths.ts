/** `..` and `.` as parts of a path are refused by PVE (pve-container: src/PVE/LXC/Config.pm, `verify_lxc_mp_string`). */
const hasDots = (path: string): boolean => /(^|\/)\.\.?(\/|$)/.test(path);

const whyNotPath = (path: string, example: string): string | undefined => {
  if (!path.startsWith("/")) return `Must be an absolute path, such as \`${example}\`.`;
  if (hasDots(path)) return "Must not contain `.` or `..` as a part.";
  return /[,\s]/.test(path) ? "Must not contain commas or blanks, which Proxmox VE cannot store." : undefined;
};

export const mountPath = (path: string): string | undefined =>
  path === "/" ? "Must not be `/`, where the root file system is." : whyNotPath(path, "/var/lib/data");

export const hostPath = (path: string): string | undefined => whyNotPath(path, "/srv/data");

export const devicePath = (path: string): string | undefined =>
  whyNotPath(path, "/dev/fuse") ?? (path.startsWith("/dev/") ? undefined : "Must be below `/dev`.");
