/** A text that reaches a person. */
export interface Shown {
  /**
   * `line`: one line. `message`: lines of which none looks like another message. `output`: lines, of which some are those of a
   * configuration. `event`: one line of JSON, whose values Terraform prints. `thrown`: a stack trace, which no command may end in.
   */
  readonly kind: "line" | "message" | "output" | "event" | "thrown";
  readonly text: string;
}

const special = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const head = /^\s?(?:(?:Error|Warning):|[╷│╵])/im;

/** What a text has that no text of ours has. */
export function problemsIn({ kind, text }: Shown): string[] {
  if (kind === "thrown") return [text];
  if (kind === "event") return eventProblems(text);
  const has = [
    special.test(text) && "a control or direction character",
    kind === "line" && text.includes("\n") && "a line feed",
    kind === "message" && head.test(text) && "a line that looks like another message",
  ].filter((problem) => problem !== false);
  return has.map((problem) => `${kind} with ${problem}: ${JSON.stringify(text.slice(0, 2_000))}`);
}

function eventProblems(line: string): string[] {
  let event: Record<string, unknown>;
  try {
    event = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return [`not a log line: ${JSON.stringify(line)}`];
  }
  const values: string[] = [];
  JSON.stringify(event, (_, value: unknown) => {
    if (typeof value === "string") values.push(value);
    return value;
  });
  return [
    ...problemsIn({ kind: "line", text: String(event["@message"]) }),
    ...values.flatMap((text) => problemsIn({ kind: "output", text })),
  ];
}
