import { describe, expect, test } from "vitest";
import type { ActionEvent } from "#framework";
import { action } from "../../../src/plugin/rpc/action.ts";
import { providerFunction } from "../../../src/plugin/rpc/function.ts";
import { diagnosed, diagnostic } from "../../../src/plugin/rpc/to-wire.ts";

const hostile = "a\u001b[31m\u202eb\r\u0007\u2028c\nour line\ttab\u200e";
const shown = "a\\u001b[31m\\u202eb\\u000d\\u0007\\u2028c\nour line tab\\u200e";
const inOneLine = "a\\u001b[31m\\u202eb \\u0007\\u2028c our line tab\\u200e";

const fake = "the name\nError: Token expired\n\nWarning: log in at evil.example\n╷\n│ Error: x\n╵\n error: y";
const marked =
  "the name\n  | Error: Token expired\n\n  | Warning: log in at evil.example\n  | ╷\n  | │ Error: x\n  | ╵\n  |  error: y";

const invoke = async (...events: ActionEvent[]) => {
  const server = {
    async *invokeAction() {
      yield* events;
    },
  };
  const sent: unknown[] = [];
  const { signal } = new AbortController();
  for await (const event of action.invokeAction(server as never, { actionType: "x" } as never, signal))
    sent.push(event);
  return sent;
};

const call = async (text: string) => {
  const server = { callFunction: async () => ({ error: { text, argument: 0 } }) };
  return (await providerFunction.callFunction(server as never, { name: "f", arguments: [] } as never)).error?.text;
};

describe("no control or direction character of a server reaches the terminal of Terraform", () => {
  test.each(["error", "warning"] as const)("in an %s", (severity) => {
    const sent = diagnosed({ diagnostics: [{ severity, summary: hostile, detail: hostile }] });
    expect(sent.diagnostics).toMatchObject([{ summary: inOneLine, detail: shown }]);
  });

  test("in the progress and the end of an action", async () => {
    const completed = [{ severity: "error", summary: hostile, detail: hostile } as const];
    expect(await invoke({ progress: hostile }, { completed })).toMatchObject([
      { progress: { message: inOneLine } },
      { completed: { diagnostics: [{ summary: inOneLine, detail: shown }] } },
    ]);
  });

  test("in the error of a function", async () => {
    expect(await call(hostile)).toBe(shown);
  });
});

describe("a line feed of a server begins no line that looks like another message", () => {
  test.each(["error", "warning"] as const)("in an %s", (severity) => {
    const { summary, detail } = diagnostic({ severity, summary: fake, detail: fake });
    expect(summary).not.toContain("\n");
    expect(detail).toBe(marked);
  });

  test("in the progress of an action", async () => {
    const [event] = await invoke({ progress: fake });
    expect(event).toMatchObject({ progress: { message: expect.not.stringContaining("\n") } });
  });

  test("in the error of a function", async () => {
    expect(await call(fake)).toBe(marked);
  });
});
