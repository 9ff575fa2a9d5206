import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Builds the provider with that many copies of a plain resource added, each with its own module. */
export function buildWithMoreTypes(root: string, count: number): string {
  const tree = mkdtempSync(join(tmpdir(), "more-types-"));
  process.once("exit", () => rmSync(tree, { recursive: true, force: true }));
  for (const part of ["src", "scripts", "package.json", "LICENSE"])
    cpSync(join(root, part), join(tree, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  const pool = readFileSync(join(tree, "src/resources/pool/pool.ts"), "utf8");
  const lines = Array.from({ length: count }, (_, index) => {
    const type = `proxmox_copy_${index}`;
    writeFileSync(join(tree, `src/resources/pool/${type}.ts`), pool.replace('"proxmox_pool"', `"${type}"`));
    return `${type}: () => import("./resources/pool/${type}.ts").then((m) => m.pool),\n`;
  });
  const registry = join(tree, "src/registry.ts");
  writeFileSync(
    registry,
    readFileSync(registry, "utf8").replace("resources: {\n", (start) => start + lines.join("")),
  );
  execFileSync(process.execPath, [join(tree, "scripts/build.ts")], { stdio: ["ignore", "ignore", "inherit"] });
  return join(tree, "dist/terraform-provider-proxmox");
}
