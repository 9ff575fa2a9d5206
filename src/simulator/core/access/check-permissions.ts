import { permissionError } from "../kernel/failure.ts";
import type { Check, Permissions } from "../kernel/permission.ts";
import { splitList } from "../schema/format.ts";
import type { RawParameters } from "../schema/validate.ts";
import type { Access } from "../world/access.ts";
import { normalizePath } from "./acl-path.ts";
import type { Caller } from "./caller.ts";
import { verifyUserName } from "./identity.ts";
import type { Privilege } from "./privileges.ts";
import { checkUserExists } from "./users.ts";

interface Question {
  readonly access: Access;
  readonly caller: Caller;
  /** Not validated yet: permissions are checked before parameters. */
  readonly params: RawParameters;
}

/** PVE::RPCEnvironment::check_api2_permissions: 403 unless the caller may use the endpoint. */
export function checkPermissions(permissions: Permissions | undefined, question: Question): void {
  const { caller } = question;
  if (caller.id === "") {
    if (permissions !== undefined && "user" in permissions && permissions.user === "world") {
      return;
    }
    permissionError("user != null");
  }
  if (caller.isRoot) {
    return;
  }
  if (permissions === undefined) {
    permissionError("user != root@pam");
  }
  if ("check" in permissions) {
    evaluate(permissions.check, question, "raise");
  } else if (permissions.user !== "all") {
    permissionError();
  }
}

/** `tell` returns false where possible; some tests throw even then, and so does every test below an `and`. */
type Mode = "raise" | "tell";

/** PVE::RPCEnvironment::exec_api2_perm_check. */
function evaluate(check: Check, question: Question, mode: Mode): boolean {
  const { caller, params } = question;
  const refuse = () => mode === "raise" && permissionError();
  switch (check[0]) {
    case "and":
      for (const part of check.slice(1) as Check[]) {
        evaluate(part, question, "raise");
      }
      return true;
    case "or":
      return (check.slice(1) as Check[]).some((part) => evaluate(part, question, "tell")) || refuse();
    case "perm": {
      const [, template, privileges, options] = check;
      if (options?.require_param !== undefined && !isGiven(params[options.require_param])) {
        return refuse();
      }
      return has(caller, fillIn(template, params), privileges, options?.any ?? false, mode);
    }
    case "userid-group":
      return mayWorkOnUser(check[1], check[2]?.groups_param, question, mode);
    case "userid-param": {
      const { user, realm } = verifyUserName(text(params["userid"]));
      if (check[1] === "Realm.AllocateUser") {
        return has(caller, `/access/realm/${realm}`, ["Realm.AllocateUser"], false, mode);
      }
      return (userExists(question.access, user, mode) && caller.id === user) || refuse();
    }
    case "perm-modify": {
      const path = normalizePath(substitute(check[1], params));
      return path !== undefined && has(caller, path, privilegesToModify(path), true, mode);
    }
  }
}

function has(caller: Caller, path: string, privileges: readonly Privilege[], any: boolean, mode: Mode): boolean {
  if (path === "") {
    return mode === "raise" && permissionError(`, ${any ? privileges.join("|") : privileges[0]}`);
  }
  if (mode === "tell") {
    return any ? caller.hasAny(path, privileges) : caller.has(path, privileges);
  }
  if (any) {
    caller.checkAny(path, privileges);
  } else {
    caller.check(path, privileges);
  }
  return true;
}

/** Privileges over users are privileges over their current or future groups. */
function mayWorkOnUser(
  privileges: readonly Privilege[],
  groupsParam: "create" | "update" | undefined,
  { access, caller, params }: Question,
  mode: Mode,
): boolean {
  const userid = text(params["userid"]);
  const existing = groupsParam !== "create";
  if (existing && !userExists(access, userid, mode)) {
    return false;
  }
  if (caller.hasAny("/access/groups", privileges)) {
    return true;
  }
  const allowed = Object.keys(access.groups).filter((group) => caller.hasAny(`/access/groups/${group}`, privileges));
  if (groupsParam !== undefined) {
    const groups = splitList(text(params["groups"]));
    const forbidden = groups.find((group) => !allowed.includes(group));
    if (groups.length === 0 || forbidden !== undefined) {
      const path = forbidden === undefined ? "/access/groups" : `/access/groups/${forbidden}`;
      permissionError(`${path}, ${privileges.join("|")}`);
    }
  }
  if (existing && !access.users[userid]?.groups.some((group) => allowed.includes(group))) {
    return mode === "raise" && permissionError();
  }
  return true;
}

function userExists(access: Access, userid: string, mode: Mode): boolean {
  if (mode === "raise") {
    checkUserExists(access, userid);
  }
  return access.users[userid] !== undefined;
}

/** The privileges that allow a caller to write ACL entries on a path (`check_perm_modify`). */
export function privilegesToModify(path: string): Privilege[] {
  const owners: [RegExp, Privilege][] = [
    [/^\/storage\/.+/, "Datastore.Allocate"],
    [/^\/vms\/.+/, "VM.Allocate"],
    [/^\/pool\/.+/, "Pool.Allocate"],
  ];
  return ["Permissions.Modify", ...owners.filter(([area]) => area.test(path)).map(([, privilege]) => privilege)];
}

/** The path to check; "" for one with invalid characters, on which no token has a privilege. */
function fillIn(template: string, params: RawParameters): string {
  return normalizePath(substitute(template, params)) ?? "";
}

/** PVE::Tools::template_replace: `-` for a missing or false value. */
function substitute(template: string, params: RawParameters): string {
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = params[name];
    return isGiven(value) && value !== "" && value !== "0" ? String(value) : "-";
  });
}

const text = (value: unknown) => (isGiven(value) ? String(value) : "");

const isGiven = (value: unknown) => value !== undefined && value !== null;
