import {
  alternatives,
  bool,
  defineCrud,
  int,
  matches,
  oncePerRun,
  type PlanContext,
  type Session,
  set,
  string,
} from "#kit";

const attributes = {
  name: {
    type: string({
      check: matches(
        /^(?!custom-)[A-Za-z][\w-]{1,39}$/,
        "a letter and then letters, digits, `-` or `_`, up to 40, without `custom-`",
      ),
    }),
    mode: "required",
    wire: "cputype",
    replace: true,
    doc: "Name of the model. VMs use it as `custom-` and this name.",
  },
  reported_model: {
    type: string({ check: matches(/^[\w.-]+$/, "the name of a model") }),
    mode: "required",
    wire: "reported-model",
    doc: "Model of QEMU that the guest sees, and whose features it starts from, such as `host`, `kvm64` or `EPYC-Milan`.",
  },
  flags: {
    type: set(string({ check: matches(/^[+-][\w.-]+$/, "a flag to switch on or off, such as `+aes` or `-pcid`") }), {
      min: 1,
    }),
    mode: "optional",
    wire: "flags",
    separator: ";",
    doc: "Features to switch on (`+aes`) or off (`-pcid`). Left out: those of the model.",
  },
  hidden: {
    type: bool(),
    mode: "optional",
    wire: "hidden",
    doc: "Whether the guest is kept from noticing the hypervisor. Left out: it is not.",
  },
  hv_vendor_id: {
    type: string({ check: matches(/^[A-Za-z0-9]{1,12}$/, "1 to 12 letters and digits") }),
    mode: "optional",
    wire: "hv-vendor-id",
    doc: "Vendor shown to Windows guests. Left out: QEMU's.",
  },
  phys_bits: {
    type: string({ check: matches(/^(host|[89]|[1-5]\d|6[0-4])$/, "a number from 8 to 64, or `host`") }),
    mode: "optional",
    wire: "phys-bits",
    doc: "Physical address bits, or `host`. Left out: those of the model.",
  },
  guest_phys_bits: {
    type: int({ min: 32, max: 64 }),
    mode: "optional",
    wire: "guest-phys-bits",
    doc: "Physical address bits in the guest. Left out: `phys_bits`.",
  },
  level: {
    type: int({ min: 0, max: 4_294_967_295 }),
    mode: "optional",
    wire: "level",
    doc: "Highest CPUID leaf the guest sees. Left out: that of the model.",
  },
} as const;

const bare = (cputype: unknown): string => String(cputype).replace(/^custom-/, "");

/** `proxmox_cpu_model`. Server side: pve-manager `PVE/API2/Cluster/Qemu/CustomCPUModels.pm`. */
export const cpuModel = defineCrud({
  type: "proxmox_cpu_model",
  subcategory: "Cluster",
  doc: 'A CPU model of your own for VMs: a model of QEMU with features switched on or off. A VM uses it by `cpu = { type = "custom-NAME" }`. A VM that runs keeps the old definition until it is restarted, and a VM whose model is destroyed does not start any more. Proxmox VE has them since 9.1.15.',
  noun: "CPU model",
  path: "/cluster/qemu/custom-cpu-models/{cputype}",
  file: "cpu-models.conf",
  identity: ["name"],
  // The call for one model leaves out what is `0` (qemu-server: src/PVE/QemuServer/CPUConfig.pm, `get_custom_model`).
  isListOnly: true,
  plannedAs: "cpu_model",
  listedId: ({ cputype }) => ({ name: bare(cputype) }),
  attributes,
  plan: checkModel,
});

const models = oncePerRun(async (api: Session) => {
  const { nodes, isOnline } = await api.inventory.snapshot();
  const node = [...nodes.keys()].find(isOnline);
  return node === undefined ? null : (await api.nodes.listCpuModels(node)).filter(({ custom }) => !custom);
});

/** PVE's own list has a hundred names, and grows with QEMU. */
async function checkModel(
  { config: { reported_model: model }, changes, report }: PlanContext<typeof attributes, object, Session>,
  api: Session,
): Promise<void> {
  if (model === undefined || !changes.has("reported_model")) return;
  const known = (await models(api))?.map(({ name }) => name);
  if (known === undefined || known.length === 0 || known.includes(model)) return;
  const detail = `Proxmox VE knows no model \`${model}\`. ${alternatives(model, new Set(known))}`;
  report.error("reported_model", "No such CPU model", detail);
}
