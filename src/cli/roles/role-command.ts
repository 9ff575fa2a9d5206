import { alternatives } from "#kit";
import type { CommandContext } from "../command-context.ts";
import { jsonLine } from "../json-line.ts";
import { runCommand, UsageError } from "../run-command.ts";
import { type CapabilityName, capabilities, optionOf } from "./capabilities.ts";
import { roleTypes } from "./grants-by-type.ts";
import { hostPrivileges, unknownTo } from "./host-privileges.ts";
import { commandsFor, grantsFor, type RoleRequest, type Scope } from "./role-set.ts";

const extras = (Object.keys(capabilities) as CapabilityName[]).map(optionOf);

const usage = `Usage: doctor role [--for TYPES] [--vms | --pool NAME | --read-only] [options]

Prints the roles that a user and its token require, no privilege more, and the commands that create them. It changes
nothing: run the printed commands on a node, as root. The second one shows the token's secret. If the environment has an
endpoint and credentials, privileges that this host does not have are left out.

  --for TYPES      For these resources, separated by commas: proxmox_vm,proxmox_role … (may be repeated). Any of
                   ${enumerateTypes()}.
  --vms            For the life cycle of any VM: clone, configure, start, move, destroy. The default.
  --pool NAME      The same for the VMs of one pool, which must exist; see --template.
  --read-only      To plan, refresh and read data sources only.
  --user USER      The user, with its realm (terraform@pve).
  --token NAME     The name of its token (tf).
  --storage NAME   Use this storage only; default: any (may be repeated).
  --bridge NAME    Use this bridge of the nodes only; default: any network (may be repeated).
  --template VMID  Clone this template only, in the pool or not; default: any (may be repeated).
  --with WHAT      Allow more: ${extras.join(", ")} (may be repeated).
  --json           Print one JSON object instead.
`;

const options = {
  for: { type: "string", multiple: true },
  vms: { type: "boolean" },
  pool: { type: "string" },
  "read-only": { type: "boolean" },
  user: { type: "string" },
  token: { type: "string" },
  storage: { type: "string", multiple: true },
  bridge: { type: "string", multiple: true },
  template: { type: "string", multiple: true },
  with: { type: "string", multiple: true },
  json: { type: "boolean" },
} as const;

/** `doctor role`: resolves to the exit code. */
export function run(args: readonly string[], context: CommandContext = process): Promise<number> {
  const command = {
    usage,
    options,
    async act(values: Values) {
      const request = requestOf(values);
      const host = await hostPrivileges(context.env);
      const grants = await grantsFor(request, host);
      const leftOut = unknownTo(host, await grantsFor(request, null));
      const commands = commandsFor(request, grants);
      const { user, token } = request;
      context.stdout.write(
        values.json
          ? jsonLine({ user, token: `${user}!${token}`, roles: grants, commands, leftOut })
          : [...heading(request), ...remarkOn(leftOut), ...commands, ""].join("\n"),
      );
      return 0;
    },
  };
  return runCommand(args, command, context);
}

interface Values {
  readonly for?: string[];
  readonly vms?: boolean;
  readonly pool?: string;
  readonly "read-only"?: boolean;
  readonly user?: string;
  readonly token?: string;
  readonly storage?: string[];
  readonly bridge?: string[];
  readonly template?: string[];
  readonly with?: string[];
  readonly json?: boolean;
}

function requestOf(values: Values): RoleRequest {
  const { user, token } = callerOf(values);
  return {
    types: typesOf(values),
    scope: scopeOf(values),
    user,
    token,
    storages: named(values.storage, "--storage", /^[A-Za-z][A-Za-z0-9._-]*$/),
    bridges: named(values.bridge, "--bridge", /^[A-Za-z][A-Za-z0-9._-]*$/),
    templates: named(values.template, "--template", /^[1-9]\d*$/).map(Number),
    extras: (values.with ?? []).map(extraOf),
  };
}

/** Without `--for`: VMs. */
function typesOf({ for: lists = [] }: Values): readonly string[] {
  const types = lists.flatMap((list) => list.split(",")).filter(Boolean);
  const unknown = types.find((type) => !roleTypes.includes(type));
  if (unknown !== undefined) {
    throw new UsageError(`--for ${unknown} is unknown. ${alternatives(unknown, roleTypes)}`);
  }
  return types.length === 0 ? ["proxmox_vm"] : types;
}

function scopeOf({ vms, pool, "read-only": readOnly }: Values): Scope {
  if ([vms, pool, readOnly].filter(Boolean).length > 1) {
    throw new UsageError("--vms, --pool and --read-only exclude each other: give one of them.");
  }
  if (pool !== undefined) return { kind: "pool", pool: named([pool], "--pool", /^[A-Za-z0-9._/-]+$/).join() };
  return readOnly ? { kind: "read-only" } : { kind: "vms" };
}

/** A token may be given by its own name or by its whole id. */
function callerOf({ user, token = "tf" }: Values): { user: string; token: string } {
  const [owner, name] = token.includes("!") ? token.split("!") : [undefined, token];
  if (owner !== undefined && user !== undefined && owner !== user) {
    throw new UsageError(`--token ${token} is not a token of ${user}.`);
  }
  const whole = user ?? owner ?? "terraform@pve";
  if (!/^[^@!\s'"]+@[A-Za-z][\w.-]+$/.test(whole)) {
    throw new UsageError(`--user must be a user with its realm, such as terraform@pve, not '${whole}'.`);
  }
  if (whole === "root@pam") throw new UsageError("root@pam already has every privilege: choose another --user.");
  return { user: whole, token: named([name ?? ""], "--token", /^[A-Za-z][A-Za-z0-9._-]+$/).join() };
}

function named(names: readonly string[] | undefined, option: string, pattern: RegExp): string[] {
  const wrong = names?.find((name) => !pattern.test(name));
  if (wrong !== undefined) throw new UsageError(`${option} cannot be '${wrong}'; see --help.`);
  return [...(names ?? [])];
}

function extraOf(name: string): CapabilityName {
  const found = (Object.keys(capabilities) as CapabilityName[]).find((one) => optionOf(one) === name);
  if (found === undefined) throw new UsageError(`--with ${name} is unknown. ${alternatives(name, extras)}`);
  return found;
}

/** As lines of the usage. */
function enumerateTypes(): string {
  const lines = [""];
  for (const type of roleTypes) {
    const last = lines.at(-1) ?? "";
    if (last.length + type.length > 96) lines.push(type);
    else lines[lines.length - 1] = last === "" ? type : `${last}, ${type}`;
  }
  return lines.join(",\n                   ");
}

function heading({ scope, user, types }: RoleRequest): string[] {
  const isVms = types.join() === "proxmox_vm";
  const what = {
    vms: "any VM, from its clone to its destruction",
    pool: `VMs in pool ${scope.kind === "pool" ? scope.pool : ""}, from their clone to their destruction`,
    "read-only": "plans, refreshes and data sources",
  }[scope.kind];
  return [
    isVms
      ? `# For ${what}.`
      : `# For ${types.join(", ")}${scope.kind === "pool" ? `; VMs in pool ${scope.pool}` : ""}.`,
    `# A token with privilege separation has only what both it and ${user} have, so both are granted the same.`,
  ];
}

const remarkOn = (leftOut: readonly string[]): string[] =>
  leftOut.length === 0 ? [] : [`# Left out, since the host does not have it: ${leftOut.join(", ")}.`];
