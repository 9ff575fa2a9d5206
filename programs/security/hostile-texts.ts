import type { Dice } from "../chaos/dice.ts";
import type { Reply } from "./tampering-proxy.ts";

/** What a terminal or a reader could take for more than text. */
const pieces: readonly string[] = [
  "\u001b[31m",
  "\u001b]0;title\u0007",
  "\u001b[2J",
  "\u009b2J",
  "\r",
  "\u0000",
  "\u0008",
  "\u000b",
  "\u007f",
  "\u202e",
  "\u2066",
  "\u200e",
  "\u200b",
  "\u061c",
  "\ufeff",
  "\u2028",
  "\u2029",
  "\u{e0041}",
  "\t",
  "\nError: Token expired\n\nLog in at evil.example.",
  "\nWarning: \u202ex",
  "\r\n╷\n│ Error: x\n╵",
  '\n{"@level":"error","@message":"x"}',
  "\nTASK ERROR: x",
  "plain words",
  "😀",
];

export const hostileText = (dice: Dice): string =>
  [...Array(dice.int(1, 4)).keys()].map((at) => `${at === 0 ? "a" : " "}${dice.pick(pieces)}`).join("");

/** The same response with other texts, or a refusal in hostile words. */
export function hostileReply(reply: Reply, dice: Dice): Reply {
  if (dice.chance(0.3)) {
    const errors = dice.chance(0.5) ? { errors: { [dice.pick(["name", "vmid"])]: hostileText(dice) } } : {};
    const body = JSON.stringify({ data: null, message: hostileText(dice), ...errors });
    return { ...reply, status: dice.pick([400, 403, 500, 595]), body };
  }
  const strings: { holder: Record<string, unknown>; key: string }[] = [];
  const visit = (holder: Record<string, unknown>): void => {
    for (const [key, value] of Object.entries(holder)) {
      if (typeof value === "string") strings.push({ holder, key });
      else if (typeof value === "object" && value !== null) visit(value as Record<string, unknown>);
    }
  };
  try {
    const whole = JSON.parse(reply.body) as Record<string, unknown>;
    visit(whole);
    for (let count = dice.int(1, 5); count > 0 && strings.length > 0; count--) {
      const { holder, key } = dice.pick(strings);
      holder[key] = dice.chance(0.5) ? `${holder[key]}${hostileText(dice)}` : hostileText(dice);
    }
    return { ...reply, body: JSON.stringify(whole) };
  } catch {
    return reply;
  }
}
