import { describe, expect, test } from "vitest";
import { createLog, type Level, levelFrom } from "../../src/log.ts";

function record(level: Level = "debug") {
  const lines: string[] = [];
  return { lines, log: createLog({ module: "provider.test", level, write: (line) => lines.push(line) }) };
}

const parse = (line: string | undefined) => JSON.parse(line ?? "") as Record<string, unknown>;

describe("a log line", () => {
  test("is in Terraform's format: one line of JSON with a time of six fraction digits", () => {
    const { lines, log } = record();
    log.info("a clone\nbegins", { vmid: 100 });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\n]+\n$/);
    expect(parse(lines[0])).toEqual({
      "@level": "info",
      "@message": "a clone begins",
      "@module": "provider.test",
      "@timestamp": expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      vmid: 100,
    });
  });

  test("cannot have its message replaced by a field, which would crash Terraform if it were not a string", () => {
    const { lines, log } = record();
    log.warn("real", { "@message": 3, "@level": {} });
    expect(parse(lines[0])).toMatchObject({ "@message": "real", "@level": "warn" });
  });

  test("can contain values that JSON cannot represent", () => {
    const { lines, log } = record();
    log.error("failed", { size: 2n ** 70n, cause: new TypeError("no") });
    expect(parse(lines[0])).toMatchObject({
      size: "1180591620717411303424",
      cause: expect.stringContaining("TypeError: no"),
    });
  });

  test("is truncated to the length that Terraform reads", () => {
    const { lines, log } = record();
    log.debug("large", { body: "x".repeat(100_000) });
    expect(lines[0]?.length).toBeLessThan(64 * 1024);
    expect(parse(lines[0])).toMatchObject({ "@message": "large …" });
  });

  test("has texts of others as codes, and their line feeds do not begin a line", () => {
    const { lines, log } = record();
    log.info("said \u001b[31m\u200e\nfake", { name: "a\u202eb", deep: [{ stack: "x\r\n\u0007" }] });
    expect(parse(lines[0])).toMatchObject({
      "@message": "said \\u001b[31m\\u200e fake",
      name: "a\\u202eb",
      deep: [{ stack: "x\\u000d\n\\u0007" }],
    });
  });

  test("hides a secret of several lines", () => {
    const { lines, log } = record();
    log.hide("first line\nsecond \u200e line");
    log.info("said first line\nsecond \u200e line", { value: "first line\nsecond \u200e line" });
    expect(parse(lines[0])).toMatchObject({ "@message": "said (hidden)", value: "(hidden)" });
  });

  test("hides secrets everywhere", () => {
    const { lines, log } = record();
    log.hide('top"secret');
    log.hide("abc");
    log.info('said top"secret aloud', { header: 'token=top"secret', letters: "abc" });
    expect(lines[0]).not.toContain("secret");
    expect(parse(lines[0])).toMatchObject({
      "@message": "said (hidden) aloud",
      header: "token=(hidden)",
      letters: "abc",
    });
  });
});

describe("secrets that were not registered", () => {
  test.each([
    "password",
    "cipassword",
    "authTicket",
    "CSRFPreventionToken",
    "api_token",
    "token",
    "totpSecret",
    "otp",
    "Authorization",
    "cookie",
    "private_key",
  ])("are hidden in a field called %s", (name) => {
    const { lines, log } = record();
    log.info("x", { [name]: "hunter2", deep: [{ [name]: { value: "hunter2" } }] });
    expect(parse(lines[0])).toMatchObject({ [name]: "(hidden)", deep: [{ [name]: "(hidden)" }] });
  });

  test.each(["tokenid", "token_id", "sshkeys", "task", "username"])("%s is not a secret", (name) => {
    const { lines, log } = record();
    log.info("x", { [name]: "plain" });
    expect(parse(lines[0])).toMatchObject({ [name]: "plain" });
  });

  test.each([
    ["tf@pve!ci=3f6b1f2e-0000-4000-8000-123456789abc", "tf@pve!ci=(hidden)"],
    ["PVE:root@pam:6AFA5E2F::c2lnbmF0dXJlIG9mIHRoZSB0aWNrZXQ=", "(hidden)"],
    ["6AFA5E2F:YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo", "(hidden)"],
    [
      "UPID:pve:000000CF:000AA7E7:6AFA5E2F:qmclone:100:root@pam!tf:",
      "UPID:pve:000000CF:000AA7E7:6AFA5E2F:qmclone:100:root@pam!tf:",
    ],
  ])("%s is shown as %s", (text, shown) => {
    const { lines, log } = record();
    log.info(`sent ${text} along`);
    expect(parse(lines[0])).toMatchObject({ "@message": `sent ${shown} along` });
  });

  test("are hidden in the form of a cookie", () => {
    const { lines, log } = record();
    log.hide("a+b/c=d");
    log.info("cookie a%2Bb%2Fc%3Dd");
    expect(parse(lines[0])).toMatchObject({ "@message": "cookie (hidden)" });
  });
});

describe("the level", () => {
  test.each<[Level, number]>([
    ["error", 1],
    ["warn", 2],
    ["info", 3],
    ["debug", 4],
  ])("%s passes %i kinds of line", (level, count) => {
    const { lines, log } = record(level);
    log.error("e");
    log.warn("w");
    log.info("i");
    log.debug("d");
    expect(lines).toHaveLength(count);
  });

  test.each([
    ["DEBUG", "debug"],
    ["nonsense", "info"],
    [undefined, "info"],
  ])("%s is read as %s", (text, level) => {
    expect(levelFrom(text)).toBe(level);
  });
});
