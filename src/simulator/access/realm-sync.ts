import type { Access, Directory } from "../core/world/access.ts";

interface SyncRequest {
  readonly scope: string;
  readonly isEnabled: boolean;
  /** What is removed together with an entry that vanished from the directory: `entry`, `acl`, `properties`. */
  readonly removes: readonly string[];
  readonly isDryRun: boolean;
  print(line: string): void;
}

/**
 * Synchronizes users and groups of a realm with its directory, which the seed contains (pve-access-control
 * `src/PVE/API2/Domains.pm`, `sync`). The realm is appended to the names of groups.
 */
export function syncRealm(access: Access, realm: string, request: SyncRequest): void {
  const directory = access.directories?.[realm] ?? { users: [], groups: [] };
  if (request.isDryRun) {
    request.print("NOTE: Dry test run, changes are NOT written to the configuration.");
    return;
  }
  if (request.scope !== "groups") {
    syncUsers(access, realm, directory.users, request);
  }
  if (request.scope !== "users") {
    syncGroups(access, realm, directory.groups, request);
  }
}

function syncUsers(access: Access, realm: string, entries: Directory["users"], request: SyncRequest): void {
  request.print("syncing users");
  const present = new Set(entries.map(({ name }) => `${name}@${realm}`));
  for (const { name, ...details } of entries) {
    const userid = `${name}@${realm}`;
    const known = access.users[userid];
    request.print(`${known === undefined ? "adding" : "updating"} user '${userid}'`);
    const fresh = { enable: request.isEnabled, expire: 0, groups: [], tokens: {}, tfa: [] };
    access.users[userid] = { ...fresh, ...known, ...details };
  }
  for (const userid of Object.keys(access.users).filter((user) => user.endsWith(`@${realm}`) && !present.has(user))) {
    if (request.removes.includes("entry")) {
      request.print(`removing user '${userid}'`);
      delete access.users[userid];
    }
    if (request.removes.includes("acl")) {
      request.print(`purging users '${userid}' ACL entries`);
      access.acl = access.acl.filter(({ ugid }) => ugid !== userid);
    }
  }
}

function syncGroups(access: Access, realm: string, entries: Directory["groups"], request: SyncRequest): void {
  request.print("syncing groups");
  const present = new Set(entries.map(({ name }) => `${name}-${realm}`));
  for (const { name, members } of entries) {
    const group = `${name}-${realm}`;
    request.print(`${access.groups[group] === undefined ? "adding" : "updating"} group '${group}'`);
    access.groups[group] ??= {};
    for (const [userid, user] of Object.entries(access.users).filter(([id]) => id.endsWith(`@${realm}`))) {
      const isMember = members.some((member) => `${member}@${realm}` === userid);
      user.groups = [...user.groups.filter((known) => known !== group), ...(isMember ? [group] : [])];
    }
  }
  for (const group of Object.keys(access.groups).filter((name) => name.endsWith(`-${realm}`) && !present.has(name))) {
    if (request.removes.includes("entry")) {
      request.print(`removing group '${group}'`);
      delete access.groups[group];
      for (const user of Object.values(access.users)) {
        user.groups = user.groups.filter((known) => known !== group);
      }
    }
  }
}
