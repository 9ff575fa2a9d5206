import { tokenName, userId } from "../../core/access/formats.ts";
import { changeUserConfig } from "../../core/access/user-config.ts";
import { checkTokenExists, checkUserExists } from "../../core/access/users.ts";
import { endpoint } from "../../core/kernel/endpoint.ts";
import { die, paramError } from "../../core/kernel/failure.ts";
import type { Permissions } from "../../core/kernel/permission.ts";
import { splitList } from "../../core/schema/format.ts";
import { configIdListFormat } from "../../core/schema/formats.ts";
import { boolean, integer, string } from "../../core/schema/schema.ts";
import type { Token } from "../../core/world/access.ts";

// The token part of pve-access-control `src/PVE/API2/User.pm`.

const ownOrModify: Permissions = { check: ["or", ["userid-param", "self"], ["userid-group", ["User.Modify"]]] };

const settings = {
  expire: integer({ optional: true, minimum: 0, default: "same as user" }),
  privsep: boolean({ optional: true, default: 1 }),
  comment: string({ optional: true }),
};

const path = "/access/users/{userid}/token/{tokenid}";

export function tokenInfo(token: Token): Record<string, unknown> {
  const { privsep, expire, comment } = token;
  return { privsep: privsep ? 1 : 0, expire, ...(comment === undefined ? {} : { comment }) };
}

/** The answer of a change contains the parameters as they were sent, including texts of a form. */
function asSent(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => name === "expire" || name === "privsep"));
}

export const tokenEndpoints = [
  endpoint({
    method: "GET",
    path: "/access/users/{userid}/token",
    permissions: ownOrModify,
    parameters: { userid: userId },
    handler: ({ world, params }) =>
      Object.entries(checkUserExists(world.access, params.userid).tokens).map(([tokenid, token]) => ({
        tokenid,
        ...tokenInfo(token),
      })),
  }),
  endpoint({
    method: "GET",
    path,
    permissions: ownOrModify,
    parameters: { userid: userId, tokenid: tokenName },
    handler: ({ world, params }) => tokenInfo(checkTokenExists(world.access, params.userid, params.tokenid)),
  }),
  endpoint({
    method: "POST",
    path,
    protected: true,
    permissions: ownOrModify,
    parameters: { userid: userId, tokenid: tokenName, ...settings },
    handler: async (call) => {
      const { userid, tokenid, expire, privsep, comment } = call.params;
      if (checkUserExists(call.world.access, userid).tokens[tokenid] !== undefined) {
        paramError({ tokenid: "Token already exists." });
      }
      const value = call.sim.random.uuid();
      await changeUserConfig(call, "generating token failed", (access) => {
        const { tokens } = checkUserExists(access, userid);
        if (tokens[tokenid] !== undefined) {
          die("Token already exists.");
        }
        tokens[tokenid] = {
          secret: value,
          privsep: privsep !== 0,
          expire: expire ?? 0,
          ...(comment ? { comment } : {}),
        };
      });
      // The parameters, not the stored values: no `expire` unless it was given.
      const info = { privsep: 1, ...asSent(call.given), ...(comment ? { comment } : {}) };
      return { info, value, "full-tokenid": `${userid}!${tokenid}` };
    },
  }),
  endpoint({
    method: "PUT",
    path,
    protected: true,
    permissions: ownOrModify,
    parameters: {
      userid: userId,
      tokenid: tokenName,
      ...settings,
      regenerate: boolean({ optional: true, default: 0 }),
      delete: string({ optional: true, format: configIdListFormat }),
    },
    handler: async (call) => {
      const { userid, tokenid, expire, privsep, comment, regenerate, delete: unset } = call.params;
      checkTokenExists(call.world.access, userid, tokenid);
      const value = regenerate ? call.sim.random.uuid() : undefined;
      const token = await changeUserConfig(call, "updating token info failed", (access) => {
        const current = checkTokenExists(access, userid, tokenid);
        const unknown = splitList(unset ?? "").find((name) => name !== "comment");
        if (unknown !== undefined) {
          paramError({ delete: `unknown option '${unknown}'` });
        }
        current.privsep = privsep === undefined ? current.privsep : privsep === 1;
        current.expire = expire ?? current.expire;
        current.comment = comment ?? current.comment ?? "";
        if (current.comment === "" || unset) {
          delete current.comment;
        }
        current.secret = value ?? current.secret;
        return current;
      });
      // The answer is not read from the file, which keeps no blanks around a text.
      const result = { ...tokenInfo(token), ...asSent(call.given), ...(comment && !unset && { comment }) };
      return value === undefined ? result : { ...result, value, "full-tokenid": `${userid}!${tokenid}` };
    },
  }),
  endpoint({
    method: "DELETE",
    path,
    protected: true,
    permissions: ownOrModify,
    parameters: { userid: userId, tokenid: tokenName },
    handler: async (call) => {
      const { userid, tokenid } = call.params;
      checkTokenExists(call.world.access, userid, tokenid);
      await changeUserConfig(call, "deleting token failed", (access) => {
        checkTokenExists(access, userid, tokenid);
        delete access.users[userid]?.tokens[tokenid];
      });
    },
  }),
];
