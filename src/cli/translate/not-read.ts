import type { Note } from "./notes.ts";

/** Files that hold configuration in a form that is not translated: they are copied as they are. */
export function notRead(files: ReadonlyMap<string, { toString(encoding: "utf8"): string }>): Note[] {
  return [...files].flatMap(([file, bytes]) => {
    const todo = [...reasons].find(([pattern]) => pattern.test(file))?.[1];
    if (todo === undefined) return [];
    const lines = bytes.toString("utf8").split("\n");
    const line = lines.findIndex((text) => /\bproxmox_|\/proxmox"|_provider "proxmox"/i.test(text)) + 1;
    return line === 0 ? [] : [{ level: "hand" as const, file, line, what: "not translated", todo }];
  });
}

const reasons = new Map([
  [
    /\.(tf|tofu)\.json$/,
    "JSON was copied as it is: generate it again with the bindings of this provider (CDK Terrain, CDKTF), or write it in HCL and translate that",
  ],
  [
    /\.(tftest|tofutest)\.hcl$/,
    "the test was copied as it is: the resources and attributes that it names have other names here",
  ],
]);
