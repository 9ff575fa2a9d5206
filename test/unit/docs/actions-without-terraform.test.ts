import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { provider } from "../../../src/provider.ts";

const source = join(import.meta.dirname, "../../../src");
const actions = Object.keys(provider.actions ?? {});

/** Texts that advise an action, in sources that are not about one: messages, and the documentation of others. */
function advice(file: string): string[] {
  const named = new RegExp(`\\\\?\`(?:${actions.join("|")}|\\$\\{kind\\.resource\\}_\\w+)\\\\?\``);
  return readFileSync(join(source, file), "utf8")
    .split("\n")
    .filter((line) => named.test(line) && !/^\s*(\/?\*|\/\/)/.test(line));
}

test("advice to run an action names another way, since Terraform has actions only from 1.14 on, and OpenTofu has none", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/^simulator\/|\/actions\/|-actions?\.ts$/.test(file),
  );
  const texts = files.flatMap((file) => advice(file).map((line) => [file, line.trim()] as const));
  expect(texts.length).toBeGreaterThan(6);
  expect(texts.filter(([, line]) => !/web interface|pvesh/.test(line))).toEqual([]);
});
