import { contract, type Fault, unit } from "../fault.ts";

const guest = "src/resources/guest";

/** Only guests of this configuration are changed or removed. */
export const ownership: readonly Fault[] = [
  {
    name: "a VM is destroyed without a check that it is the one in the state",
    file: `${guest}/lifecycle/destroy.ts`,
    find: "  if (isForeign(context, found)) return;\n",
    put: "",
    suite: contract("vm/others", "nor is it stopped"),
  },
  {
    name: "a container is destroyed without a check that it is the one in the state",
    file: `${guest}/lifecycle/destroy.ts`,
    find: "const isOther = isAnotherGuest({ kind, vmid: id.vmid, known: privateState.fingerprint, seen });",
    put: "const isOther = false;",
    suite: contract("container/others", "is another one if"),
  },
  {
    name: "a guest that another user has protected is stopped before it is refused",
    file: `${guest}/lifecycle/destroy.ts`,
    find: 'if (found.config.options["protection"] === "1") {',
    put: "if (false) {",
    suite: contract("vm/destroy", "refused before it is stopped"),
  },
  {
    name: "every part of a fingerprint has to differ from the state's",
    file: `${guest}/identity.ts`,
    find: "equal.some((part) => !repeatable.has(part))",
    put: "equal.length === comparable.length",
    suite: unit("resources/guest/ownership"),
  },
  {
    name: "a part that PVE gives again proves that a guest is the one in the state",
    file: `${guest}/identity.ts`,
    find: 'new Set(["rootfs"])',
    put: "new Set([])",
    suite: unit("resources/guest/ownership"),
  },
  {
    name: "any guest is taken for the one in the state",
    file: `${guest}/identity.ts`,
    find: "known[part] === seen[part]",
    put: "known[part] !== null",
    suite: unit("resources/guest/ownership"),
  },
  {
    name: "a complete guest of the same name is taken for an unfinished one",
    file: `${guest}/lifecycle/existing.ts`,
    find: "!made.has(vmid) && markOf(config.description) !== null &&",
    put: "!made.has(vmid) &&",
    suite: contract("vm/guards", "a second VM of a name is refused"),
  },
  {
    name: "a guest that was changed since the plan is adopted",
    file: `${guest}/lifecycle/existing.ts`,
    find: "if (only?.config.digest === adopting.digest) return only;",
    put: "if (only) return only;",
    suite: contract("vm/adoption", "changes since the plan"),
  },
  {
    name: "an adopted guest is changed without its digest",
    file: `${guest}/lifecycle/adopt.ts`,
    find: "after.patch, { digest });",
    put: "after.patch);",
    suite: contract("vm/adoption", "while it is adopted"),
  },
  {
    name: "the sweep removes guests outside of the pool",
    file: "src/cli/sweep/guests.ts",
    find: "inPool.has(vmid) && name",
    put: "name",
    suite: contract("cli/sweep"),
  },
  {
    name: "the sweep removes guests that are protected",
    file: "src/cli/sweep/guests.ts",
    find: '  if (options["protection"] === "1") return "is protected";\n',
    put: "",
    suite: contract("cli/sweep"),
  },
  {
    name: "the sweep does not look again before it removes a guest",
    file: "src/cli/sweep/guests.ts",
    find: "if (change !== undefined) throw new Stays(change);",
    put: "",
    suite: contract("cli/sweep"),
  },
];

/** The mark of an unfinished guest is found, and nothing else is taken for one. */
export const marks: readonly Fault[] = [
  {
    name: "a description that quotes a mark is taken for an unfinished guest's",
    file: `${guest}/mark.ts`,
    find: "-->\\s*$/;",
    put: "-->/;",
    suite: unit("resources/guest/ownership"),
  },
  {
    name: "a mark is added to another one",
    file: `${guest}/mark.ts`,
    find: 'const text = withoutMark(description ?? "");',
    put: 'const text = description ?? "";',
    suite: unit("resources/guest/ownership"),
  },
  {
    name: "a guest with another mark is taken for one whose create was given up",
    file: `${guest}/lifecycle/being-made.ts`,
    find: 'if (markOf(config.description) === mark) return "ours";',
    put: 'if (markOf(config.description) !== null) return "ours";',
    suite: unit("resources/guest/ownership"),
  },
  {
    name: "the mark of an unfinished guest is not found",
    file: `${guest}/lifecycle/existing.ts`,
    find: "  if (unfinished) return whenUnlocked(context, unfinished);\n",
    put: "",
    suite: contract("vm/guards", "no second VM is created"),
  },
];

/** Data is not lost with an object that does not own it. */
export const volumes: readonly Fault[] = [
  {
    name: "the owner of a linked clone's volume is that of its base",
    file: `${guest}/volume.ts`,
    find: ".at(-1)?.[1];",
    put: ".at(0)?.[1];",
    suite: unit("resources/guest/ownership"),
  },
  {
    name: "a volume of another guest goes with the guest",
    file: `${guest}/volume.ts`,
    find: "return owner !== null && owner !== vmid &&",
    put: "return owner !== null && owner === vmid &&",
    suite: unit("resources/guest/ownership"),
  },
  {
    name: "a disk is given to two guests of one configuration",
    file: "src/kit/attachments.ts",
    find: "if (other !== undefined && other.by !== by) return other.label;",
    put: "",
    suite: contract("storage/disk", "a disk that another VM of the configuration gets"),
  },
  {
    name: "a disk is destroyed while a VM has it",
    file: "src/kit/attachments.ts",
    find: "    return others();\n",
    put: "    return [];\n",
    suite: contract("storage/disk", "it is not destroyed while a VM has it"),
  },
  {
    name: "volumes that no setting names are destroyed with the guest",
    file: `${guest}/lifecycle/destroy.ts`,
    find: "state.destroy?.unreferenced_disks ?? false",
    put: "state.destroy?.unreferenced_disks ?? true",
    suite: contract("vm/destroy", "keeps volumes of the VMID"),
  },
  {
    name: "the sweep removes volumes that a guest uses",
    file: "src/cli/sweep/volumes.ts",
    find: 'return used.includes(volid) ? "a guest uses it" : undefined;',
    put: "return used === volid ? used : undefined;",
    suite: contract("cli/sweep"),
  },
];
