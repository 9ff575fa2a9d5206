/** A provider as a separate process, as Terraform would start it. */
import { writeSync } from "node:fs";
import { serve } from "../../../src/plugin/index.ts";
import { stubServer } from "./stub-server.ts";

const line = (level: string) => (message: string, fields?: object) => {
  writeSync(2, `${JSON.stringify({ "@level": level, "@message": message, ...fields })}\n`);
};
const log = { error: line("error"), warn: line("warn"), info: line("info"), debug: line("debug") };

/** The number of the provider in this process; the first call of a connection creates one. */
let made = 0;

process.exit(
  await serve({
    address: "registry.terraform.io/test/stub",
    log,
    createServer() {
      const number = ++made;
      return stubServer({
        /** Names its configuration, so that a test sees which provider answered. */
        configureProvider: async () => ({
          diagnostics: [{ severity: "warning", summary: `provider ${number}`, detail: "" }],
        }),
        /** Each function name is another way to misbehave. */
        async callFunction({ name, arguments: [first = {}] }) {
          if (name === "throw_later") setImmediate(() => bug("thrown and not caught"));
          if (name === "reject_later") void Promise.reject(new Error("rejected and not caught"));
          if (name === "throw_later" || name === "reject_later" || name === "hang") await new Promise(() => {});
          return { result: first };
        },
        stop: async () => {
          log.info("stopped", { provider: number });
          return "";
        },
      });
    },
  }),
);

function bug(message: string): never {
  throw new Error(message);
}
