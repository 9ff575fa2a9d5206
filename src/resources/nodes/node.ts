import {
  bool,
  defineDataSource,
  Failure,
  found,
  int,
  isPveError,
  list,
  nested,
  notFound,
  nullable,
  type Session,
  string,
  timestamp,
} from "#kit";
import type { AptRepositories } from "#pve";

const repository = {
  path: found(string(), "File that it is in."),
  index: found(int(), "Position in the file, from 0."),
  types: found(list(string()), "`deb` or `deb-src`."),
  uris: found(list(string()), "Addresses."),
  suites: found(list(string()), "Suites, such as `trixie`."),
  components: found(list(string()), "Components, such as `main`."),
  enabled: found(bool(), "Whether packages are taken from it."),
  comment: found(nullable(string()), "Comment in the file."),
} as const;

const standardRepository = {
  handle: found(string(), "What `repository` of `proxmox_apt_repository` takes, such as `no-subscription`."),
  name: found(string(), "Name of it."),
  enabled: found(nullable(bool()), "Whether it is enabled; null: it is not configured."),
} as const;

/** `proxmox_node`. Server side: pve-manager `PVE/API2/Nodes.pm`. */
export const nodeData = defineDataSource({
  type: "proxmox_node",
  subcategory: "Nodes",
  doc: "One node: its versions, hardware, settings, package repositories and certificate. Requires `Sys.Audit` on the node.",
  attributes: {
    name: { type: string(), mode: "required", doc: "Name of the node." },
    version: found(nullable(string()), "Version of Proxmox VE, such as `9.2.3`."),
    kernel: found(nullable(string()), "Kernel that runs."),
    cpus: found(nullable(int()), "Processors."),
    cpu_sockets: found(nullable(int()), "Sockets of processors."),
    cpu_cores: found(nullable(int()), "Cores of one socket."),
    cpu_model: found(nullable(string()), "Model of the processors."),
    memory: found(nullable(int()), "Bytes of memory."),
    booted: found(nullable(string()), "When it was started, in RFC 3339 form, to the minute."),
    time_zone: found(string(), "Time zone."),
    fingerprint: found(nullable(string()), "SHA-256 fingerprint of the certificate that its web server has."),
    cpu_models: found(list(string()), "CPU models for VMs, those of your own among them."),
    machine_types: found(list(string()), "Machine types for VMs."),
    description: found(nullable(string()), "Notes of the node."),
    dns: found(
      nested({
        search_domain: found(nullable(string()), "Domain that is searched for short names."),
        servers: found(list(string()), "Name servers, in the order in which they are asked."),
      }),
      "The node's resolver.",
    ),
    hosts: found(string(), "Content of `/etc/hosts`."),
    repositories: found(list(nested(repository)), "Package repositories, by file and position."),
    standard_repositories: found(list(nested(standardRepository)), "Repositories of Proxmox that can be switched on."),
  },

  async read({ api, config: { name = "" }, signal }) {
    const { nodes } = await api.inventory.snapshot();
    if (!nodes.has(name)) throw notFound({ kind: "node", name, path: "name" }, nodes.keys());
    const at = <T>(look: Promise<T>) => look.catch((reason: unknown) => explain(name, reason));
    const [settings, status, time, certificates, models, machines] = await Promise.all([
      at(settingsOf(api, name, signal)),
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
      cpu_sockets: status.cpuinfo?.sockets ?? null,
      cpu_cores: status.cpuinfo?.cores ?? null,
      cpu_model: status.cpuinfo?.model ?? null,
      memory: status.memory?.total ?? null,
      booted: status.uptime === undefined ? null : timestamp(Math.round((now - status.uptime) / 60) * 60),
      time_zone: String(time["timezone"]),
      fingerprint: used.find((one) => one !== undefined)?.fingerprint ?? null,
      cpu_models: models.map((model) => model.name).sort(),
      machine_types: machines.map(({ id }) => id).sort(),
      ...settings,
    };
  },
});

/** What resources of its own change: the notes, the resolver, the hosts file and the package repositories. */
async function settingsOf(api: Session, node: string, signal: AbortSignal) {
  const read = (path: string) => api.objects("", { path: `/nodes/{node}/${path}` }).get({ node }, { signal });
  const [config, dns, hosts, apt] = await Promise.all([
    read("config"),
    read("dns"),
    read("hosts"),
    api.apt.list(node, { signal }),
  ]);
  const servers = ["dns1", "dns2", "dns3"].flatMap((key) => (dns[key] ? [String(dns[key])] : []));
  return {
    description: config["description"] ? String(config["description"]) : null,
    dns: { search_domain: dns["search"] ? String(dns["search"]) : null, servers },
    hosts: String(hosts["data"] ?? ""),
    repositories: repositoriesIn(apt),
    standard_repositories: apt["standard-repos"].map(({ handle, name, status }) => ({
      ...{ handle, name: name ?? handle, enabled: status ?? null },
    })),
  };
}

const repositoriesIn = ({ files }: AptRepositories) =>
  files.flatMap(({ path, repositories }) =>
    repositories.map(({ Types, URIs, Suites, Components = [], Enabled, Comment }, index) => ({
      ...{ path, index, types: Types, uris: URIs, suites: Suites, components: Components, enabled: Enabled },
      comment: Comment?.trim() || null,
    })),
  );

function explain(name: string, reason: unknown): never {
  if (!isPveError(reason) || reason.kind === "permission") throw reason;
  const detail = `Node \`${name}\` does not answer: ${reason.message}`;
  throw new Failure("Node does not answer", detail, { path: "name", cause: reason });
}
