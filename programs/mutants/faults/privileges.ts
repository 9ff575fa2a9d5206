import { contract, type Fault, unit } from "../fault.ts";

const asRoot = "src/pve/auth/act-as-root.ts";

/** No call is made with more privileges than are needed, and the plan asks for the right ones. */
export const privileges: readonly Fault[] = [
  {
    name: "every call that lacks a privilege is sent again as root@pam",
    file: asRoot,
    find: " && isReservedForRoot(reason.message);",
    put: ";",
    suite: unit("pve/auth/act-as-root"),
  },
  {
    name: "a failed task is begun again as root@pam",
    file: asRoot,
    find: 'isPveError(reason, "permission", "invalid")',
    put: "isPveError(reason)",
    suite: unit("pve/auth/act-as-root"),
  },
  {
    name: "a task of root@pam is stopped as that user",
    file: asRoot,
    find: 'method === "GET" && ',
    put: "",
    suite: unit("pve/auth/act-as-root"),
  },
  {
    name: "VM.Clone for the source of a container is asked for on the path of a pool",
    file: "src/resources/container/plan/needs/change-needs.ts",
    find: "containerPrivileges.cloneSource, `/vms/",
    put: "containerPrivileges.cloneSource, `/pool/",
    suite: contract("container/privileges"),
  },
  {
    name: "VM.Clone for the source of a VM is asked for on the path of a pool",
    file: "src/resources/vm/plan/needs/change-needs.ts",
    find: "vmPrivileges.cloneSource, `/vms/",
    put: "vmPrivileges.cloneSource, `/pool/",
    suite: contract("vm/least-privilege", "a clone that is not"),
  },
  {
    name: "VM.Clone for an imported disk is asked for on the path of a pool",
    file: "src/resources/vm/plan/needs/drive-needs.ts",
    find: "vmPrivileges.cloneSource, `/vms/",
    put: "vmPrivileges.cloneSource, `/pool/",
    suite: contract("vm/least-privilege", "whose disk is imported from another's"),
  },
  {
    name: "the privileges on a hidden template are asked for on the path of a pool",
    file: "src/resources/guest/plan/plan-create.ts",
    find: ".test(reference) ? `/vms/",
    put: ".test(reference) ? `/pool/",
    suite: contract("container/privileges", "of a source that is hidden"),
  },
  {
    name: "privileges that are not passed on count below their path",
    file: "src/kit/permissions.ts",
    find: ".filter((privilege) => above[privilege]);",
    put: ";",
    suite: unit("kit/permissions"),
  },
  {
    name: "an entry on a path does not replace what comes from above",
    file: "src/kit/permissions.ts",
    find: "  if (own) return Object.keys(own);\n",
    put: "",
    suite: unit("kit/permissions"),
  },
  {
    name: "all privileges of a list are needed where one is enough in the simulator",
    file: "src/simulator/core/access/check-permissions.ts",
    find: '(check.slice(1) as Check[]).some((part) => evaluate(part, question, "tell"))',
    put: '(check.slice(1) as Check[]).every((part) => evaluate(part, question, "tell"))',
    suite: unit("simulator/core/access/check-permissions"),
  },
  {
    name: "the simulator lets every user use what is reserved for root@pam",
    file: "src/simulator/core/access/check-permissions.ts",
    find: 'permissionError("user != root@pam");',
    put: "return;",
    suite: unit("simulator/core/access/check-permissions"),
  },
];

/** A page in a browser cannot use the simulator's own endpoints. */
export const admission: readonly Fault[] = [
  {
    name: "the simulator's own endpoints serve a page of another origin",
    file: "src/simulator/control/admission.ts",
    find: "if (isForeign && !isNavigation) {",
    put: "if (false) {",
    suite: contract("simulator/control", "cannot use"),
  },
  {
    name: "the simulator's own endpoints serve any name that leads to this machine",
    file: "src/simulator/control/admission.ts",
    find: 'if (host !== undefined && nameIn(host) !== "localhost" && !isLoopback(nameIn(host))) {',
    put: "if (false) {",
    suite: contract("simulator/control", "cannot use them by a name"),
  },
  {
    name: "the simulator's own endpoints take orders of forms",
    file: "src/simulator/control/admission.ts",
    find: 'if (method === "POST" && !/^application',
    put: 'if (method === "" && !/^application',
    suite: contract("simulator/control", "cannot use"),
  },
  {
    name: "members that every object inherits are orders to the simulator",
    file: "src/simulator/control/control.ts",
    find: " && Object.hasOwn(actions, action)",
    put: "",
    suite: contract("simulator/control", "is refused"),
  },
];
