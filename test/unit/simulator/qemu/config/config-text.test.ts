import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { configDigest, configText } from "../../../../../src/simulator/qemu/config/config-text.ts";

const empty = { config: {}, pending: { set: {}, delete: {} }, cloudinit: {}, snapshots: {} };

describe("the file", () => {
  test("has the options by name, then pending changes, cloud-init and the snapshots", () => {
    const text = configText({
      config: { name: "a", memory: "512", description: "one\ntwo: 50 %\nü\n\n" },
      pending: { set: { cores: "2" }, delete: { tags: 1, scsi1: 2 } },
      cloudinit: { name: "b" },
      snapshots: { z: { snaptime: "2" }, a: { description: "first", snaptime: "1" } },
    });
    expect(text).toBe(
      [
        "#one",
        "#two%3A 50 %25",
        "#%C3%BC",
        "memory: 512",
        "name: a",
        "",
        "[PENDING]",
        "cores: 2",
        "delete: !scsi1,tags",
        "",
        "[special:cloudinit]",
        "name: b",
        "",
        "[a]",
        "#first",
        "snaptime: 1",
        "",
        "[z]",
        "snaptime: 2",
        "",
      ].join("\n"),
    );
  });

  test("shows an empty description only as a pending change", () => {
    expect(configText({ ...empty, config: { description: "" } })).toBe("");
    expect(configText({ ...empty, pending: { set: { description: "" }, delete: {} } })).toBe("\n[PENDING]\n#\n");
  });
});

describe("the digest", () => {
  test("is the SHA-1 of the file", () => {
    const conf = { ...empty, config: { lock: "clone", description: " qmclone temporary file" } };
    expect(configText(conf)).toBe("# qmclone temporary file\nlock: clone\n");
    expect(configDigest(conf)).toBe("eb54fb9d9f120ba0c3bdf694f73b10002c375c38");
    expect(configDigest(empty)).toBe(createHash("sha1").digest("hex"));
  });

  test.each([
    ["a value", { config: { memory: "1024" } }],
    ["a waiting value", { pending: { set: { memory: "1024" }, delete: {} } }],
    ["a snapshot", { snapshots: { a: { snaptime: "1" } } }],
    ["what is on the cloud-init drive", { cloudinit: { name: "x" } }],
  ])("changes with %s", (_, change) => {
    expect(configDigest({ ...empty, ...change })).not.toBe(configDigest(empty));
  });
});
