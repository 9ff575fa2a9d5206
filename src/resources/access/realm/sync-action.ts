import { bool, defineAction, Failure, oneOf, runTask, string } from "#kit";
import { checkSyncable } from "./check-syncable.ts";
import { scopes, vanished } from "./directory-members.ts";

/** `proxmox_realm_sync`. Server side: pve-access-control `src/PVE/API2/Domains.pm`, `sync`. */
export const realmSyncAction = defineAction({
  type: "proxmox_realm_sync",
  subcategory: "Access",
  verb: "synchronise",
  label: ({ realm }) => `realm ${String(realm)}`,
  doc: "Takes users and groups from the directory of an LDAP or Active Directory realm at once, and shows what changes. `proxmox_realm_sync_job` does it on a schedule. Needs `Realm.AllocateUser` on `/access/realm/REALM` and `User.Modify` on `/access/groups`.",
  attributes: {
    realm: { type: string(), mode: "required", doc: "The realm, of type `ldap` or `ad`." },
    scope: {
      type: oneOf(scopes),
      mode: "optional",
      doc: "What is synchronised: `users`, `groups` or `both`. Left out: as `sync_defaults` of the realm says; one of the two must.",
    },
    enable_new: {
      type: bool(),
      mode: "optional",
      doc: "Whether new users are enabled. Left out: as `sync_defaults` of the realm says, otherwise they are.",
    },
    remove_vanished: {
      type: vanished.type,
      mode: "optional",
      doc: "What is removed when the directory does not have it any more: `entry`, `properties`, `acl`. Left out: as `sync_defaults` of the realm says, otherwise nothing.",
    },
    dry_run: {
      type: bool(),
      mode: "optional",
      doc: "Whether only what would change is shown. Left out: it is changed.",
    },
  },

  async invoke(context) {
    const { api, config, signal } = context;
    const { realm, scope, enable_new: isEnabled, remove_vanished: removed, dry_run: isTrial } = config;
    const refuse = (path: unknown, summary: string, detail: string): never => {
      throw new Failure(summary, detail, { path: path as string });
    };
    await checkSyncable(api, { error: refuse }, realm);
    const request = {
      ...(scope !== null && { scope }),
      ...(isEnabled !== null && { "enable-new": isEnabled }),
      ...(removed !== null && { "remove-vanished": vanished.print(removed) }),
      ...(isTrial && { "dry-run": true }),
    };
    const submit = () => api.access.syncRealm(realm, request, { signal });
    await runTask(context, { label: `Realm ${realm}`, what: `synchronise realm ${realm}`, submit });
  },
});
