import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../../src/plugin");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));

/** The specifiers of the modules that a file loads at run time: type imports do not count. */
function loaded(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from "([^"]+)";/gms);
  return [...statements].map(([, specifier = ""]) => specifier);
}

// Terraform waits for the handshake line several times in each command, so little may be loaded before it.
describe("the modules that the layer loads", () => {
  test.each(files)("%s loads only Node's own modules and its neighbours", (file) => {
    const foreign = loaded(readFileSync(join(folder, file), "utf8")).filter((name) => !/^(node:|\.\.?\/)/.test(name));
    expect(foreign).toEqual([]);
  });

  test.each(files)("%s loads TLS and HTTP/2 after the handshake", (file) => {
    const heavy = loaded(readFileSync(join(folder, file), "utf8")).filter((name) =>
      /^node:(tls|https?|http2)$/.test(name),
    );
    expect(heavy).toEqual([]);
  });

  test("are found by this test", () => {
    expect(loaded('import { a } from "undici";\nimport type { b } from "zod";\nexport * from "pino";\n')).toEqual([
      "undici",
      "pino",
    ]);
  });
});
