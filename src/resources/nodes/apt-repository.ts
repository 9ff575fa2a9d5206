import {
  alternatives,
  bool,
  bpg,
  checkPrivileges,
  checkReference,
  defineResource,
  Failure,
  int,
  list,
  movesFrom,
  oncePerRunFor,
  type PlanContext,
  provenWrite,
  type Session,
  string,
  withDigest,
} from "#kit";
import { findEntry, parsePlace } from "./apt-entries.ts";
import { node } from "./node-attribute.ts";

const fact = <T>(type: T, doc: string) =>
  ({ type, mode: "computed", keep: true, instead: "Set `repository`.", doc }) as const;

const attributes = {
  node,
  repository: {
    type: string({
      check: (text) =>
        /^[a-z-]+$/.test(text) || parsePlace(text)
          ? undefined
          : "Must be a standard repository such as `no-subscription`, or a file and the position in it, such as `/etc/apt/sources.list#0`.",
    }),
    mode: "required",
    replace: true,
    doc: "A standard repository by its handle (`enterprise`, `no-subscription`, `test`, `ceph-squid-no-subscription` …), which is added if the node does not have it; or an entry of a file by its position, such as `/etc/apt/sources.list#0`.",
  },
  enabled: {
    type: bool(),
    mode: "optional_computed",
    keep: true,
    undo: "ignore",
    doc: "Whether packages are taken from it. Left out: a repository that is taken over or added is enabled; otherwise it stays as it is.",
  },
  path: fact(string(), "File that has the entry."),
  index: fact(int(), "Position of the entry in its file, from 0."),
  types: fact(list(string()), "Kinds of packages: `deb`, `deb-src`."),
  uris: fact(list(string()), "Addresses."),
  suites: fact(list(string()), "Releases, such as `trixie`."),
  components: fact(list(string()), "Components, such as `pve-no-subscription`."),
} as const;

/** What a destroy puts back. Null: not known, after an import. */
interface Before {
  wasEnabled: boolean | null;
}

const unknownBefore: Before = { wasEnabled: null };

/** `proxmox_apt_repository`. Server side: pve-manager `PVE/API2/APT.pm`, proxmox-apt `src/repositories`. */
export const aptRepository = defineResource({
  type: "proxmox_apt_repository",
  subcategory: "Nodes",
  doc: "A package repository of a node, enabled or not. Proxmox VE can add its standard repositories, and can switch any entry, but removes none: destroying the resource puts the entry back as it was, and disables one that was added.",
  attributes,
  identity: ["node", "repository"],
  moves: movesFrom({ attributes, identity: ["node", "repository"], noun: "package repository" }, [
    bpg("apt_standard_repository", { node: "node", repository: "handle" }),
    bpg("apt_repository", {
      node: "node",
      repository: (old) => {
        const [path, index] = [old.text("file_path"), old.number("index")];
        return path === undefined || index === undefined ? undefined : `${path}#${index}`;
      },
      enabled: "enabled",
    }),
  ]),
  privateState: unknownBefore,
  label: ({ node: name, repository }) => `package repository "${repository}" of node "${name}"`,
  plan: planRepository,

  async create({ api, desired, privateState, signal }) {
    const { node: name, repository, enabled = true } = desired;
    const before = findEntry(await api.apt.list(name, { signal }), repository);
    privateState.wasEnabled = before?.entry.Enabled ?? false;
    await switchTo(api, { node: name, repository }, enabled, signal);
    return { node: name, repository };
  },

  async read({ api, id, signal }) {
    const found = findEntry(await api.apt.list(id.node, { signal }), id.repository);
    if (found === null) return null;
    const { path, index, entry } = found;
    return {
      ...id,
      enabled: entry.Enabled,
      path,
      index,
      types: entry.Types,
      uris: entry.URIs,
      suites: entry.Suites,
      components: entry.Components ?? [],
    };
  },

  async update({ api, id, desired, signal }) {
    if (desired.enabled !== undefined) await switchTo(api, id, desired.enabled, signal);
  },

  async delete({ api, id, privateState, signal }) {
    const isThere = findEntry(await api.apt.list(id.node, { signal }), id.repository) !== null;
    if (isThere && privateState.wasEnabled !== null) await switchTo(api, id, privateState.wasEnabled, signal);
  },

  import({ id }) {
    const [, name = "", rest = ""] = /^([^/]+)\/+(.+)$/.exec(id) ?? [];
    const repository = rest.includes("/") || rest.includes("#") ? `/${rest}` : rest;
    if (name === "" || (!/^[a-z-]+$/.test(repository) && parsePlace(repository) === null)) {
      const forms = "`pve1/no-subscription` or `pve1/etc/apt/sources.list#0`";
      throw new Failure(
        "Invalid import ID",
        `"${id}" is not of the form NODE/HANDLE or NODE/PATH#INDEX, such as ${forms}.`,
      );
    }
    return { node: name, repository };
  },
});

interface Id {
  readonly node: string;
  readonly repository: string;
}

/** Adds a standard repository that is not there, and switches one that is. */
async function switchTo(api: Session, id: Id, enabled: boolean, signal: AbortSignal): Promise<void> {
  const { node: name, repository } = id;
  const read = () => api.apt.list(name, { signal });
  await withDigest(api, read, async (now) => {
    const found = findEntry(now, repository);
    if (found?.entry.Enabled === enabled) return;
    const write = () =>
      found === null
        ? api.apt.add(name, repository, now.digest, { signal })
        : api.apt.set(name, { path: found.path, index: found.index, enabled }, now.digest, { signal });
    const isDone = async () => findEntry(await read(), repository)?.entry.Enabled === (found === null ? true : enabled);
    await provenWrite(api, { write, isDone, signal });
  });
  // Adding enables, too.
  if (!enabled && findEntry(await read(), repository)?.entry.Enabled) await switchTo(api, id, enabled, signal);
}

const repositoriesOf = oncePerRunFor((api: Session, name: string) => api.apt.list(name));

async function planRepository({
  api,
  config,
  prior,
  changes,
  report,
  set,
}: PlanContext<typeof attributes, Before, Session>): Promise<void> {
  const { node: name, repository } = config;
  if (prior === null && config.enabled === null) set("enabled", true);
  if (api === undefined || name === undefined || repository === undefined || changes.size === 0) return;
  if (!(await checkReference(api, report, { kind: "node", name, path: "node" }))) return;
  const need = (privilege: string) => ({ privileges: [privilege], paths: [`/nodes/${name}`], attribute: null });
  const isAllowed = await checkPrivileges({ api, report, needs: [need("Sys.Modify"), need("Sys.Audit")] });
  if (prior !== null || !isAllowed) return;
  const known = await repositoriesOf(api, name);
  const handles = known["standard-repos"].map(({ handle }) => handle);
  if (handles.includes(repository) || findEntry(known, repository) !== null) return;
  const entries = known.files.flatMap(({ path, repositories }) => repositories.map((_, index) => `${path}#${index}`));
  const choice = parsePlace(repository) ? entries : handles;
  const detail = `Node \`${name}\` has no repository \`${repository}\`. ${alternatives(repository, choice)}`;
  report.error("repository", "No such package repository", detail);
}
