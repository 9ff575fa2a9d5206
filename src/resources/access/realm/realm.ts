import { bool, defineCrud, line, type Report, string } from "#kit";
import { realmsMovedFrom } from "./moved-from.ts";
import { planDefault, warnOfUsers } from "./plan-realm.ts";
import { realmTfa, validateTfa } from "./realm-tfa.ts";
import { realmNames, realmTypes } from "./realm-types.ts";

const builtIn = ["pam", "pve"] as const;

/** `proxmox_realm`. Server side: pve-access-control `src/PVE/API2/Domains.pm`, `src/PVE/Auth/*.pm`. */
export const realm = defineCrud({
  type: "proxmox_realm",
  subcategory: "Access",
  doc: "A realm: where users come from and how they log in. One object says of which type it is. The realms `pam` and `pve` come with Proxmox VE: import them to manage their settings; destroying them restores their first settings. Users of a realm that is destroyed stay, and cannot log in.",
  noun: "realm",
  path: "/access/domains/{realm}",
  file: "domains.cfg",
  contactsHosts: true,
  identity: ["id"],
  variants: { names: realmNames },
  plannedAs: "realm",
  movedFrom: realmsMovedFrom,
  attributes: {
    id: {
      type: string({
        check: (name) => {
          if (!/^[A-Za-z][A-Za-z0-9._-]+$/.test(name)) {
            return "Must be a letter and then letters, digits, `.`, `-` or `_`, two characters at least.";
          }
          return name.length > 32 ? "Must be at most 32 characters long." : undefined;
        },
      }),
      mode: "required",
      wire: "realm",
      replace: true,
      doc: "Name of the realm: what stands after the `@` of its users.",
    },
    comment: {
      type: line(4096),
      mode: "optional",
      wire: "comment",
      doc: "What the login window calls it. Left out: its name.",
    },
    default: {
      type: bool(),
      mode: "optional_computed",
      keep: true,
      wire: "default",
      as: { parse: (raw: unknown) => String(raw) === "1", print: (on: unknown) => (on ? true : null) },
      absent: false,
      doc: "Whether the login window offers this realm first. Only one realm does: it is taken from the others. Left out: it stays as it is, which is no for a new realm.",
    },
    tfa: realmTfa,
    check_connection: {
      type: bool(),
      mode: "optional",
      local: true,
      doc: "Whether the server is asked each time before the settings are kept, with `bind_dn` and `password`; for `ldap` and `ad` only. Left out: they are kept without a try.",
    },
    ...realmTypes,
  },
  besides: ({ check_connection: isChecked }) => (isChecked ? { "check-connection": true } : {}),

  validate({ config, report }) {
    const { id, openid, ldap, ad, tfa, check_connection: isChecked } = config;
    for (const name of builtIn) {
      if (id === undefined || config[name] === undefined || (id === name) === (config[name] !== null)) continue;
      refuseName(report, id, name);
    }
    if (openid && tfa) {
      report.error(
        "tfa",
        "Not for this type",
        "A realm of type `openid` does not take `tfa`: its provider asks for it.",
      );
    }
    if (isChecked && ldap === null && ad === null) {
      const detail = "Only the servers of `ldap` and `ad` realms can be tried: leave `check_connection` out.";
      report.error("check_connection", "Not for this type", detail);
    }
    for (const [type, given] of [
      ["ldap", ldap],
      ["ad", ad],
    ] as const) {
      if (given?.password && given.bind_dn === null) {
        const detail = "`password` is that of `bind_dn`, which is not given: searches would be anonymous.";
        report.error(`${type}.password`, "Account needed", detail);
      }
    }
    validateTfa(tfa, report);
  },
  plan: async (context, api) => planDefault(context, api),
  planDelete: (context, api) => warnOfUsers(context, api),
});

function refuseName(report: Pick<Report, "error">, id: string, name: string): void {
  const detail =
    id === name
      ? `\`${name}\` is the built-in realm of that type: write \`${name} = {}\`, or choose another name.`
      : `There is one realm of type \`${name}\`, and it has that name: write \`id = "${name}"\`.`;
  report.error("id", "Reserved name", detail);
}
