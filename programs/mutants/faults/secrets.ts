import { contract, type Fault, unit } from "../fault.ts";

/** No secret is in a log, an export or a message. */
export const secrets: readonly Fault[] = [
  {
    name: "a secret is in the log as it is in a cookie",
    file: "src/log/redaction.ts",
    find: ".add(encodeURIComponent(secret));",
    put: ";",
    suite: unit("log"),
  },
  {
    name: "a secret is in the log as it is in JSON",
    file: "src/log/redaction.ts",
    find: ".add(JSON.stringify(secret).slice(1, -1))",
    put: "",
    suite: unit("log"),
  },
  {
    name: "fields that are named after secrets are in the log",
    file: "src/log/redaction.ts",
    find: 'if (secretName.test(name)) return "(hidden)";',
    put: "",
    suite: unit("log"),
  },
  {
    name: "a token of another user is in the log",
    file: "src/log/redaction.ts",
    find: "return secretShapes.reduce(",
    put: "return [].reduce(",
    suite: unit("log"),
  },
  {
    name: "other users can read the log",
    file: "src/log/destinations.ts",
    find: "constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600",
    put: "constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o644",
    suite: unit("log/destinations"),
  },
  {
    name: "a ticket is not hidden from the log",
    file: "src/pve/auth/authenticate.ts",
    find: "        conceal(obtained.ticket);\n",
    put: "",
    suite: unit("pve/auth/ticket"),
  },
  {
    name: "a write with a ticket has no CSRF token",
    file: "src/pve/auth/authenticate.ts",
    find: "{ csrfpreventiontoken: csrfToken };",
    put: "{};",
    suite: unit("pve/auth/ticket"),
  },
  {
    name: "an export has the passwords of guests",
    file: "src/cli/export/without-secrets.ts",
    find: 'name === "cipassword" ? mask : clean(one)',
    put: "clean(one)",
    suite: contract("cli/secrets", "secrets of options that are not known yet"),
  },
  {
    name: "an export has the tokens in addresses",
    file: "src/cli/export/without-secrets.ts",
    find: "inAddresses.reduce((rest, form) => rest.replaceAll(form, mask), text);",
    put: "text;",
    suite: contract("cli/secrets", "an export has none"),
  },
  {
    name: "a message repeats the value of a secret",
    file: "src/framework/schema/validate.ts",
    find: "const quoted = isHidden ? undefined : quote(value);",
    put: "const quoted = quote(value);",
    suite: unit("framework/schema/validate"),
  },
];

/** No text of a server reaches a terminal as an order. */
export const plainTexts: readonly Fault[] = [
  {
    name: "marks of direction reach the terminal",
    file: "src/text/plain-text.ts",
    find: "\\p{Cf}",
    put: "",
    suite: unit("plugin/plain-texts"),
  },
  {
    name: "orders to the terminal reach it",
    file: "src/text/plain-text.ts",
    find: "\\p{Cc}",
    put: "",
    suite: unit("plugin/plain-texts"),
  },
  {
    name: "a command prints what a cluster says as it is",
    file: "src/cli/plain-output.ts",
    find: "stream.write(plain(text))",
    put: "stream.write(text)",
    suite: unit("cli/plain-output"),
  },
  {
    name: "a text of a server looks like another message",
    file: "src/text/plain-text.ts",
    find: "plainLines(text).replaceAll(head, quoteMark);",
    put: "plainLines(text);",
    suite: unit("plugin/plain-texts"),
  },
  {
    name: "a further line of a quotation looks like ours",
    file: "src/text/quote.ts",
    find: 'quoteMark = "  | ";',
    put: 'quoteMark = "";',
    suite: unit("kit/diagnose"),
  },
];
