import {
  base64Text,
  each,
  emailAddress,
  emailOrUser,
  int,
  map,
  matches,
  nested,
  oneLine,
  oneOf,
  set,
  string,
} from "#kit";

const secret = (wire: string, trigger: string) => ({ writeOnly: { trigger }, sensitive: true, wire }) as const;

const version = (of: string) =>
  ({ type: int(), mode: "optional", local: true, doc: `Any number; another one sends \`${of}\` again.` }) as const;

const recipients = {
  mailto: {
    type: set(string({ check: emailOrUser }), { min: 1 }),
    mode: "optional",
    wire: "mailto",
    repeated: true,
    doc: "E-mail addresses that get the messages. At least one of `mailto` and `mailto_users` must be given.",
  },
  mailto_users: {
    type: set(string(), { min: 1 }),
    mode: "optional",
    wire: "mailto-user",
    repeated: true,
    refers: "user",
    doc: "Users that get the messages at their own address, such as `root@pam`.",
  },
  author: {
    type: oneLine,
    mode: "optional",
    wire: "author",
    doc: "Name of the sender. Left out: `Proxmox VE`.",
  },
} as const;

const fromAddress = {
  type: string({ check: emailAddress }),
  wire: "from-address",
} as const;

const name = matches(/^[^\s,=]+$/, "a name without blanks, commas and `=`");

const url = matches(/^https?:\/\/\S+$/, "an address that begins with `http://` or `https://`");

/** `name=X,value=BASE64`, one for each header or secret. */
const named = each<Readonly<Record<string, string>>>({
  parse: (lines) =>
    Object.fromEntries(
      lines.map((line) => {
        const [, name = "", value = ""] = /^name=([^,]*)(?:,value=(.*))?$/.exec(line) ?? [];
        return [name, base64Text.parse(value)];
      }),
    ),
  print: (values) =>
    Object.entries(values)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `name=${name},value=${base64Text.print(value)}`),
});

/** One attribute for each type of endpoint; exactly one of them is given. */
export const endpointTypes = {
  sendmail: {
    type: nested({
      ...recipients,
      from_address: {
        ...fromAddress,
        mode: "optional",
        doc: "Address of the sender. Left out: the one in the options of the cluster.",
      },
    }),
    mode: "optional",
    doc: "E-mail through the mail server of each node. Exactly one of `sendmail`, `smtp`, `gotify` and `webhook` must be given.",
  },
  smtp: {
    type: nested({
      server: {
        type: string({ check: matches(/^[A-Za-z0-9][A-Za-z0-9.:-]*$/, "a host name or an IP address") }),
        mode: "required",
        wire: "server",
        doc: "Host name or IP address of the mail server.",
      },
      port: {
        type: int({ min: 1, max: 65_535 }),
        mode: "optional",
        wire: "port",
        doc: "Port of the mail server. Left out: 465, 587 with `starttls`, 25 with `insecure`.",
      },
      mode: {
        type: oneOf(["insecure", "starttls", "tls"]),
        // Proxmox VE cannot delete it: it is set back to the first value.
        mode: "optional_computed",
        wire: "mode",
        absent: "tls",
        doc: "How the connection is encrypted. Left out: `tls` for a new one; otherwise what it was before it was set.",
      },
      username: {
        type: string({ check: matches(/^\S+$/, "a name without blanks") }),
        mode: "optional",
        wire: "username",
        doc: "User of the mail server. Left out: none.",
      },
      password: {
        type: string(),
        mode: "optional",
        ...secret("password", "password_version"),
        doc: "Password of the user; never stored. It is sent when the endpoint is created and when `password_version` changes.",
      },
      password_version: version("password"),
      from_address: { ...fromAddress, mode: "required", doc: "Address of the sender." },
      ...recipients,
    }),
    mode: "optional",
    doc: "E-mail through a mail server.",
  },
  gotify: {
    type: nested({
      server: { type: string({ check: url }), mode: "required", wire: "server", doc: "Address of the Gotify server." },
      token: {
        type: string({ check: matches(/^\S+$/, "a token without blanks") }),
        mode: "required",
        ...secret("token", "token_version"),
        doc: "Token of the application; never stored. It is sent when the endpoint is created and when `token_version` changes.",
      },
      token_version: version("token"),
    }),
    mode: "optional",
    doc: "A Gotify server.",
  },
  webhook: {
    type: nested({
      url: {
        type: string({ check: url }),
        mode: "required",
        wire: "url",
        doc: "Address of the request. `{{ title }}`, `{{ message }}` and others are filled in, also in `headers` and `body`.",
      },
      method: { type: oneOf(["post", "put", "get"]), mode: "required", wire: "method", doc: "Method of the request." },
      headers: {
        type: map(string({ check: matches(/^[^\n]+$/, "one line that is not empty") }), { min: 1, keys: name }),
        mode: "optional",
        wire: "header",
        repeated: true,
        as: named,
        doc: "Headers of the request by name. Left out: none.",
      },
      body: {
        type: string(),
        mode: "optional",
        wire: "body",
        as: base64Text,
        doc: "Body of the request. Left out: none.",
      },
      secrets: {
        type: map(string(), { min: 1, keys: name }),
        mode: "optional",
        ...secret("secret", "secrets_version"),
        repeated: true,
        as: named,
        doc: "Values for `{{ secrets.NAME }}` by name; never stored. They are sent when the endpoint is created and when `secrets_version` changes, and then take the place of all others.",
      },
      secrets_version: version("secrets"),
    }),
    mode: "optional",
    doc: "An HTTP request.",
  },
} as const;

export const endpointNames = ["sendmail", "smtp", "gotify", "webhook"] as const;
