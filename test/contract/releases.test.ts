import { describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { ResourceBench } from "./resource-bench.ts";

const cases = [["proxmox_cpu_model", { name: "small", reported_model: "kvm64" }]] as const;

const openRelease = (version: string, release: string) =>
  ResourceBench.open({ seed: { ...(defaultSeed() as object), version: { version, release, repoid: "0" } } });

describe.each(cases)("%s", (type, config) => {
  test("is refused in the plan by a host that does not have it yet", async () => {
    const bench = await openRelease("9.0.11", "9.0");
    try {
      await expect(bench.resource(type).plan(null, config)).rejects.toThrow("since 9.1, and the host has 9.0");
    } finally {
      await bench.close();
    }
  });

  test("is planned for the first release that has it", async () => {
    const bench = await openRelease("9.1.6", "9.1");
    try {
      expect((await bench.resource(type).plan(null, config)).action).toBe("create");
    } finally {
      await bench.close();
    }
  });
});
