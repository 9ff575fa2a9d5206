import { defineDataSource, found, list, map, matches, string } from "#kit";

/** `proxmox_permissions`. Server side: pve-access-control `src/PVE/API2/AccessControl.pm`, `permissions`. */
export const permissionsData = defineDataSource({
  type: "proxmox_permissions",
  subcategory: "Access",
  doc: "What the caller, a user or an API token, may do, and where. Every caller may ask for its own; use it in a `check` or `precondition` to say early what is missing.",
  attributes: {
    path: {
      type: string({ check: matches(/^\/\S*$/, "a path such as `/`, `/vms/101` or `/storage/local-lvm`") }),
      mode: "optional",
      doc: "The one path to ask about; it need have no entry of its own. Not given: every path that has an entry, and the ones PVE always lists.",
    },
    identity: found(string(), "Who is asked about: `user@realm`, or `user@realm!token`."),
    privileges: found(
      map(list(string())),
      "Privileges by path, in alphabetical order. With `path`, that path and no other, with an empty list if there are none.",
    ),
    propagated: found(
      map(list(string())),
      "Those of `privileges` that hold below the path, too. A path below that has an entry of its own goes by that one instead.",
    ),
  },

  async read({ api, config: { path }, signal }) {
    const permissions = await api.access.getPermissions(path === null ? {} : { path }, { signal });
    const listed = (isListed: (propagates: boolean) => boolean) =>
      Object.fromEntries(
        Object.entries(permissions).map(([at, granted]) => {
          const entries = Object.entries(granted).filter(([, propagates]) => isListed(propagates));
          return [at, entries.map(([privilege]) => privilege).sort()];
        }),
      );
    return { identity: api.identity, privileges: listed(() => true), propagated: listed((propagates) => propagates) };
  },
});
