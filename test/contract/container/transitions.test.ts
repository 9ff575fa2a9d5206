import { afterAll, beforeAll, test } from "vitest";
import { pathOfOption } from "#kit";
import { attributes } from "../../../src/resources/container/attributes.ts";
import { neverSmaller } from "../transitions/arbitraries.ts";
import type { Tree } from "../transitions/lines.ts";
import { backedUp } from "../transitions/other-users.ts";
import { around, pools } from "../transitions/surroundings.ts";
import { type GuestRules, TransitionRun } from "../transitions/transition-run.ts";
import { transitions } from "./arbitrary-transition.ts";
import { isHarmless, type MeddlingName, meddlings } from "./meddlings.ts";
import { Bench, seed as common, fromImage, rootfs } from "./suite.ts";

let bench: Bench;
let archive: string;

/** Sources with what the common template has not: mount points, settings that are off; and one that is no template. */
const source = (vmid: number, config: Readonly<Record<string, string | number>>) => ({
  vmid,
  type: "lxc",
  node: "pve1",
  config: { arch: "amd64", ostype: "debian", unprivileged: 1, ...config },
});
const sources = [
  source(9101, {
    hostname: "plain",
    template: 1,
    memory: 512,
    swap: 0,
    description: "plain",
    onboot: 0,
    timezone: "UTC",
    nameserver: "192.0.2.1",
    rootfs: "nas:9101/base-9101-disk-0.raw,size=2G",
    mp3: "nas:9101/base-9101-disk-1.raw,mp=/opt,size=1G,backup=0",
  }),
  source(9102, {
    hostname: "model",
    memory: 256,
    cmode: "shell",
    tags: "a;b",
    rootfs: "ceph:vm-9102-disk-0,size=3G,mountoptions=noatime",
    net0: "name=lan,bridge=vmbr1,hwaddr=BC:24:11:00:91:02,tag=9,type=veth",
  }),
];

beforeAll(async () => {
  bench = await Bench.open({
    speed: 2000,
    as: "root@pam",
    seed: { ...common, pools, guests: [...common.guests, ...sources] },
  });
  archive = await backedUp(bench, 9102);
});
afterAll(() => bench.close());

/** `npm run fuzz:containers` for the full run of 1,000. */
const cases = Number(process.env["CASES"] ?? 12);
const seed = Number(process.env["SEED"] ?? 4);

/** One made from an image has to say where its root file system is. */
function written(from: string, name: string, config: Tree): Tree {
  if (from === "archive") return { name, node: "pve1", restore: { archive }, ...config };
  if (from !== "image") return { name, clone: { template: from, ...(from === "plain" && { full: true }) }, ...config };
  const { mounts, ...rest } = config;
  const given = (mounts ?? {}) as Tree;
  return { name, ...fromImage, ...rest, mounts: { ...given, rootfs: { ...rootfs, ...(given["rootfs"] as Tree) } } };
}

/** A volume cannot shrink, one that was moved and moved back has another name, and snapshots stay. */
function final(vmid: number): Readonly<Record<string, string>> {
  const { parent: _, ...options } = bench.comparable(vmid);
  const lines = Object.entries(options).map(([option, line]) => [
    option,
    line
      .replace(/,?size=\w+/, "")
      .replace(/(^|,)([\w-]+):[^,]*disk-\d+(?=[.,]|$)(\.raw)?/, "$1$2:disk")
      .replace(/hwaddr=[0-9A-F:]+/i, "hwaddr"),
  ]);
  return { ...Object.fromEntries(lines), ...around(bench, "lxc", vmid) };
}

const rules = (): GuestRules<MeddlingName> => ({
  noun: "container",
  bench,
  resource: bench.container,
  nameOption: "hostname",
  written,
  following: (before, after) => neverSmaller("mounts", before, after),
  meddle: (what, vmid) => meddlings[what](bench, vmid),
  isUndoable: ({ steps }) => steps.every(({ meddling }) => isHarmless(meddling)),
  final,
  isSaid: (option, staying) => staying.includes(pathOfOption(attributes, option)?.[0] ?? option),
  isOwn: (volid, vmid) => new RegExp(`\\b(vm|subvol)-${vmid}-`).test(volid),
});

test(
  "a container that runs or not can be changed into any other, whatever others have done to it",
  () => new TransitionRun(rules()).run(transitions, cases, seed),
  60_000 + cases * 10_000,
);
