import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { commandLineOf } from "../terraform-command.ts";

/**
 * What the plan of one change leaves in its private data: the cluster, the staged configuration and the change. An object
 * that is replaced changes twice.
 */
export type PlannedChange = readonly [cluster: string, scope: string, key: string, how?: "twice" | "removed"];

/** The file of a saved plan, if such a command applies one: `terraform apply lab.tfplan`. It stands at the end. */
export function planFileOf([program = "", ...words]: readonly string[]): string | null {
  if (!/(?:^|[\\/])(?:terraform|tofu)[^\\/]*$/.test(program)) return null;
  const [command, ...rest] = words
    .slice(words.findIndex((word) => !word.startsWith("-")))
    .filter((word) => word !== "");
  const last = rest.at(-1);
  return command === "apply" && last !== undefined && !last.startsWith("-") ? last : null;
}

/**
 * The changes in the plan that this run applies, if it was saved. Terraform names one resource at a time to the provider, and
 * does not hand over what the plan left in its private data; its file has the private data of all of them. Null where there
 * is no such file, or it cannot be read (a plan of a remote backend, one that OpenTofu has encrypted).
 */
export function savedPlan(file = planFileOf(commandLineOf(process.ppid))): readonly PlannedChange[] | null {
  try {
    return file === null ? null : changesIn(readFileSync(file));
  } catch {
    return null;
  }
}

const marker = /"staged":(\["[0-9a-f]+","(?:[^"\\]|\\.)+","(?:[^"\\]|\\.)+"(?:,"(?:twice|removed)")?\])/g;

function changesIn(archive: Buffer): PlannedChange[] | null {
  const plan = entryOf(archive, "tfplan");
  return plan === null
    ? null
    : [...plan.toString("utf8").matchAll(marker)].map(([, found = ""]) => JSON.parse(found) as PlannedChange);
}

const endOfDirectory = Buffer.from("PK\x05\x06", "latin1");
const entryOfDirectory = Buffer.from("PK\x01\x02", "latin1");

/** An entry of a ZIP archive, found by the directory at its end. */
function entryOf(archive: Buffer, wanted: string): Buffer | null {
  const end = archive.lastIndexOf(endOfDirectory);
  if (end < 0) return null;
  for (let at = archive.readUInt32LE(end + 16); archive.indexOf(entryOfDirectory, at) === at; ) {
    const [name, extra, comment] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    if (archive.toString("utf8", at + 46, at + 46 + name) === wanted) {
      const header = archive.readUInt32LE(at + 42);
      const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
      const content = archive.subarray(start, start + archive.readUInt32LE(at + 20));
      return archive.readUInt16LE(at + 10) === 0 ? content : inflateRawSync(content);
    }
    at += 46 + name + extra + comment;
  }
  return null;
}
