import { bool, matches, string } from "#kit";
import { faultOfPath } from "./acl-path.ts";

const subject = (pattern: RegExp, hint: string, doc: string) =>
  ({ type: string({ check: matches(pattern, hint) }), mode: "optional", replace: true, doc }) as const;

export const aclAttributes = {
  id: {
    type: string(),
    mode: "computed",
    keep: true,
    instead: "Set `path`, `role`, and one of `user`, `group` and `token`.",
    doc: "The whole entry in one line, `PATH:ROLE:user:NAME` (or `group`, or `token`): also its import ID.",
  },
  path: {
    type: string({ check: faultOfPath }),
    mode: "required",
    replace: true,
    wire: "path",
    doc: "Where it is granted: `/` for everything, `/vms/100`, `/pool/prod`, `/storage/ceph`, `/nodes/pve1`, `/sdn/zones/localnetwork/vmbr0` … Entries on the path of a VM go away with the VM; grant on a pool or on `/vms` what is to last.",
  },
  role: {
    type: string({ check: matches(/^[A-Za-z0-9._-]+$/, "the name of a role") }),
    mode: "required",
    replace: true,
    wire: "roles",
    doc: "The role that is granted: one of your own, or a built-in one such as `PVEVMUser`. `NoAccess` takes everything away.",
  },
  user: subject(
    /^[^\s:/!]+@[A-Za-z][A-Za-z0-9._-]+$/,
    "a user such as `ann@pve`",
    "The user it is granted to. Give one of `user`, `group` and `token`.",
  ),
  group: subject(/^[A-Za-z0-9._-]+$/, "the name of a group", "The group it is granted to."),
  token: subject(
    /^[^\s:/!]+@[A-Za-z][A-Za-z0-9._-]+![A-Za-z][A-Za-z0-9._-]+$/,
    "a token such as `ann@pve!ci`",
    "The API token it is granted to. It counts for tokens with privilege separation only, and as far as their user has the same rights.",
  ),
  propagate: {
    type: bool(),
    mode: "optional_computed",
    keep: true,
    wire: "propagate",
    doc: "Whether it holds below the path, too. Left out: as Proxmox VE has it, which is yes for a new entry.",
  },
} as const;

export type AclAttributes = typeof aclAttributes;
