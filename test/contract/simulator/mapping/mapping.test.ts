import { describe, expect, test } from "vitest";
import { lab } from "../lab.ts";

const { ask } = lab();

const nic = "node=pve1,id=8086:1521,path=0000:01:00.0,iommugroup=14,subsystem-id=8086:0001";
const samples = [
  ["pci", nic],
  ["usb", "node=pve1,id=0781:5583"],
  ["dir", "node=pve1,path=/srv/share"],
] as const;

describe.each(samples)("a %s mapping", (kind, map) => {
  const path = `/cluster/mapping/${kind}`;

  test("is kept under its id", async () => {
    expect(await ask(`POST ${path}`, { id: "dev1", map, description: "one" })).toBeNull();
    const { digest, ...mapping } = (await ask(`GET ${path}/dev1`)) as { digest: string };
    expect(digest).toMatch(/^[0-9a-f]{40}$/);
    expect(mapping).toEqual({ type: kind, description: "one", map: [map] });
    expect(await ask(`GET ${path}`)).toMatchObject([{ id: "dev1" }]);
  });

  test("is had once, changed and removed", async () => {
    await ask(`POST ${path}`, { id: "dev1", map, description: "one" });
    expect(await ask(`POST ${path}`, { id: "dev1", map })).toBe(
      `500 create ${kind === "dir" ? "directory" : "hardware"} mapping failed: ${kind} ID 'dev1' already defined`,
    );
    expect(await ask(`PUT ${path}/dev1`, { map: map.replace("pve1", "pve2"), delete: "description" })).toBeNull();
    expect(await ask(`GET ${path}/dev1`)).toMatchObject({ map: [map.replace("pve1", "pve2")] });
    expect(await ask(`PUT ${path}/dev1`, { description: "two" })).toBe(
      kind === "usb"
        ? "400 Parameter verification failed. | map: property is missing and it is not optional"
        : `500 update ${kind === "dir" ? "directory" : "hardware"} mapping failed: missing value for required option 'map'`,
    );
    expect(await ask(`DELETE ${path}/dev1`)).toBeNull();
    expect(await ask(`GET ${path}/dev1`)).toBe("500 mapping 'dev1' not found");
    expect(await ask(`PUT ${path}/dev1`, { map })).toContain(`${kind} ID 'dev1' does not exist`);
  });

  test("is seen by those with rights on it", async () => {
    await ask(`POST ${path}`, { id: "dev1", map });
    expect(await ask(`GET ${path}`, undefined, "auditor@pve!tk")).toHaveLength(1);
    expect(await ask(`GET ${path}`, undefined, "nobody@pve!tk")).toEqual([]);
    expect(await ask(`GET ${path}/dev1`, undefined, "nobody@pve!tk")).toBe("403 Permission check failed");
    expect(await ask(`POST ${path}`, { id: "dev2", map }, "auditor@pve!tk")).toBe(
      `403 Permission check failed (/mapping/${kind}, Mapping.Modify)`,
    );
  });
});

describe("what a mapping says about a node", () => {
  test.each([
    ["pci", nic, []],
    ["pci", nic.replace("1521", "1522"), ["'id' does not match for 'dev1' (8086:1521 != 8086:1522)"]],
    ["pci", nic.replace("iommugroup=14,", ""), ["missing expected property 'iommugroup' for device '0000:01:00.0'"]],
    ["pci", nic.replace("01:00.0", "07:00.0"), ["pci device '0000:07:00.0' not found"]],
    ["usb", "node=pve1,id=0781:5583,path=1-2", []],
    ["usb", "node=pve1,id=0781:9999", ["usb device '0781:9999' not found"]],
    ["usb", "node=pve1,id=0781:9999,path=1-2", ["'id' does not match for 'dev1' (0781:5583 != 0781:9999)"]],
  ])("is checked for %s: %s", async (kind, map, problems) => {
    await ask(`POST /cluster/mapping/${kind}`, { id: "dev1", map });
    const [mapping] = (await ask(`GET /cluster/mapping/${kind}`, { "check-node": "pve1" })) as {
      checks?: object[];
      errors?: object[];
    }[];
    expect(kind === "usb" ? mapping?.errors : mapping?.checks).toEqual(
      problems.map((text) => ({ severity: "error", message: `Invalid configuration: ${text}\n` })),
    );
  });

  test("may be nothing", async () => {
    await ask("POST /cluster/mapping/pci", { id: "dev1", map: nic.replace("pve1", "pve2") });
    expect(await ask("GET /cluster/mapping/pci", { "check-node": "pve1" })).toMatchObject([
      { checks: [{ severity: "warning", message: "No mapping for node pve1." }] },
    ]);
    expect(await ask("GET /cluster/mapping/pci", { "check-node": "pve2" })).toBe(
      "500 wrong node to check - pve2 != pve1",
    );
  });

  test.each([
    [
      "pci",
      "node=pve1,id=8086:1521",
      "400 Parameter verification failed. | map[0]: invalid format - format error\nmap[0].path: property is missing and it is not optional",
    ],
    [
      "dir",
      "node=pve1,path=srv",
      "400 Parameter verification failed. | map[0]: invalid format - format error\nmap[0].path: invalid format - Value does not look like a valid absolute path. These symbols are currently not allowed in path: ;,=()",
    ],
  ])("has the form of its kind: %s not %s", async (kind, map, expected) => {
    expect(await ask(`POST /cluster/mapping/${kind}`, { id: "dev1", map })).toBe(expected);
  });
});
