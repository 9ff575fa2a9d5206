import { describe, expect, test } from "vitest";
import { ConfigDraft, type RawConfig } from "#kit";
import { codecOf } from "#pve";

const draftOf = (config: RawConfig) => new ConfigDraft(config, { codecOf });

describe("a draft", () => {
  const writes: [string, RawConfig, [string, string | null, unknown], RawConfig, string[]][] = [
    ["sets a plain option", {}, ["cores", null, 4], { cores: 4 }, []],
    ["sends nothing for an unchanged value", { cores: "4" }, ["cores", null, 4], {}, []],
    ["prints booleans as PVE does", {}, ["onboot", null, false], { onboot: 0 }, []],
    ["deletes an option that is set to nothing", { name: "a" }, ["name", null, null], {}, ["name"]],
    ["deletes nothing that does not exist", {}, ["name", null, ""], {}, []],
    [
      "patches one sub-key and keeps the others",
      { cpu: "host,flags=+aes" },
      ["cpu", "hidden", true],
      { cpu: "host,flags=+aes,hidden=1" },
      [],
    ],
    [
      "keeps unknown sub-keys",
      { net0: "virtio=AA:BB:CC:DD:EE:FF,new=1" },
      ["net0", "tag", 5],
      { net0: "virtio=AA:BB:CC:DD:EE:FF,new=1,tag=5" },
      [],
    ],
    [
      "keeps the MAC address when the model changes",
      { net0: "virtio=AA:BB:CC:DD:EE:FF" },
      ["net0", "model", "e1000"],
      { net0: "e1000=AA:BB:CC:DD:EE:FF" },
      [],
    ],
    ["deletes a line whose last sub-key is removed", { agent: "1" }, ["agent", "enabled", null], {}, ["agent"]],
    ["writes a list in PVE's format", {}, ["tags", null, ["a", "b"]], { tags: "a;b" }, []],
    ["deletes an emptied list", { tags: "a" }, ["tags", null, []], {}, ["tags"]],
    ["treats one blank as empty", { boot: " " }, ["boot", "order", ["scsi0"]], { boot: "order=scsi0" }, []],
  ];
  test.each(writes)("%s", (_, config, [option, key, value], set, removed) => {
    const draft = draftOf(config);
    draft.write({ option, key }, value);
    expect(draft.patch).toEqual({ set, delete: removed });
  });

  test("reads as the resulting configuration", () => {
    const draft = draftOf({ memory: "2048", net0: "virtio,bridge=vmbr0" });
    draft.write({ option: "memory", key: "current" }, 4096);
    draft.set("net0", null);
    expect(draft.read({ option: "memory", key: "current" })).toBe(4096);
    expect(draft.has("net0")).toBe(false);
    expect(draft.config).toEqual({ memory: "4096" });
  });

  test("lists slots family by family, in the order of their numbers, and nothing else", () => {
    const draft = draftOf({
      scsi10: "a:1",
      scsi2: "a:1",
      virtio0: "a:1",
      scsi31: "a:1",
      scsihw: "lsi",
      unused0: "a:1",
    });
    expect(draft.slots({ virtio: 15, scsi: 30 })).toEqual(["virtio0", "scsi2", "scsi10"]);
  });
});
