import { describe, expect, test } from "vitest";
import { parseFileVolume, volumeIdOf, whyUnfit } from "../../../../src/kit/files/file-name.ts";

describe("a name", () => {
  test.each([
    ["iso", "debian.iso"],
    ["iso", "TALOS.IMG"],
    ["vztmpl", "debian-13-standard_13.1-1_amd64.tar.zst"],
    ["vztmpl", "plain.tar"],
    ["import", "noble.qcow2"],
    ["import", "appliance.ova"],
  ] as const)("fits %s: %s", (content, name) => {
    expect(whyUnfit(content, name)).toBeUndefined();
  });

  test.each([
    ["iso", "debian.qcow2", "is named with `.iso` or `.img`"],
    ["iso", ".iso", "is named with"],
    ["vztmpl", "debian.tgz", "`.tar.zst`"],
    ["import", "noble.img", "`.qcow2`"],
    ["import", "NOBLE.QCOW2", "`.qcow2`"],
    ["iso", "größe.iso", "Write `gr__e.iso`"],
    ["iso", "a/b.iso", "Write `a_b.iso`"],
    ["iso", `${"x".repeat(252)}.iso`, "255 are allowed"],
  ] as const)("does not fit %s: %s", (content, name, expected) => {
    expect(whyUnfit(content, name)).toContain(expected);
  });
});

test("a volume id is read as it was made", () => {
  const place = { storage: "local", content: "iso", name: "debian.iso" } as const;
  expect(parseFileVolume(volumeIdOf(place))).toEqual(place);
});

test.each(["local:100/vm-100-disk-0.qcow2", "local:snippets/user.yaml", "local:iso/", "debian.iso", ""])(
  "%s is no such file",
  (text) => {
    expect(parseFileVolume(text)).toBeNull();
  },
);
