import { describe, expect, it } from "vitest";
import { containerCodecOf, containerCodecs } from "../../../../src/pve/properties/container.ts";
import { containerSlotLimits } from "../../../../src/pve/slots.ts";
import { containerOptions } from "../../../../src/simulator/lxc/options.ts";
import { type JsonObject, scenarios } from "../../../recordings/recording.ts";

describe("options of a container", () => {
  it("have as many slots as PVE", () => {
    for (const [family, highest] of Object.entries(containerSlotLimits)) {
      expect(containerOptions).toHaveProperty(`${family}${highest}`);
      expect(containerOptions).not.toHaveProperty(`${family}${highest + 1}`);
    }
  });

  it.each([
    ["rootfs", containerCodecs.rootfs],
    ["mp0", containerCodecs.mp],
    ["mp255", containerCodecs.mp],
    ["mp256", null],
    ["mp", null],
    ["net31", containerCodecs.net],
    ["net32", null],
    ["features", containerCodecs.features],
    ["rootfs0", null],
    ["hostname", null],
  ])("%s has its codec", (option, codec) => {
    expect(containerCodecOf(option)).toBe(codec);
  });

  it.each([
    [
      "mp0",
      "local-lvm:vm-100-disk-1,mp=/data,backup=1,mountoptions=noatime;nodev,size=8G",
      { mountoptions: ["noatime", "nodev"], size: "8G" },
    ],
    ["mp1", "/srv/share,mp=/share,ro=1,shared=1", { volume: "/srv/share", ro: true, shared: true }],
    [
      "rootfs",
      "local-lvm:vm-100-disk-0,idmap=u:0:100000:1;g:0:100000:1,size=4G",
      { idmap: ["u:0:100000:1", "g:0:100000:1"] },
    ],
    [
      "net0",
      "name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:00:01,ip=dhcp,type=veth",
      { name: "eth0", hwaddr: "BC:24:11:00:00:01" },
    ],
    ["dev0", "/dev/fuse,gid=5,mode=0660", { path: "/dev/fuse", gid: 5, mode: "0660" }],
    ["features", "nesting=1,mount=nfs;cifs", { nesting: true, mount: ["nfs", "cifs"] }],
  ])("%s is read, and printed as it was read", (option, line, values) => {
    const parsed = containerCodecOf(option)?.parse(line) as unknown as { values: object };
    expect(parsed.values).toMatchObject(values);
    expect(String(parsed)).toBe(line);
  });

  it("of every recorded configuration are printed as they were read", () => {
    const lines = [...scenarios().values()].flat().flatMap(({ path = "", expect: answer }) => {
      const data = (answer?.body as JsonObject | null | undefined)?.["data"];
      const isConfig = answer?.status === 200 && /\/lxc\/\d+\/config/.test(path) && data && typeof data === "object";
      return isConfig ? Object.entries(data).filter(([option]) => containerCodecOf(option)) : [];
    });
    expect(lines.length).toBeGreaterThan(50);
    for (const [option, line] of lines) expect(String(containerCodecOf(option)?.parse(String(line)))).toBe(line);
  });
});
