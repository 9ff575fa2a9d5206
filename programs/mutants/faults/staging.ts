import { contract, type Fault, unit } from "../fault.ts";

const group = "src/kit/staged/group-commit.ts";
const groupSuite = unit("kit/staged/group-commit");

/** A commit has all changes of the run, and no change of another client. */
export const commits: readonly Fault[] = [
  {
    name: "staged route maps and unknown objects of other clients go live with a commit of the SDN",
    file: "src/resources/sdn/pending.ts",
    find: ", ...(await laterObjects(api, isPlan))",
    put: "",
    suite: contract("sdn/foreign-changes"),
  },
  {
    name: "a negative rule about nodes is turned into a positive one",
    file: "src/resources/ha/node-affinity.ts",
    find: "affinity === undefined || isDefault ? rule",
    put: 'affinity === undefined || isForNodes(rule["type"]) ? rule',
    suite: contract("ha/ha-rule"),
  },
  {
    name: "a change begins while others are committed",
    file: group,
    find: "      await this.#commit?.catch(() => {});\n",
    put: "",
    suite: groupSuite,
  },
  {
    name: "a change is written although its preparation has failed",
    file: group,
    find: "      await this.#prepare(change);\n",
    put: "      await this.#prepare(change).catch(() => {});\n",
    suite: groupSuite,
  },
  {
    name: "a preparation that has failed serves the next change",
    file: group,
    find: "      this.#preparation = undefined;\n      throw reason;",
    put: "      throw reason;",
    suite: groupSuite,
  },
  {
    name: "a lock stays when no change follows it",
    file: group,
    find: "if (isPrepared) await this.#options.release().catch(() => {});",
    put: "",
    suite: groupSuite,
  },
  {
    name: "a removal that no later run would know returns before its commit",
    file: group,
    find: "if (!isRemoval || within === null || this.#due.has(key)) return true;",
    put: 'if (key !== "") return true;',
    suite: groupSuite,
  },
  {
    name: "changes that never come are waited for",
    file: group,
    find: "      this.#isForeseeable = false;\n      this.#due.clear();\n      throw reason;",
    put: "      throw reason;",
    suite: groupSuite,
  },
  {
    name: "the changes of another cluster count as this run's",
    file: "src/kit/staged/announcements.ts",
    find: "this.#cluster = clusterOf(api);",
    put: 'this.#cluster = "0";',
    suite: unit("kit/staged/announcements"),
  },
  {
    name: "a change of another run counts as one that this machine has begun",
    file: "src/kit/staged/announcements.ts",
    find: "return this.#leftLines().includes(JSON.stringify([scope, key]));",
    put: "return this.#leftLines().length > 0;",
    suite: unit("kit/staged/announcements"),
  },
  {
    name: "a folder that another user has prepared is used for notes",
    file: "src/kit/notes-folder.ts",
    find: "const stat = lstatSync(folder);\n  if (!stat.isDirectory()) return false;\n",
    put: "const stat = lstatSync(folder);\n  if (stat.isSymbolicLink()) return true;\n",
    suite: unit("kit/staged/announcements"),
  },
  {
    name: "a run forgets the lock of another one",
    file: "src/kit/staged/lock-note.ts",
    find: "if (this.#read()?.token === token) attempt",
    put: "if (token) attempt",
    suite: unit("kit/staged/lock-note"),
  },
  {
    name: "a run releases the lock of a process that holds it",
    file: "src/kit/staged/lock-note.ts",
    find: "(note.isGivenUp || !isRunning(note))",
    put: "true",
    suite: unit("kit/staged/lock-note"),
  },
  {
    name: "changes of the SDN are sent without the token of its lock",
    file: "src/pve/guard/sdn-lock.ts",
    find: "this.token !== undefined && locked.test(path)",
    put: "false",
    suite: contract("sdn/lock"),
  },
];

/** What the plan shows is what is applied. */
export const plans: readonly Fault[] = [
  {
    name: "a value for a read-only attribute is ignored",
    file: "src/framework/schema/validate.ts",
    find: 'if (attribute?.mode !== "computed") return undefined;',
    put: "if (attribute !== null) return undefined;",
    suite: unit("schema/read-only"),
  },
  {
    name: "what differs from the plan is applied in silence",
    file: "src/framework/plan/contradictions.ts",
    find: 'if (isNull(actual)) return [{ path, problem: "was planned, but is absent" }];',
    put: "if (isNull(actual)) return [];",
    suite: unit("framework/plan/contradictions"),
  },
  {
    name: "a set that has other elements than planned is accepted",
    file: "src/framework/plan/contradictions.ts",
    find: "actual.length <= planned.length &&",
    put: "",
    suite: unit("framework/plan/contradictions"),
  },
  {
    name: "a plan that was refused is applied",
    file: "src/framework/server/resource-apply.ts",
    find: "    if (refusal) throw new Failure(refusal.summary, refusal.detail);\n",
    put: "",
    suite: contract("vm/privileges", "none of them can be applied"),
  },
];
