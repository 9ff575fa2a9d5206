import { defineEphemeral, Failure, type Session, string } from "#kit";
import { userName } from "./user-name.ts";

/** Tickets are good for two hours (pve-access-control: src/PVE/AccessControl.pm, `$ticket_lifetime`). */
const lifetimeMs = 2 * 60 * 60 * 1000;

/** `ephemeral "proxmox_ticket"`. Server side: pve-access-control `src/PVE/API2/AccessControl.pm`, `create_ticket`. */
export const ticket = defineEphemeral({
  type: "proxmox_ticket",
  subcategory: "Access",
  doc: "A ticket of a user, as a login to the web interface gives one: for calls of other programs during a run, and to show that a user can log in. It is never stored. Proxmox VE cannot take a ticket back: it is good for two hours.",
  attributes: {
    username: {
      type: userName,
      mode: "optional_computed",
      doc: "Who logs in, such as `ann@pve`. Left out: the user of the provider, which then must have a password.",
    },
    password: {
      type: string(),
      mode: "optional",
      sensitive: true,
      doc: "The password. Left out: that of the provider.",
    },
    totp_secret: {
      type: string(),
      mode: "optional",
      sensitive: true,
      doc: "Secret of the user's authenticator app, in base32, or as an `otpauth://` address: the code is computed from it. Left out: no second factor is given.",
    },
    ticket: {
      type: string(),
      mode: "computed",
      sensitive: true,
      doc: "The ticket, for the cookie `PVEAuthCookie`.",
    },
    csrf_token: {
      type: string(),
      mode: "computed",
      sensitive: true,
      doc: "What every call but `GET` sends in the header `CSRFPreventionToken`.",
    },
    expire: { type: string(), mode: "computed", doc: "When the ticket ends, in RFC 3339 form." },
  },

  async open({ api, config }) {
    const credentials = credentialsOf(api, config);
    const { ticket: value, csrfToken } = await api.login(credentials);
    const expire = new Date(Date.now() + lifetimeMs).toISOString();
    return { result: { username: credentials.username, ticket: value, csrf_token: csrfToken, expire } };
  },
});

interface Given {
  readonly username: string | undefined;
  readonly password: string | null;
  readonly totp_secret: string | null;
}

function credentialsOf(api: Session, { username, password, totp_secret: totpSecret }: Given) {
  const { credentials } = api.settings;
  const own = credentials.kind === "password" ? credentials : api.settings.root;
  if (password === null && own?.kind === "password" && (username === undefined || username === own.username))
    return own;
  if (username !== undefined && password !== null) {
    return { kind: "password", username, password, ...(totpSecret !== null && { totpSecret }) } as const;
  }
  const detail = `A ticket takes a user and a password, and the provider uses ${api.identity}${credentials.kind === "token" ? ", a token" : ""}. Give \`username\` and \`password\`.`;
  throw new Failure("Login needed", detail, { path: username === undefined ? "username" : "password" });
}
