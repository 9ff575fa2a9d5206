import {
  computed,
  defineDataSource,
  Failure,
  found,
  int,
  nearNames,
  nullable,
  oneOf,
  type Session,
  string,
  timestamp,
} from "#kit";
import { type FoundGuest, findGuest } from "../../guest/lifecycle/find.ts";
import { readHa } from "../../guest/lifecycle/ha.ts";
import { attributes } from "../attributes.ts";
import { describeVm } from "../describe.ts";
import { vmKind } from "../kind.ts";
import { addressesOf } from "./addresses.ts";
import { creationOf } from "./creation.ts";

/** What a state remembers of the VM's past here, and what only a second call could tell, is not looked up. */
const { inherited: _inherited, pending: _pending, ...shown } = computed(attributes);

/** `proxmox_vm`, looked up: the attributes of the resource, found by VMID or by name. */
export const vmData = defineDataSource({
  type: "proxmox_vm",
  subcategory: "Virtual machines",
  doc: "A virtual machine or template that exists, found by its VMID or by its name. Shows the attributes of the resource `proxmox_vm`, every slot of its maps included. Needs `VM.Audit` on it.",
  attributes: {
    ...shown,
    vmid: {
      type: int({ min: 100, max: 999_999_999 }),
      mode: "optional_computed",
      doc: "VMID. Either this or `name` must be given.",
    },
    name: {
      type: nullable(string({ check: (text) => (text === "" ? "Must not be empty." : undefined) })),
      mode: "optional_computed",
      doc: "Name, letter by letter; it is an error if several VMs have it. Either this or `vmid` must be given.",
    },
    addresses: {
      type: oneOf(["configured", "agent"]),
      mode: "optional",
      doc: "Where `ip_addresses` come from: `configured`, as cloud-init sets them, or also from the guest `agent`, which is asked once and not waited for; needs `VM.GuestAgent.Audit`. Default: `configured`.",
    },
    node: found(string(), "Node it is on."),
    pool: found(nullable(string()), "Resource pool it is in, if the caller may see that."),
    created: found(
      nullable(string()),
      "When it was created, as RFC 3339 text. A clone has the time of its source; VMs older than PVE 7.1 have none.",
    ),
  },

  validate({ config, report }) {
    const given = [config.vmid, config.name];
    if (given.includes(undefined)) return;
    const isNone = given.every((key) => key === null);
    if (!isNone && given.includes(null)) return;
    report.error(
      isNone ? null : "name",
      isNone ? "VMID or name needed" : "VMID and name given",
      "Say which VM to look up, either by `vmid` or by `name`.",
    );
  },

  async read(context) {
    const { api, config, signal } = context;
    api.inventory.forgetIfChanged();
    const vm = await lookUp(api, config, signal);
    const draft = api.draft(vm.config.options);
    const addresses = await addressesOf(context, vm, draft, config.addresses === "agent");
    const created = creationOf(vm.config.options);
    return {
      ...describeVm(vm, draft, addresses),
      pool: vm.pool ?? null,
      ha: await readHa({ kind: vmKind, api, id: { vmid: vm.vmid }, state: null, purpose: "import", signal }),
      created: created === null ? null : timestamp(created),
    };
  },
});

interface Key {
  readonly vmid?: number | undefined;
  readonly name?: string | null | undefined;
}

async function lookUp(api: Session, key: Key, signal: AbortSignal): Promise<FoundGuest> {
  const vmid = key.vmid ?? (await vmidOf(api, key.name ?? ""));
  const vm = await findGuest({ kind: vmKind, api, signal }, vmid);
  if (vm === null) throw await absent(api, vmid);
  if (vm.config === null) {
    throw new Failure(`Node ${vm.node} is offline`, `VM ${vmid} is there, and cannot be looked at until it is back.`);
  }
  return vm;
}

async function vmidOf(api: Session, name: string): Promise<number> {
  const namesakes = await api.inventory.findByName("qemu", name);
  const [only] = namesakes;
  if (only === undefined) throw await unknownName(api, name);
  if (namesakes.length > 1) {
    const places = namesakes.map(({ vmid, node }) => `${vmid} on ${node}`).sort();
    throw new Failure(
      "Ambiguous name",
      `${namesakes.length} VMs are named "${name}": ${places.join(", ")}. Look one up by its \`vmid\`, or all with \`proxmox_vms\`.`,
      { path: "name" },
    );
  }
  return only.vmid;
}

async function absent(api: Session, vmid: number): Promise<Failure> {
  const guest = await api.inventory.locate(vmid);
  const what = guest?.type === "lxc" ? `${vmid} is a container on ${guest.node}, not a VM.` : `There is no VM ${vmid}.`;
  return new Failure("VM not found", what, { path: "vmid" });
}

async function unknownName(api: Session, name: string): Promise<Failure> {
  const vms = await api.inventory.list("qemu");
  const near = nearNames(
    name,
    vms.flatMap((vm) => vm.name ?? []),
  );
  const hint = near.length === 0 ? "" : ` Near it: ${near.map((one) => `"${one}"`).join(", ")}.`;
  return new Failure(
    "VM not found",
    `Of the ${vms.length} VMs that can be seen, none is named "${name}".${hint} A VM on which ${api.identity} lacks VM.Audit cannot be seen.`,
    { path: "name" },
  );
}
