import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { poorUser, type Rights, RightsBench, withoutEach } from "../vm/rights-bench.ts";

let bench: RightsBench;

beforeAll(async () => {
  bench = await RightsBench.open();
});
beforeEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const type = "proxmox_disk";
const config = { storage: "local-lvm", node: "pve1", name: "data", size: "4G" };
const volume = "local-lvm:vm-900000000-data";
const storage = "/storage/local-lvm";
const attach = async () => {
  const vm = { name: "db", vmid: 700, node: "pve1", power: "stopped", disks: { scsi1: { volume } } };
  await (await bench.as(bench.simulator.tokens["root@pam!admin"] ?? "")).create(vm);
};

test.each<[string, () => Promise<void>, Rights, Rights]>([
  [
    "no VM has",
    async () => undefined,
    {
      "/vms": "VM.Allocate VM.Config.Disk VM.Config.Options",
      [storage]: "Datastore.Allocate Datastore.AllocateSpace",
    },
    {},
  ],
  [
    "no VM has, and whose owner is the caller's",
    async () => undefined,
    {
      "/vms": "VM.Allocate VM.Config.Disk VM.Config.Options",
      [storage]: "Datastore.Audit Datastore.AllocateSpace",
    },
    {},
  ],
  [
    "a VM has",
    attach,
    { "/vms/700": "VM.Config.Disk", [storage]: "Datastore.AllocateSpace" },
    { "/vms/700": "VM.Audit", "/vms/900000000": "VM.Config.Disk", [storage]: "Datastore.Audit" },
  ],
])("growing a disk that %s takes these privileges, which the plan checks", async (_, prepare, rights, always) => {
  const root = await bench.as(bench.simulator.tokens["root@pam!admin"] ?? "", { type });
  const made = await root.create(config);
  await prepare();
  const data = await root.refresh(made);
  const wanted = { ...config, size: "6G" };
  // To see the disk and the VM takes privileges of its own.
  const plus = (some: Rights) =>
    Object.fromEntries(
      [...new Set([...Object.keys(some), ...Object.keys(always)])].map((path) => [
        path,
        [some[path], always[path]].filter(Boolean).join(" "),
      ]),
    );
  for (const { path, privilege, left } of withoutEach(rights)) {
    const poor = await bench.poor(plus(left), { type });
    const refusal = await poor.plan(data, wanted).then(
      () => "the plan was made",
      (reason: Error) => reason.message,
    );
    expect(refusal, `without ${privilege} on ${path}`).toMatch(
      new RegExp(`${path.replace("/700", "")}\\S*: .*${privilege}`),
    );
    const careless = await bench.poor(plus(left), { type, permission_check: "off" });
    await expect(careless.update(data, wanted), `without ${privilege} on ${path}`).rejects.toThrow("403");
  }
  await (await bench.poor(plus(rights), { type })).update(data, wanted);
  const grown = bench.simulator.sim.world.volumes.find(({ volid }) => volid === volume);
  expect(grown?.size).toBe(6 * 2 ** 30);
  const left = Object.values(bench.simulator.sim.world.guests).map((guest) => guest.config["name"]);
  expect(left).not.toContainEqual(expect.stringContaining("grow-disk"));
});

const iso = { storage: "local", node: "pve1", content: "iso", name: "x.iso", text: "x" };

test.each<[string, Input, Record<string, Input>]>([
  [type, config, { disks: { scsi1: { volume } } }],
  ["proxmox_file", iso, { cdroms: { ide0: { file: "local:iso/x.iso" } } }],
])("a VM has no error about a missing volume if a %s lacks privileges", async (refused, object, use) => {
  const ofVms = "VM.Allocate VM.Audit VM.Config.CDROM VM.Config.Disk VM.Config.Options VM.PowerMgmt";
  await bench.poor({ "/vms": ofVms, "/storage": "Datastore.Audit" });
  const secret = bench.simulator.sim.world.access.users[poorUser]?.tokens["tf"]?.secret;
  await bench.configure("", { api_token: `${poorUser}!tf=${secret}` });
  await expect(bench.resource(refused).plan(null, object)).rejects.toThrow("Datastore.Allocate");
  const message = await bench
    .resource("proxmox_vm")
    .plan(null, { name: "db", vmid: 700, node: "pve1", ...use })
    .then(
      () => "",
      (reason: Error) => reason.message,
    );
  expect(message).not.toContain("No such");
});
