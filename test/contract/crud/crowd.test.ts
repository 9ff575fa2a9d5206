import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Input, Instance, ManagedResource } from "../../harness/index.ts";
import { ResourceBench } from "../resource-bench.ts";
import { crowdedSeed, crowds, prepareCrowd } from "./copies.ts";

/** Half a hundred in two halves, so that some are created and removed while others change. */
const half = 25;

let bench: ResourceBench;
/** Locks of files that a call found taken. */
const taken: string[] = [];

beforeAll(async () => {
  bench = await ResourceBench.open({ as: "root@pam", seed: crowdedSeed() });
  const { locks, world } = bench.simulator.sim;
  prepareCrowd(world);
  const tryAcquire = locks.tryAcquire.bind(locks);
  locks.tryAcquire = (key, isShared) => {
    const release = tryAcquire(key, isShared);
    if (release === undefined) taken.push(key);
    return release;
  };
});
afterEach(async () => {
  taken.length = 0;
  await bench.configure();
});
afterAll(() => bench.close());

interface Member {
  readonly resource: ManagedResource;
  readonly config: Record<string, Input>;
  readonly changed: Record<string, Input>;
}

interface Change {
  readonly member: Member;
  readonly config: Record<string, Input>;
  readonly prior?: Instance;
}

const creations = (members: readonly Member[]): Change[] =>
  members.map((member) => ({ member, config: member.config }));

const changes = (members: readonly Member[], made: readonly Instance[]): Change[] =>
  members.map((member, index) => ({ member, config: member.changed, prior: made[index] as Instance }));

/** All are planned before the first is applied, as Terraform does it. */
async function apply(wanted: readonly Change[]): Promise<Instance[]> {
  const plans = await Promise.all(
    wanted.map(({ member: { resource }, config, prior = null }) => resource.plan(prior, config)),
  );
  return Promise.all(plans.map((plan, index) => (wanted[index] as Change).member.resource.apply(plan)));
}

/** Objects of every type that a file holds, in turns. */
function membersOf(file: string): Member[] {
  const kinds = [
    ...crowds.filter((one) => one.file === file),
    ...(file === "user.cfg" ? [aclEntries] : []),
    ...(file === "the firewall of the cluster" ? [aliases] : []),
  ];
  const rounds = Array.from({ length: 2 * half }, (_, index) => index + 1);
  const all = rounds.flatMap((n) => kinds.filter(({ most }) => n <= most).map((kind) => ({ kind, n })));
  return all.slice(0, 2 * half).map(({ kind: { type, of, changed }, n }) => ({
    ...{ resource: bench.resource(type), config: of(n), changed: changed(n) },
  }));
}

const aclEntries = {
  type: "proxmox_acl",
  of: (n: number) => ({ path: `/vms/${5000 + n}`, role: "PVEAuditor", user: "terraform@pve" }),
  changed: (n: number) => ({ path: `/vms/${5000 + n}`, role: "PVEAuditor", user: "terraform@pve", propagate: false }),
  most: Number.POSITIVE_INFINITY,
};

const aliases = {
  type: "proxmox_firewall_alias",
  of: (n: number) => ({ name: `net${n}`, cidr: `198.51.100.${n}` }),
  changed: (n: number) => ({ name: `net${n}`, cidr: `198.51.100.${n}`, comment: "changed" }),
  most: Number.POSITIVE_INFINITY,
};

const files = [...new Set(crowds.map(({ file }) => file)), "the firewall of the cluster"];

describe.each(files)("50 objects in %s", (file) => {
  test("are created, changed and removed at once, and none finds the file locked", async () => {
    const members = membersOf(file);
    const [first, second] = [members.slice(0, half), members.slice(half)];
    const destroy = (made: Instance[], from: Member[]) =>
      from.map(({ resource }, index) => resource.destroy(made[index] as Instance));

    const made = await apply(creations(first));
    const both = await apply([...changes(first, made), ...creations(second)]);
    const [changed, others] = [both.slice(0, first.length), both.slice(first.length)];
    const [rest] = await Promise.all([apply(changes(second, others)), Promise.all(destroy(changed, first))]);
    await Promise.all(destroy(rest, second));
    expect(taken).toEqual([]);
  });
});

test("50 objects are created while another client has the lock of their file most of the time", async () => {
  const { locks, clock } = bench.simulator.sim;
  let isOver = false;
  const other = (async () => {
    while (!isOver) {
      const release = await locks.acquire("file-user_cfg", false, 10);
      await clock.sleep(4);
      release?.();
      await clock.sleep(1);
    }
  })();
  const members = membersOf("user.cfg");
  const made = await apply(creations(members));
  isOver = true;
  await other;
  expect(taken.length).toBeGreaterThan(0);
  await Promise.all(members.map(({ resource }, index) => resource.destroy(made[index] as Instance)));
});
