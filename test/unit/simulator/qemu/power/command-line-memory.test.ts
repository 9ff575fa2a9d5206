import { describe, expect, test } from "vitest";
import { checkMemory } from "../../../../../src/simulator/qemu/power/command-line-memory.ts";

const plug = { hotplug: "memory", numa: "1" };

describe("the memory a VM starts with", () => {
  test.each([
    [{}],
    [{ memory: "16" }],
    [{ ...plug, memory: "1024" }],
    [{ ...plug, memory: "4096" }],
    [{ ...plug, memory: String(1024 + 32 * 512 + 1024) }],
    [{ memory: "1024", numa: "1", numa0: "cpus=0,memory=512", numa1: "cpus=1,memory=512" }],
  ])("may be %j", (config: Record<string, string>) => {
    expect(() => checkMemory(config)).not.toThrow();
  });

  test.each<[Record<string, string>, string]>([
    [{ hotplug: "memory", memory: "2048" }, "NUMA needs to be enabled for memory hotplug"],
    [{ ...plug, memory: "512" }, "minimum memory must be 1024MB"],
    [{ ...plug, memory: "524800" }, "Total memory is bigger than 524288MB"],
    [{ ...plug, memory: "1100" }, "memory size (1100) must be aligned to 512 for hotplugging"],
    [{ ...plug, memory: String(1024 + 32 * 512 + 512) }, "memory size (17920) must be aligned to 1024 for hotplugging"],
    [
      { ...plug, memory: "2048", numa0: "cpus=0,memory=2048" },
      "cannot enable memory hotplugging with custom NUMA topology",
    ],
    [{ ...plug, memory: "2048", virtiofs0: "share" }, "Memory hotplug does not work in combination with virtio-fs."],
    [{ hugepages: "2" }, "numa needs to be enabled to use hugepages"],
    [{ numa: "1", numa0: "cpus=0" }, "missing NUMA node0 memory value"],
    [{ numa: "1", numa0: "cpus=0,memory=512,hostnodes=0" }, "you need to define a policy for hostnode 0"],
    [
      { numa: "1", memory: "1024", numa0: "cpus=0,memory=512" },
      "total memory for NUMA nodes must be equal to vm static memory",
    ],
  ])("may not be %j", (config, complaint) => {
    expect(() => checkMemory(config)).toThrow(complaint);
  });
});
