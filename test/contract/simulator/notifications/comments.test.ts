import { expect, test } from "vitest";
import { lab } from "../lab.ts";

const { ask } = lab();

test.each([
  ["POST /cluster/notifications/endpoints/sendmail", { name: "ops", mailto: "ops@example.com" }],
  ["POST /cluster/notifications/matchers", { name: "ops" }],
])("a comment of several lines does not fit into the file: %s", async (line, form) => {
  const refusal =
    "500 could not serialize configuration: verify section 'ops' failed - comment: value does not match the regex pattern";
  expect(await ask(line, { ...form, comment: "two\nlines" }, "root@pam!admin")).toBe(refusal);
  expect(await ask(line, { ...form, comment: "one line" }, "root@pam!admin")).toBeNull();
});
