import { contract, type Fault, unit } from "../fault.ts";

const known = "src/pve/guard/known-guests.ts";

/** A change is refused if another client has changed the object since it was read. */
export const digest: readonly Fault[] = [
  {
    name: "the configuration of a guest is changed without its digest",
    file: "src/resources/guest/lifecycle/configure.ts",
    find: "draft.patch, { digest: before.digest });",
    put: "draft.patch, {});",
    suite: contract("vm/others", "keeps that change"),
  },
  {
    name: "a change that its digest refuses is sent again as it was computed first",
    file: "src/resources/guest/lifecycle/configure.ts",
    find: "attempt === 1\n",
    put: "attempt < 99\n",
    suite: contract("vm/others", "keeps that change"),
  },
  {
    name: "rules of a firewall are changed without the digest of their list",
    file: "src/pve/firewall.ts",
    find: "(digest === undefined ? {} : { digest });",
    put: "(digest === undefined ? {} : {});",
    suite: contract("firewall/editing", "between a read and the call after it"),
  },
  {
    name: "objects are changed without the digest of their file",
    file: "src/kit/crud/access.ts",
    find: "...(now.digest && { digest: now.digest }),",
    put: "",
    suite: unit("kit/crud/access"),
  },
  {
    name: "what was read of a guest is believed for an hour",
    file: known,
    find: "const knownForMs = 30_000;",
    put: "const knownForMs = 3_600_000;",
    suite: unit("pve/guard/known-guests"),
  },
  {
    name: "a slow answer is believed from its end",
    file: known,
    find: "{ stamp, readAt, ...received(answer) }",
    put: "{ stamp, readAt: performance.now(), ...received(answer) }",
    suite: unit("pve/guard/known-guests"),
  },
  {
    name: "what was read of a guest is believed after a clone to its VMID",
    file: known,
    find: 'if (parameters["newid"] !== undefined) this.wasChanged(parameters["newid"]);',
    put: "",
    suite: unit("pve/guard/known-guests"),
  },
  {
    name: "what was read of a guest is believed after a write without a VMID",
    file: known,
    find: "else this.#commonChanges += 1;",
    put: "",
    suite: unit("pve/guard/known-guests"),
  },
];
