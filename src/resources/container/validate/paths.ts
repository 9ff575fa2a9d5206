/** `..` and `.` as parts of a path are refused by PVE (pve-container: src/PVE/LXC/Config.pm, `verify_lxc_mp_string`). */
const hasDots = (path: string): boolean => /(^|\/)\.\.?(\/|$)/.test(path);

const whyNotPath = (path: string, example: string): string | undefined => {
  if (!path.startsWith("/")) return `Must be an absolute path, such as \`${example}\`.`;
  if (hasDots(path)) return "Must not contain `.` or `..` as a part.";
  // A blank may stand at the end of a line of the configuration, which PVE trims.
  const isStored = !/,|[^\S ]|\p{Cc}| $/u.test(path);
  return isStored
    ? undefined
    : "Must not contain commas or line breaks, or end in a blank: Proxmox VE cannot store that.";
};

export const mountPath = (path: string): string | undefined =>
  path === "/" ? "Must not be `/`, where the root file system is." : whyNotPath(path, "/var/lib/data");

export const hostPath = (path: string): string | undefined => whyNotPath(path, "/srv/data");

export const devicePath = (path: string): string | undefined =>
  whyNotPath(path, "/dev/fuse") ??
  (/ /.test(path) ? "Must not contain blanks." : path.startsWith("/dev/") ? undefined : "Must be below `/dev`.");
