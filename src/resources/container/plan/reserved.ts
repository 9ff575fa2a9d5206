import { type ConfigDraft, pathOfOption, type Session } from "#kit";
import { attributes } from "../attributes.ts";
import type { ContainerPlan } from "../contexts.ts";
import { isHostPath, isMountSlot, volumeAt } from "../slots.ts";

interface Change {
  readonly before: ConfigDraft;
  readonly after: ConfigDraft;
}

interface Reservation {
  readonly path: readonly string[];
  readonly what: string;
  readonly instead: string;
}

/**
 * Refuses what only the user root@pam may do, not even a token of that user (pve-container: src/PVE/LXC.pm,
 * `check_ct_modify_config_perm`).
 */
export function refuseReserved({ report, planned }: ContainerPlan, api: Session, { before, after }: Change): void {
  const { set, delete: removed } = after.patch;
  const isPrivileged = planned.unprivileged === false;
  for (const option of [...Object.keys(set), ...removed]) {
    const found = reservationOf(option, { before, after, isPrivileged });
    if (found === null) continue;
    report.error(
      found.path,
      "Reserved for root@pam",
      `Proxmox VE lets only the user root@pam set ${found.what}, and no token; the caller is ${api.identity}. Give the provider \`username = "root@pam"\` and \`password\` beside the token: calls like this one then use them, and no others. ${found.instead}`,
    );
  }
}

interface Given extends Change {
  readonly isPrivileged: boolean;
}

function reservationOf(option: string, given: Given): Reservation | null {
  const { after } = given;
  if (/^dev\d+$/.test(option)) {
    const instead = "Or use a VM with a device of a `proxmox_hardware_mapping`, which a token may use.";
    return { path: ["devices", option], what: "devices of the host", instead };
  }
  if (option === "hookscript") {
    const instead = "Or do what the script does in the container, or with an action of Terraform.";
    return { path: ["hook_script"], what: "a hook script", instead };
  }
  if (isMountSlot(option) && after.has(option) && isHostPath(volumeAt(after, option))) {
    const instead =
      "Or mount a volume of a storage (`storage` and `size`), with `id_map` where users of the host have to match.";
    return { path: ["mounts", option, "host_path"], what: "a path of the host as mount", instead };
  }
  return option === "features" ? reservedFeature(given) : null;
}

/** Of an unprivileged container, `nesting` alone may be changed by others. */
export function reservedFeature({ before, after, isPrivileged }: Given): Reservation | null {
  const path = pathOfOption(attributes, "features") ?? ["features"];
  if (isPrivileged) {
    const instead = "Or make the container unprivileged, where `nesting` is free.";
    return { path, what: "features of a privileged container", instead };
  }
  const others = changedFeatures(before, after).filter((name) => name !== "nesting");
  const [first] = others;
  if (first === undefined) return null;
  const instead = others.map((name) => insteadOf[name] ?? `Or leave \`${name}\` out.`).join(" ");
  return { path: ["features", first], what: others.map((name) => `\`features.${name}\``).join(" and "), instead };
}

const insteadOf: Readonly<Record<string, string>> = {
  mount: "Or mount the share on the nodes, as a storage, and give the container a volume of it.",
  keyctl: "Or leave `keyctl` out, which most programs do without, or run them in a VM.",
  fuse: "Or use a volume of a storage in place of a file system by `fuse`.",
};

const featureNames = ["force_rw_sys", "fuse", "keyctl", "mknod", "mount", "nesting"];

const changedFeatures = (before: ConfigDraft, after: ConfigDraft): string[] =>
  featureNames.filter((key) => {
    const [was, is] = [before, after].map((draft) => JSON.stringify(draft.read({ option: "features", key })));
    return was !== is;
  });
