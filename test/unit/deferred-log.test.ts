import { describe, expect, test } from "vitest";
import { deferLog } from "../../src/deferred-log.ts";
import { type Level, levels } from "../../src/log/line.ts";
import { createLog } from "../../src/log.ts";

/** How often the log is given a secret. */
function recordHidden() {
  const hidden: string[] = [];
  const nothing = () => {};
  const loaded = { error: nothing, warn: nothing, info: nothing, debug: nothing };
  const log = deferLog({
    load: async () => ({ ...loaded, hide: (secret) => void hidden.push(secret) }),
    takes: () => true,
  });
  return { log, hidden };
}

function record(wanted: readonly Level[] = levels) {
  const lines: string[] = [];
  let loads = 0;
  const log = deferLog({
    async load() {
      loads += 1;
      return createLog({ module: "provider.test", level: "debug", write: (line) => lines.push(line) });
    },
    takes: (level) => wanted.includes(level),
  });
  return { log, loads: () => loads, messages: () => lines.map((line) => JSON.parse(line)["@message"]) };
}

describe("a deferred log", () => {
  test("is not loaded before the first line", () => {
    expect(record().loads()).toBe(0);
  });

  test("is not loaded for a line without a reader, nor for a secret", async () => {
    const { log, loads, messages } = record(["error", "warn"]);
    log.hide("hunter2");
    log.debug("hunter2 again");
    await log.written();
    expect(loads()).toBe(0);
    log.error("and hunter2");
    await log.written();
    expect(messages()).toEqual(["and (hidden)"]);
  });

  test("writes earlier lines in order once it is loaded, and loses nothing at the end", async () => {
    const { log, loads, messages } = record();
    log.warn("first");
    log.debug("second");
    expect(messages()).toEqual([]);
    await log.written();
    log.info("third");
    expect(messages()).toEqual(["first", "second", "third"]);
    expect(loads()).toBe(1);
  });

  test("hides a secret from lines that came after it, loaded or not", async () => {
    const { log, messages } = record();
    log.hide("hunter2");
    log.error("the word is hunter2");
    await log.written();
    expect(messages()).toEqual(["the word is (hidden)"]);
  });

  test("keeps a secret once, however often it arrives before the log is loaded", async () => {
    const { log, hidden } = recordHidden();
    for (let arrival = 0; arrival < 1_000; arrival += 1) log.hide(arrival % 2 === 0 ? "hunter2" : "hunter3");
    log.info("first");
    await log.written();
    expect(hidden).toEqual(["hunter2", "hunter3"]);
  });
});
