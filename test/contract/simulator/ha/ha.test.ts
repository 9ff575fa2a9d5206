import { describe, expect, test } from "vitest";
import { lab, labSeed } from "../lab.ts";

const shared = { name: "app", scsi0: "ceph:vm-202-disk-0,size=1G", boot: "order=scsi0" };
const cluster = lab({ ...labSeed, guests: [...labSeed.guests, { vmid: 202, config: shared }] });
const { ask } = cluster;

const started = { sid: "vm:200", state: "started" };

describe("an HA resource", () => {
  test("is a guest that exists", async () => {
    expect(await ask("POST /cluster/ha/resources", { ...started, max_restart: 2, comment: "x" })).toBeNull();
    const { digest, ...resource } = (await ask("GET /cluster/ha/resources/200")) as { digest: string };
    expect(digest).toMatch(/^[0-9a-f]{40}$/);
    expect(resource).toEqual({ sid: "vm:200", type: "vm", state: "started", max_restart: 2, comment: "x" });
    expect(await ask("GET /cluster/resources", { type: "vm" })).toContainEqual(
      expect.objectContaining({ vmid: 200, hastate: "started" }),
    );
  });

  test.each<[Record<string, string>, string]>([
    [{ sid: "vm:999" }, "500 resource 'vm:999' does not exist in cluster"],
    [{ sid: "999" }, "500 unable to detect SID from VMID - VM/CT 999 does not exist"],
    [{ sid: "ct:200" }, "500 resource 'ct:200' - guest with ID 200 is not a container"],
    [{ sid: "vm:x" }, "500 invalid VMID"],
    [{ sid: "200", type: "ct" }, "500 types does not match"],
    [
      { sid: "Foo" },
      "400 Parameter verification failed. | sid: invalid format - value does not look like a valid ha resource id",
    ],
    [{ sid: "200", group: "old" }, "500 invalid parameter 'group': ha groups have been migrated to rules"],
    [
      { sid: "200", state: "paused" },
      "400 Parameter verification failed. | state: value 'paused' does not have a value in the enumeration 'started, stopped, enabled, disabled, ignored'",
    ],
  ])("cannot be %j", async (form, expected) => {
    expect(await ask("POST /cluster/ha/resources", form)).toBe(expected);
  });

  test("is had once, changed and removed", async () => {
    await ask("POST /cluster/ha/resources", started);
    expect(await ask("POST /cluster/ha/resources", started)).toBe(
      "500 create resource failed: resource ID 'vm:200' already defined",
    );
    expect(await ask("PUT /cluster/ha/resources/vm:200", { state: "ignored", delete: "comment" })).toBeNull();
    expect(await ask("GET /cluster/ha/resources")).toMatchObject([{ sid: "vm:200", state: "ignored" }]);
    expect(await ask("DELETE /cluster/ha/resources/vm:200")).toBeNull();
    expect(await ask("DELETE /cluster/ha/resources/vm:200")).toBe(
      "500 cannot delete service 'vm:200', not HA managed!",
    );
    expect(await ask("PUT /cluster/ha/resources/vm:200", { state: "started" })).toBe(
      "500 update resources config failed: no such resource 'vm:200'",
    );
    expect(await ask("GET /cluster/ha/resources/vm:200")).toBe("500 no such resource 'vm:200'");
  });

  test("is read with Sys.Audit and written with Sys.Console", async () => {
    expect(await ask("GET /cluster/ha/resources", undefined, "owner@pve!tk")).toBe(
      "403 Permission check failed (/, Sys.Audit)",
    );
    expect(await ask("POST /cluster/ha/resources", started, "auditor@pve!tk")).toBe(
      "403 Permission check failed (/, Sys.Console)",
    );
  });

  test("belongs to no group any more", async () => {
    expect(await ask("GET /cluster/ha/groups")).toBe("500 cannot index groups: ha groups have been migrated to rules");
    expect(await ask("POST /cluster/ha/groups", { group: "g1", nodes: "pve1" })).toBe(
      "500 cannot create group: ha groups have been migrated to rules",
    );
  });
});

describe("an HA rule", () => {
  const manage = async (...ids: number[]) => {
    for (const id of ids) {
      await ask("POST /cluster/ha/resources", { sid: `vm:${id}`, state: "stopped" });
    }
  };
  const rule = { rule: "r1", type: "node-affinity", resources: "vm:200", nodes: "pve2,pve1:3" };

  test("ties resources to nodes", async () => {
    await manage(200);
    expect(await ask("POST /cluster/ha/rules", { ...rule, strict: 1 })).toBeNull();
    expect(await ask("GET /cluster/ha/rules/r1")).toMatchObject({
      rule: "r1",
      type: "node-affinity",
      resources: "vm:200",
      nodes: "pve1:3,pve2",
      strict: 1,
      order: 1,
    });
    await ask("PUT /cluster/ha/rules/r1", { type: "node-affinity", nodes: "pve1", delete: "strict" });
    expect(await ask("GET /cluster/ha/rules")).toMatchObject([{ nodes: "pve1" }]);
    expect(await ask("GET /cluster/ha/rules", { type: "resource-affinity" })).toEqual([]);
  });

  test.each<[string, Record<string, string>, string]>([
    [
      "of resources HA manages",
      { resources: "vm:999" },
      "500 create ha rule failed: cannot use unmanaged resource(s) vm:999.",
    ],
    ["of nodes that exist", { nodes: "pve9" }, "500 create ha rule failed: cannot use non-existent node(s) pve9."],
    [
      "of a known type",
      { type: "colour" },
      expect.stringMatching(
        /nodes: property is not defined in schema .* type: value 'colour' does not have a value in the enumeration 'node-affinity, resource-affinity'|type: value 'colour' .* nodes: property is not defined/,
      ) as unknown as string,
    ],
    [
      "with the options of its type",
      { type: "resource-affinity" },
      "400 Parameter verification failed. | nodes: property is not defined in schema and the schema does not allow additional properties | oneOf[resource-affinity].affinity: property is missing and it is not optional",
    ],
  ])("is %s", async (_, more, expected) => {
    await manage(200);
    expect(await ask("POST /cluster/ha/rules", { ...rule, ...more })).toEqual(expected);
  });

  test.each<[string, Record<string, string>[], string]>([
    [
      "with fewer than two resources",
      [{ type: "resource-affinity", affinity: "positive", resources: "vm:200" }],
      "rule is ineffective as there are less than two resources",
    ],
    [
      "with more resources than nodes",
      [{ type: "resource-affinity", affinity: "negative", resources: "vm:200,vm:201,vm:202" }],
      "rule defines more resources than available nodes",
    ],
    [
      "that draws one resource twice",
      [rule, { ...rule, nodes: "pve1" }],
      "resource 'vm:200' is already used in another node affinity rule",
    ],
    [
      "that contradicts another",
      [
        { type: "resource-affinity", affinity: "positive", resources: "vm:200,vm:201" },
        { type: "resource-affinity", affinity: "negative", resources: "vm:200,vm:201" },
      ],
      "rule shares two or more resources with a positive resource affinity rule",
    ],
  ])("%s is refused", async (_, rules, expected) => {
    await manage(200, 201, 202);
    const answers = [];
    for (const [index, form] of rules.entries()) {
      answers.push(await ask("POST /cluster/ha/rules", { ...form, rule: `r${index}` }));
    }
    expect(answers.at(-1)).toBe(
      `500 create ha rule failed: 400 Rule 'r${rules.length - 1}' is invalid.\nresources: ${expected}`,
    );
  });

  test("goes when its last resource does", async () => {
    await manage(200);
    await ask("POST /cluster/ha/rules", rule);
    await ask("DELETE /cluster/ha/resources/vm:200");
    expect(await ask("GET /cluster/ha/rules")).toEqual([]);
    expect(await ask("GET /cluster/ha/rules/r1")).toBe("500 no such ha rule 'r1'");
  });
});

describe("the HA manager", () => {
  /** Waits until what it looks at is so; HA acts in rounds of its own. */
  async function until(isTrue: () => boolean): Promise<void> {
    for (let attempt = 0; attempt < 2000 && !isTrue(); attempt++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(isTrue()).toBe(true);
  }
  const vm = () => {
    const guest = cluster.simulator.sim.world.guests[202];
    return guest as NonNullable<typeof guest>;
  };

  test("starts what is to be started, and says so", async () => {
    await ask("POST /cluster/ha/resources", { sid: "vm:202", state: "started" });
    await until(() => vm().run !== undefined);
    const status = (await ask("GET /cluster/ha/status/current")) as Record<string, unknown>[];
    expect(status.find(({ id }) => id === "service:vm:202")).toMatchObject({
      node: "pve1",
      state: "started",
      crm_state: "started",
      request_state: "started",
    });
    expect(status.map(({ type }) => type)).toEqual(["quorum", "master", "fencing", "lrm", "lrm", "service"]);
  });

  test("stops what is to be stopped", async () => {
    await ask("POST /cluster/ha/resources", { sid: "vm:202", state: "started" });
    await until(() => vm().run !== undefined);
    await ask("PUT /cluster/ha/resources/vm:202", { state: "stopped" });
    await until(() => vm().run === undefined);
  });

  test("moves what is asked to move", async () => {
    await ask("POST /cluster/ha/resources", { sid: "vm:202", state: "started" });
    await until(() => vm().run !== undefined);
    expect(await ask("POST /cluster/ha/resources/vm:202/migrate", { node: "pve2" })).toEqual({
      sid: "vm:202",
      "requested-node": "pve2",
    });
    await until(() => vm().node === "pve2" && vm().run !== undefined);
  });

  test("recovers what was on a node that is lost", async () => {
    await ask("POST /cluster/ha/resources", { sid: "vm:202", state: "started" });
    await until(() => vm().run !== undefined);
    await ask("POST /cluster/ha/resources/vm:202/relocate", { node: "pve2" });
    await until(() => vm().node === "pve2");
    Object.assign(cluster.simulator.sim.world.nodes["pve2"] ?? {}, { online: false });
    await until(() => vm().node === "pve1" && vm().run !== undefined);
  });

  test("tries a start that fails on another node, gives up, and starts anew only after it was disabled", async () => {
    Object.assign(vm().config, { hotplug: "memory" });
    await ask("POST /cluster/ha/resources", { sid: "vm:202", state: "started" });
    const state = () => cluster.simulator.sim.world.ha.services["vm:202"]?.state;
    await until(() => state() === "error");
    const { tasks } = cluster.simulator.sim.world;
    const starts = tasks.filter(({ type, exitstatus }) => type === "qmstart" && /NUMA/.test(exitstatus ?? ""));
    expect(starts.map(({ node }) => node)).toEqual(["pve1", "pve1", "pve2", "pve2"]);
    delete vm().config["hotplug"];
    await ask("PUT /cluster/ha/resources/vm:202", { state: "stopped" });
    await ask("PUT /cluster/ha/resources/vm:202", { state: "disabled" });
    await until(() => state() === "stopped");
    await ask("PUT /cluster/ha/resources/vm:202", { state: "started" });
    await until(() => vm().run !== undefined);
  });

  test("leaves alone what is ignored", async () => {
    await ask("POST /cluster/ha/resources", { sid: "vm:202", state: "ignored" });
    expect(await ask("POST /cluster/ha/resources/vm:202/migrate", { node: "pve2" })).toBe(
      "500 resource 'vm:202' is not HA managed",
    );
  });
});
