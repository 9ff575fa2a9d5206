import { allOf, given, optionsIn } from "./fields.ts";
import type { Fields, Reader } from "./reader.ts";

/** Sections of the cluster's files: their lists are whole, or each is read on its own. */
export async function exportSections(reader: Reader, anyNode: string): Promise<Fields> {
  const [resources, rules, backup, sync, replication, models, metrics] = await Promise.all([
    reader.list("/cluster/ha/resources"),
    reader.list("/cluster/ha/rules"),
    reader.list("/cluster/backup"),
    reader.list("/cluster/jobs/realm-sync"),
    reader.list("/cluster/replication"),
    reader.list("/cluster/qemu/custom-cpu-models"),
    reader.list("/cluster/metrics/server"),
  ]);
  const each = (path: string, name: string, list: readonly Fields[], drop: readonly string[]) =>
    allOf(list, async (entry) => {
      const whole = await reader.one(path, { [name]: String(entry[name]) });
      return { [name]: entry[name], ...optionsIn(whole ?? entry, [name, ...drop]) };
    });
  return given({
    ha_resources: resources.map((one) => optionsIn(one)),
    ha_rules: rules.map((one) => optionsIn(one, ["order"])),
    backup_jobs: backup.map((one) => optionsIn(one, ["next-run", "type"])),
    realm_sync_jobs: await each("/cluster/jobs/realm-sync/{id}", "id", sync, ["last-run", "next-run", "type"]),
    replication_jobs: replication.map((one) => optionsIn(one, ["guest", "jobnum"])),
    custom_cpu_models: models.map((one) => optionsIn(one)),
    metric_servers: await each("/cluster/metrics/server/{id}", "id", metrics, ["token"]),
    notifications: await exportNotifications(reader),
    acme: await exportAcme(reader),
    mappings: await exportMappings(reader),
    ceph: await exportCeph(reader, anyNode),
  });
}

const endpointKinds = ["gotify", "sendmail", "smtp", "webhook"] as const;

/** Those that come with PVE are there anyway, unless they were changed. */
async function exportNotifications(reader: Reader): Promise<Fields[]> {
  const kinds = [
    ...endpointKinds.map((kind) => ({ type: kind, path: `/cluster/notifications/endpoints/${kind}` })),
    { type: "matcher", path: "/cluster/notifications/matchers" },
  ];
  const lists = await allOf(kinds, async ({ type, path }) =>
    (await reader.list(path))
      .filter(({ origin }) => origin !== "builtin")
      // A webhook's secrets are listed by name only.
      .map((one) => ({ type, ...optionsIn(one, ["origin", "secret"]) })),
  );
  return lists.flat();
}

async function exportAcme(reader: Reader): Promise<Fields> {
  const [accounts, plugins] = await Promise.all([
    reader.list("/cluster/acme/account"),
    reader.list("/cluster/acme/plugins"),
  ]);
  const whole = await allOf(accounts, async ({ name }) => {
    const own = await reader.one("/cluster/acme/account/{name}", { name: String(name) });
    const contact = (own?.["account"] as Fields | undefined)?.["contact"] ?? [];
    return {
      name,
      contact,
      ...given({ directory: own?.["directory"], tos: own?.["tos"], location: own?.["location"] }),
    };
  });
  const own = plugins
    .map((one): Fields => ({ id: one["plugin"], ...optionsIn(one, ["plugin", "data"]) }))
    .filter(({ id, type: _, ...options }) => id !== "standalone" || Object.keys(options).length > 0);
  return given({ accounts: whole, plugins: own });
}

async function exportMappings(reader: Reader): Promise<Fields> {
  const kinds = await allOf(["pci", "usb", "dir"] as const, async (kind) => {
    const list = await reader.list(`/cluster/mapping/${kind}`);
    return [kind, list.map((one) => optionsIn(one, ["type"]))] as const;
  });
  return given(Object.fromEntries(kinds));
}

const poolMembers = ["size", "min_size", "pg_num", "pg_num_min", "pg_autoscale_mode", "target_size_ratio"] as const;

/** Most clusters have no Ceph, and answer with an error. */
async function exportCeph(reader: Reader, node: string): Promise<Fields | undefined> {
  if ((await reader.perhaps("/cluster/ceph/status")) === null) return undefined;
  const pools = await reader.list("/nodes/{node}/ceph/pool", { node });
  return {
    pools: pools.map((pool) =>
      given({
        name: pool["pool_name"],
        ...Object.fromEntries(poolMembers.map((name) => [name, pool[name]])),
        crush_rule: pool["crush_rule_name"],
        application: Object.keys((pool["application_metadata"] ?? {}) as object)[0],
      }),
    ),
  };
}
