import type { Dice } from "../chaos/dice.ts";
import type { Reply } from "./tampering-proxy.ts";

type Mutation = (reply: Reply, dice: Dice) => Reply;

/** Responses of a broken or hostile server. */
export function mutations(elsewhere: string): readonly Mutation[] {
  return [
    (reply, dice) => inBody(reply, dice, () => dice.pick(strangeValues)),
    (reply, dice) => inBody(reply, dice, () => "y".repeat(1_000_000)),
    (reply, dice) => inBody(reply, dice, (node) => [node, node]),
    (reply, dice) => inBody(reply, dice, () => ({ __proto__: null, constructor: { prototype: { polluted: true } } })),
    (reply) => ({ ...reply, body: `{"data":{"__proto__":{"polluted":true}},"__proto__":{"polluted":true}}` }),
    (reply) => ({ ...reply, body: `{"data":${"[".repeat(20_000)}${"]".repeat(20_000)}}` }),
    (reply, dice) => ({ ...reply, body: reply.body.slice(0, dice.int(0, reply.body.length)) }),
    (reply, dice) => ({ ...reply, body: flipped(reply.body, dice) }),
    (reply) => ({ ...reply, body: "" }),
    (reply) => ({ ...reply, body: "<html><body>Bad gateway</body></html>", headers: { "content-type": "text/html" } }),
    (reply) => ({ ...reply, body: '{"data":null}' }),
    (reply, dice) => ({
      ...reply,
      status: dice.pick([201, 204, 400, 401, 403, 404, 500, 501, 502, 503, 595, 596, 599]),
    }),
    (reply, dice) => ({ ...reply, status: dice.pick([301, 302, 307, 308]), headers: { location: elsewhere } }),
    (reply) => ({ ...reply, isEndless: true }),
    (reply) => ({ ...reply, headers: { "content-length": String(Buffer.byteLength(reply.body) + 50) } }),
  ];
}

const strangeValues: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  "",
  " ",
  "\u0000\u001b[31m\r\n@level=error",
  "../../../../etc/passwd",
  "UPID:pve1:../../../../../access/ticket:0:0:qmclone:100:root@pam:",
  "100/../../../access",
  "'; DROP TABLE vms; --",
  [],
  {},
  [[[]]],
  { toString: "x", length: -1 },
];

/** Replaces one place of the response. */
function inBody(reply: Reply, dice: Dice, replace: (node: unknown) => unknown): Reply {
  try {
    const whole = { data: (JSON.parse(reply.body) as { data: unknown }).data };
    const places = placesIn(whole, "data");
    const { holder, key } = dice.pick(places);
    holder[key] = replace(holder[key]);
    return { ...reply, body: JSON.stringify(whole) };
  } catch {
    return { ...reply, body: JSON.stringify(replace(reply.body)) };
  }
}

type Holder = Record<string, unknown>;

function placesIn(holder: object, key: string): { holder: Holder; key: string }[] {
  const node = (holder as Holder)[key];
  const inside = typeof node === "object" && node !== null ? Object.keys(node) : [];
  return [{ holder: holder as Holder, key }, ...inside.flatMap((member) => placesIn(node as object, member))];
}

function flipped(text: string, dice: Dice): string {
  const bytes = Buffer.from(text);
  for (let count = dice.int(1, 5); count > 0 && bytes.length > 0; count--) {
    bytes[dice.int(0, bytes.length - 1)] = dice.int(0, 255);
  }
  return bytes.toString("latin1");
}
