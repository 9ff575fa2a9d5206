import { request } from "node:https";
import type { Simulator } from "#simulator";

/** The effect of each `pveum` command in the provider's messages. */
const meanings: readonly (readonly [RegExp, "POST" | "PUT", (words: readonly string[]) => [string, object]])[] = [
  [/^user add /, "POST", ([userid = ""]) => ["/access/users", { userid }]],
  [/^user token add /, "POST", ([user, token]) => [`/access/users/${user}/token/${token}`, {}]],
  [/^role add /, "POST", ([roleid = ""]) => ["/access/roles", { roleid }]],
  [/^role modify /, "PUT", ([roleid]) => [`/access/roles/${roleid}`, {}]],
  [/^acl modify /, "PUT", ([path = ""]) => ["/access/acl", { path }]],
];

/**
 * Runs commands on a node of the simulated cluster, as `root@pam`: lines of `pveum` are executed through the API, as
 * `pveum` itself does, and comment lines are skipped. Returns the secrets of created tokens, by id.
 */
export async function typeCommands(simulator: Simulator, text: string): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {};
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const [, command = ""] = /^pveum (.+)$/.exec(line) ?? [];
    const meaning = meanings.find(([pattern]) => pattern.test(command));
    if (!meaning) throw new Error(`unknown command: ${line}`);
    const [pattern, method, callOf] = meaning;
    const words = command
      .replace(pattern, "")
      .split(" ")
      .map((word) => word.replace(/^'(.*)'$/, "$1"));
    const at = words.findIndex((word) => word.startsWith("--"));
    const [path, body] = callOf(at === -1 ? words : words.slice(0, at));
    const answer = await call(simulator, method, path, { ...body, ...optionsIn(at === -1 ? [] : words.slice(at)) });
    if (typeof answer?.["full-tokenid"] === "string") secrets[answer["full-tokenid"]] = String(answer["value"]);
  }
  return secrets;
}

/** `--name value` by name. */
function optionsIn(words: readonly string[]): Record<string, string> {
  const names = words.flatMap((word, at) => (at % 2 === 0 ? [[word.replace(/^--/, ""), words[at + 1] ?? ""]] : []));
  return Object.fromEntries(names) as Record<string, string>;
}

function call({ url, caCertificate, tokens }: Simulator, method: string, path: string, body: object) {
  const text = new URLSearchParams(Object.entries(body)).toString();
  const headers = {
    authorization: `PVEAPIToken=${tokens["root@pam!admin"]}`,
    "content-type": "application/x-www-form-urlencoded",
    "content-length": Buffer.byteLength(text),
  };
  return new Promise<Record<string, unknown> | null>((resolve, reject) => {
    const sent = request(`${url}/api2/json${path}`, { method, headers, ca: caCertificate }, async (response) => {
      const answer = Buffer.concat(await response.toArray()).toString();
      if (response.statusCode === 200) resolve((JSON.parse(answer) as { data: Record<string, unknown> | null }).data);
      else reject(new Error(`${method} ${path}: ${response.statusCode} ${response.statusMessage} ${answer}`));
    });
    sent.on("error", reject).end(text);
  });
}
