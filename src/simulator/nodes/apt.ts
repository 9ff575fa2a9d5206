import { createHash } from "node:crypto";
import { endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import { assertDigest } from "../core/sections/section-config.ts";
import { type AptRepository, getNode } from "../core/world/node.ts";
import type { World } from "../core/world/world.ts";

interface StandardRepository {
  readonly name: string;
  readonly path: string;
  readonly component: string;
  readonly host: string;
  readonly product: "pve" | "ceph-squid";
}

const standard = (
  name: string,
  file: string,
  component: string,
  host: string,
  product: "pve" | "ceph-squid" = "pve",
) => ({
  name,
  path: `/etc/apt/sources.list.d/${file}.sources`,
  component,
  host,
  product,
});

/** Repositories with a handle (proxmox-apt: `src/repositories/standard.rs`). */
const standardRepositories: Readonly<Record<string, StandardRepository>> = {
  enterprise: standard("Enterprise", "pve-enterprise", "pve-enterprise", "enterprise"),
  "no-subscription": standard("No-Subscription", "proxmox", "pve-no-subscription", "download"),
  test: standard("Test", "proxmox", "pve-test", "download"),
  "ceph-squid-enterprise": standard("Ceph Squid Enterprise", "ceph", "enterprise", "enterprise", "ceph-squid"),
  "ceph-squid-no-subscription": standard(
    "Ceph Squid No-Subscription",
    "ceph",
    "no-subscription",
    "download",
    "ceph-squid",
  ),
  "ceph-squid-test": standard("Ceph Squid Test", "ceph", "test", "download", "ceph-squid"),
};

const debian: AptRepository = {
  path: "/etc/apt/sources.list",
  types: ["deb"],
  uris: ["http://deb.debian.org/debian"],
  suites: ["trixie"],
  components: ["main", "contrib"],
  enabled: 1,
};

const repositoriesOf = (world: World, name: string): AptRepository[] => getNode(world, name).repositories ?? [debian];

function digestOf(repositories: readonly AptRepository[]): string {
  return createHash("sha256").update(JSON.stringify(repositories)).digest("hex");
}

const ofHandle = ({ path, component }: StandardRepository, repositories: readonly AptRepository[]) =>
  repositories.find((found) => found.path === path && found.components.includes(component));

function describe(world: World, name: string) {
  const repositories = repositoriesOf(world, name);
  const files = Map.groupBy(repositories, ({ path }) => path);
  return {
    digest: digestOf(repositories),
    errors: [],
    files: [...files].map(([path, entries]) => ({
      path,
      "file-type": path.endsWith(".sources") ? "sources" : "list",
      repositories: entries.map(({ path: _, types, uris, suites, components, enabled }) => ({
        Types: types,
        URIs: uris,
        Suites: suites,
        Components: components,
        Enabled: enabled,
        FileType: path.endsWith(".sources") ? "sources" : "list",
      })),
    })),
    infos: [...files].flatMap(([path, entries]) =>
      entries.map((entry, index) => ({
        kind: "origin",
        index,
        path,
        message: entry === debian ? "Debian" : "Proxmox",
      })),
    ),
    "standard-repos": Object.entries(standardRepositories).map(([handle, repository]) => {
      const found = ofHandle(repository, repositories);
      return { handle, name: repository.name, ...(found === undefined ? {} : { status: found.enabled }) };
    }),
  };
}

function add(world: World, name: string, handle: string): void {
  const names = Object.keys(standardRepositories).map((known) => `\`${known}\``);
  const wanted =
    standardRepositories[handle] ?? die(`error: unknown variant \`${handle}\`, expected one of ${names.join(", ")}`);
  const repositories = structuredClone(repositoriesOf(world, name));
  const found = ofHandle(wanted, repositories);
  if (found !== undefined) {
    found.enabled = 1;
  } else {
    const { path, component, host, product } = wanted;
    const uris = [`http${host === "enterprise" ? "s" : ""}://${host}.proxmox.com/debian/${product}`];
    repositories.push({ path, types: ["deb"], uris, suites: ["trixie"], components: [component], enabled: 1 });
  }
  getNode(world, name).repositories = repositories;
}

const digest = string({ optional: true, maxLength: 80 });
const mayRead = { check: ["perm", "/nodes/{node}", ["Sys.Audit"]] } as const;
const mayWrite = { check: ["perm", "/nodes/{node}", ["Sys.Modify"]] } as const;

/** pve-manager `PVE/API2/APT.pm`. Newer packages are those that a test has put there. */
export const aptEndpoints = [
  indexEndpoint("/nodes/{node}/apt", "id", ["changelog", "repositories", "update", "versions"]),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/apt/changelog",
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { node, name: string({ pattern: "[a-z0-9][-+.a-z0-9:]+" }), version: string({ optional: true }) },
    handler: ({ params }) => `${params.name}: no changelog\n`,
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/apt/update",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { node },
    handler: ({ world, node: here }) => getNode(world, here).updates ?? [],
  }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/apt/update",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { node, notify: boolean({ optional: true }), quiet: boolean({ optional: true }) },
    handler: (call) => call.worker("aptupdate", "", (task) => task.print("starting apt-get update")),
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/apt/versions",
    proxyTo: "node",
    permissions: mayRead,
    parameters: { node },
    handler: ({ world }) =>
      [
        ["proxmox-ve", `${world.version.release}.0`],
        ["pve-manager", world.version.version],
        ["pve-qemu-kvm", world.cluster.qemuVersion],
      ].map(([name, version]) => ({
        Package: name,
        Version: version,
        OldVersion: version,
        Arch: "amd64",
        Origin: "Proxmox",
        CurrentState: "Installed",
      })),
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/apt/repositories",
    proxyTo: "node",
    permissions: mayRead,
    parameters: { node },
    handler: ({ world, node: here }) => describe(world, here),
  }),
  endpoint({
    method: "PUT",
    path: "/nodes/{node}/apt/repositories",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { node, handle: string(), digest },
    handler: ({ world, params, node: here }) => {
      assertDigest(digestOf(repositoriesOf(world, here)), params.digest);
      add(world, here, params.handle);
      return null;
    },
  }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/apt/repositories",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { node, path: string(), index: integer(), enabled: boolean({ optional: true }), digest },
    handler: ({ world, params, node: here }) => {
      const repositories = structuredClone(repositoriesOf(world, here));
      assertDigest(digestOf(repositories), params.digest);
      const inFile = repositories.filter(({ path }) => path === params.path);
      if (inFile.length === 0) {
        die(`invalid path - ${params.path}`);
      }
      const chosen = inFile[params.index] ?? die(`invalid index - ${params.index}`);
      chosen.enabled = params.enabled ?? chosen.enabled;
      getNode(world, here).repositories = repositories;
      return null;
    },
  }),
];
