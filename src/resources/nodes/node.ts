import { defineDataSource, Failure, found, int, isPveError, list, nullable, string, timestamp } from "#kit";

/** `proxmox_node`. Server side: pve-manager `PVE/API2/Nodes.pm`. */
export const nodeData = defineDataSource({
  type: "proxmox_node",
  subcategory: "Nodes",
  doc: "One node: its versions, hardware, time zone and certificate. Requires `Sys.Audit` on the node.",
  attributes: {
    name: { type: string(), mode: "required", doc: "Name of the node." },
    version: found(nullable(string()), "Version of Proxmox VE, such as `9.2.3`."),
    kernel: found(nullable(string()), "Kernel that runs."),
    cpus: found(nullable(int()), "Processors."),
    cpu_model: found(nullable(string()), "Model of the processors."),
    memory: found(nullable(int()), "Bytes of memory."),
    booted: found(nullable(string()), "When it was started, in RFC 3339 form, to the minute."),
    time_zone: found(string(), "Time zone."),
    fingerprint: found(nullable(string()), "SHA-256 fingerprint of the certificate that its web server has."),
    cpu_models: found(list(string()), "CPU models for VMs, those of your own among them."),
    machine_types: found(list(string()), "Machine types for VMs."),
  },

  async read({ api, config: { name = "" }, signal }) {
    const at = <T>(look: Promise<T>) => look.catch((reason: unknown) => explain(name, reason));
    const [status, time, certificates, models, machines] = await Promise.all([
      at(api.nodes.getStatus(name, { signal })),
      at(api.objects("", { path: "/nodes/{node}/time" }).get({ node: name }, { signal })),
      at(api.certificates.list(name, { signal })),
      at(api.nodes.listCpuModels(name, { signal })),
      at(api.nodes.listMachineTypes(name, { signal })),
    ]);
    const used = ["pveproxy-ssl.pem", "pve-ssl.pem"].map((file) =>
      certificates.find(({ filename }) => filename === file),
    );
    const now = Number(time["time"]);
    return {
      version: status.pveversion?.split("/")[1] ?? null,
      kernel: typeof status["kversion"] === "string" ? status["kversion"] : null,
      cpus: status.cpuinfo?.cpus ?? null,
      cpu_model: status.cpuinfo?.model ?? null,
      memory: status.memory?.total ?? null,
      booted: status.uptime === undefined ? null : timestamp(Math.round((now - status.uptime) / 60) * 60),
      time_zone: String(time["timezone"]),
      fingerprint: used.find((one) => one !== undefined)?.fingerprint ?? null,
      cpu_models: models.map((model) => model.name).sort(),
      machine_types: machines.map(({ id }) => id).sort(),
    };
  },
});

function explain(name: string, reason: unknown): never {
  if (!isPveError(reason) || reason.kind === "permission") throw reason;
  const detail = `Node \`${name}\` does not answer: ${reason.message}`;
  throw new Failure("Node does not answer", detail, { path: "name", cause: reason });
}
