import { bool, type ConfigDraft, defineCrud, line, oneOf, schedule, string } from "#kit";
import { checkSyncable } from "./check-syncable.ts";
import { scopes, vanished } from "./directory-members.ts";

/** `proxmox_realm_sync_job`. Server side: pve-access-control `src/PVE/API2/Jobs/RealmSync.pm`. */
export const realmSyncJob = defineCrud({
  type: "proxmox_realm_sync_job",
  subcategory: "Access",
  doc: "A job that takes users and groups from the directory of an LDAP or Active Directory realm, on a schedule. The action `proxmox_realm_sync`, or Sync in the web interface, does it at once. Removing a realm leaves its jobs.",
  noun: "realm sync job",
  path: "/cluster/jobs/realm-sync/{id}",
  creation: "/cluster/jobs/realm-sync/{id}",
  file: "jobs.cfg",
  identity: ["id"],
  isListWhole: true,
  alwaysSent: ["schedule"],
  attributes: {
    id: {
      type: string({
        check: (id) =>
          /^[A-Za-z][\w-]{1,63}$/.test(id)
            ? undefined
            : "Must be a letter and then 1 to 63 letters, digits, `-` or `_`.",
      }),
      mode: "required",
      wire: "id",
      replace: true,
      doc: "ID of the job. Jobs of realms and backup jobs share their IDs.",
    },
    realm: {
      type: string(),
      mode: "required",
      wire: "realm",
      replace: "Proxmox VE never changes the realm of a job: the job is removed and made again.",
      refers: "realm",
      doc: "The realm, of type `ldap` or `ad`.",
    },
    schedule: {
      type: schedule,
      mode: "required",
      wire: "schedule",
      doc: "When the job runs, such as `daily` or `*-*-* 02:30`.",
    },
    scope: {
      type: oneOf(scopes),
      mode: "required",
      wire: "scope",
      doc: "What is synchronised: `users`, `groups` or `both`.",
    },
    enable_new: {
      type: bool(),
      mode: "optional",
      wire: "enable-new",
      doc: "Whether new users are enabled. Left out: they are.",
    },
    remove_vanished: {
      type: vanished.type,
      mode: "optional",
      // A list with semicolons, unlike all others.
      custom: {
        parse: (job: ConfigDraft) => vanished.parse(job.raw("remove-vanished")),
        patch: (job: ConfigDraft, parts: unknown) =>
          job.set("remove-vanished", parts === null ? null : vanished.print(parts)),
      },
      doc: "What is removed when the directory does not have it any more: `entry` (users and groups), `properties` (of users), `acl` (what was granted to them). Left out: nothing.",
    },
    enabled: {
      type: bool(),
      mode: "optional_computed",
      keep: true,
      wire: "enabled",
      absent: true,
      doc: "Whether the job runs. Left out: it stays as it is, which is yes for a new one.",
    },
    comment: { type: line(512), mode: "optional", wire: "comment", doc: "A comment. Left out: none." },
  },

  grants: { "/access/realm": ["Realm.AllocateUser"] },
  /** A change is not checked on the realm of the job, but on all of them. */
  needs: ({ action, planned }) =>
    action === "delete" || typeof planned["realm"] !== "string"
      ? []
      : [
          {
            privileges: ["Realm.AllocateUser"],
            paths: [action === "create" ? `/access/realm/${planned["realm"]}` : "/access/realm"],
            attribute: "realm",
          },
        ],
  async plan({ config, prior, report }, api) {
    if (prior === null && config.realm !== undefined) await checkSyncable(api, report, config.realm);
  },
});
