import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Input, type ManagedResource, unknown } from "../../harness/index.ts";
import { FirewallBench } from "./firewall-bench.ts";

let bench: FirewallBench;
let options: ManagedResource;

beforeAll(async () => {
  bench = await FirewallBench.start();
  options = bench.resource("proxmox_firewall_options");
});
afterEach(async () => {
  bench.simulator.faults.clear();
  for (const key of Object.keys(bench.files)) delete bench.files[key];
  await bench.configure();
});
afterAll(() => bench.close());

type Values = Record<string, readonly [Input, Input]>;

const levels = ["info", "debug"] as const;
const policies = ["ACCEPT", "DROP"] as const;

/** For each scope, two values of each option. */
const scopes: [kind: string, id: string, base: Record<string, Input>, values: Values][] = [
  [
    "cluster",
    "cluster",
    {},
    {
      ebtables: [false, true],
      policy_in: ["ACCEPT", "REJECT"],
      policy_out: ["REJECT", "DROP"],
      policy_forward: policies,
      log_ratelimit: [
        { enabled: true, rate: "5/minute" },
        { enabled: false, burst: 9 },
      ],
    },
  ],
  [
    "node",
    "node/pve2",
    { node: "pve2" },
    {
      enabled: [false, true],
      log_level_in: levels,
      log_level_out: levels,
      log_level_forward: levels,
      log_nf_conntrack: [true, false],
      ndp: [false, true],
      nf_conntrack_allow_invalid: [true, false],
      nf_conntrack_helpers: [["ftp"], ["sip", "ftp"]],
      nf_conntrack_max: [40_000, 50_000],
      nf_conntrack_tcp_timeout_established: [8000, 9000],
      nf_conntrack_tcp_timeout_syn_recv: [30, 40],
      nftables: [true, false],
      nosmurfs: [false, true],
      protection_synflood: [true, false],
      protection_synflood_burst: [10, 20],
      protection_synflood_rate: [10, 20],
      smurf_log_level: levels,
      tcp_flags_log_level: levels,
      tcpflags: [true, false],
    },
  ],
  [
    "guest",
    "guest/102",
    { vmid: 102 },
    {
      enabled: [true, false],
      policy_in: ["ACCEPT", "REJECT"],
      policy_out: ["REJECT", "DROP"],
      log_level_in: levels,
      log_level_out: levels,
      dhcp: [true, false],
      ipfilter: [true, false],
      macfilter: [false, true],
      ndp: [false, true],
      radv: [true, false],
    },
  ],
];

describe.each(scopes)("options of a %s", (kind, id, base, values) => {
  test("are set, each changed and unset alone, imported and unset", async () => {
    let now = await options.create({ [kind]: base });
    for (const [name, [first, second]] of Object.entries(values)) {
      now = await options.update(now, { [kind]: { ...base, [name]: first } });
      now = await options.update(now, { [kind]: { ...base, [name]: second } });
      now = await options.update(now, { [kind]: base });
      expect(bench.files[id]?.options ?? {}, `${name} is unset`).toEqual({});
    }
    const all = Object.fromEntries(Object.entries(values).map(([name, [, second]]) => [name, second]));
    now = await options.update(now, { [kind]: { ...base, ...all } });
    await options.expectSettled(await options.import({ id }), { [kind]: { ...base, ...all } });
    await options.destroy(now);
    expect(bench.files[id]).toBeUndefined();
  });

  test("survive answers that are lost, and another client", async () => {
    const [name = "", [first, second] = [null, null]] = Object.entries(values)[0] ?? [];
    const now = await options.create({ [kind]: { ...base, [name]: first } });
    const call = "PUT *";
    bench.simulator.faults.order({ do: "answer", call, status: 596, after: 1 });
    const next = await options.update(now, { [kind]: { ...base, [name]: second } });
    const reason = "detected modified configuration - file changed by other user? Try again.";
    bench.simulator.faults.order({ do: "answer", call, status: 500, reason });
    await options.update(next, { [kind]: { ...base, [name]: first } });
  });
});

test("of the cluster enable its firewall after all other changes of the same run", async () => {
  const rules = await bench.rules.plan(null, {
    rules: [
      { type: "in", action: "ACCEPT", macro: "SSH" },
      { type: "in", action: "DROP" },
    ],
  });
  const plan = await options.plan(null, { cluster: { enabled: true } });
  const calls = await bench.writes(() => Promise.all([options.apply(plan), bench.rules.apply(rules)]));
  expect(calls.at(-1)).toBe("PUT /cluster/firewall/options");
  expect(calls.filter((call) => call.endsWith("/options"))).toHaveLength(1);
  expect(bench.files["cluster"]?.options).toEqual({ enable: "1" });
});

test("of the cluster wait for changes that the plan announced and that begin late", async () => {
  const group = bench.resource("proxmox_firewall_security_group");
  const vm = bench.resource("proxmox_vm");
  const machine = { name: "late", vmid: 611, clone: { template: "ubuntu-24.04-cloud" } };
  const plans = {
    vm: await vm.plan(null, machine),
    rules: await bench.rules.plan(null, { vmid: 611, rules: [{ type: "in", action: "ACCEPT" }] }),
    group: await group.plan(null, { name: "late", rules: [{ type: "in", action: "ACCEPT" }] }),
    options: await options.plan(null, { cluster: { enabled: true } }),
  };
  await bench.configure();
  bench.simulator.faults.order({ do: "slow", task: "qmclone", seconds: 300 });
  const calls = await bench.writes(() =>
    Promise.all([
      options.apply(plans.options),
      vm.apply(plans.vm).then(() => bench.rules.apply(plans.rules)),
      group.apply(plans.group),
    ]),
  );
  expect(calls.filter((call) => call.includes("firewall")).at(-1)).toBe("PUT /cluster/firewall/options");
});

test("of the cluster do not wait for what waits for them", async () => {
  const plan = await options.plan(null, { cluster: { enabled: true } });
  const rules = await bench.rules.plan(null, { rules: [{ type: "in", action: "ACCEPT" }] });
  await bench.configure();
  const calls = await bench.writes(async () => {
    await options.apply(plan);
    await bench.rules.apply(rules);
  });
  expect(calls[0]).toBe("PUT /cluster/firewall/options");
});

test("that were set on trial count as enabled", async () => {
  bench.file("cluster").options = { enable: String(Math.floor(bench.simulator.sim.clock.now())) };
  await options.expectSettled(await options.import({ id: "cluster" }), { cluster: { enabled: true } });
});

test("that are set already and not written are unset, and the plan warns", async () => {
  bench.file("guest/101").options = { policy_in: "ACCEPT", dhcp: "1" };
  const now = await options.create({ guest: { vmid: 101, dhcp: true } });
  expect(bench.files["guest/101"]?.options).toEqual({ dhcp: "1" });
  await options.destroy(now);
});

test("are of exactly one firewall, and another guest means other options", async () => {
  await expect(options.plan(null, {})).rejects.toThrow(/and none is/);
  await expect(options.plan(null, { cluster: {}, guest: { vmid: 101 } })).rejects.toThrow(/`cluster` and `guest` are/);
  const now = await options.create({ guest: { vmid: 101, enabled: true } });
  expect((await options.plan(now, { guest: { vmid: 102, enabled: true } })).action).toBe("replace");
  expect((await options.plan(now, { node: { node: "pve1", enabled: true } })).action).toBe("replace");
});

test("are planned with values that are not known yet", async () => {
  for (const config of [
    { cluster: unknown },
    { guest: { vmid: unknown } },
    { node: { node: "pve1", enabled: unknown } },
  ]) {
    expect((await options.plan(null, config)).action).toBe("create");
  }
});
