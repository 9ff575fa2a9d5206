import { expect, test } from "vitest";
import { lab } from "../lab.ts";

const { ask } = lab();

test.each([
  ["POST /cluster/notifications/endpoints/sendmail", { name: "ops", mailto: "ops@example.com" }],
  ["POST /cluster/notifications/matchers", { name: "ops" }],
])("a comment of several lines does not fit into the file: %s", async (line, form) => {
  const failed = (reason: string) =>
    `writing "notifications.cfg" failed: verify section 'ops' failed - parameter verification failed - 'comment': ${reason}`;
  const refusal = (reason: string) => `500 could not serialize configuration: ${failed(reason)}: ${failed(reason)}`;
  const answer = (comment: string) => ask(line, { ...form, comment }, "root@pam!admin");
  expect(await answer("two\nlines")).toBe(refusal("value does not match the regex pattern"));
  expect(await answer("x".repeat(129))).toBe(refusal("value may only be 128 characters long"));
  expect(await answer("one line")).toBeNull();
});

test.each([
  ["(", "    (\n    ^\nerror: unclosed group"],
  ["a)", "    a)\n     ^\nerror: unopened group"],
  ["*", "    *\n    ^\nerror: repetition operator missing expression"],
  ["a(?=b)", "    a(?=b)\n     ^^^\nerror: look-around, including look-ahead and look-behind, is not supported"],
  ["(a)\\1", "    (a)\\1\n       ^^\nerror: backreferences are not supported"],
])("an expression that Rust does not know is refused: %s", async (pattern, marks) => {
  const form = { name: "ops", "match-field": `regex:hostname=${pattern}` };
  const answer = await ask("POST /cluster/notifications/matchers", form, "root@pam!admin");
  expect(answer).toBe(`500 error: could not apply filter: invalid regex: regex parse error:\n${marks}`);
});
