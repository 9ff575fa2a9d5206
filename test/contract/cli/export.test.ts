import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { defaultSeed, startSimulator } from "#simulator";
import { run } from "../../../src/cli/export/export.ts";
import { samplesIn } from "../../../src/cli/export/speeds.ts";
import { encodeUpid } from "../../../src/simulator/core/tasks/upid.ts";
import { labSeed } from "../simulator/lab.ts";
import { type Seen, type, variablesFor } from "./person.ts";
import { richSeed, type Seed } from "./rich-seed.ts";

const folder = mkdtempSync(join(tmpdir(), "export-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Export extends Seen {
  readonly seed: Seed;
}

let files = 0;

/** Exports a cluster with this seed. */
async function exportOf(
  seed: Seed,
  { token, args = [], order }: { token?: string; args?: string[]; order?: string } = {},
): Promise<Export> {
  const untidy = order === undefined ? {} : { untidySeed: order };
  const simulator = await startSimulator({ speed: 100, seed, ...untidy });
  const file = join(folder, `${++files}.json`);
  try {
    const seen = await type(run, ["--out", file, ...args], variablesFor(simulator, token));
    return { ...seen, seed: seen.code === 0 ? JSON.parse(readFileSync(file, "utf8")) : {} };
  } finally {
    await simulator.close();
  }
}

describe("the export of a cluster", () => {
  it.each([
    ["a cluster with everything", richSeed, "root@pam!admin"],
    ["the simulator's own", defaultSeed() as Seed, "root@pam!admin"],
  ])("starts a copy that is exported alike: %s", async (_, seed, token) => {
    const first = await exportOf(seed, { token });
    expect(first).toMatchObject({ code: 0 });
    const second = await exportOf(first.seed, { token });
    expect(second.seed).toEqual(first.seed);
    for (const name of Object.keys(seed).filter((member) => !["bridges", "interfaces", "behaviour"].includes(member))) {
      expect(first.seed, name).toHaveProperty([name]);
    }
  });

  it("is the same text in every order of the answers, and a disabled storage stays disabled", async () => {
    const disabled = { storage: "old", type: "dir", path: "/srv/old", content: ["iso", "backup"], enabled: 0 };
    const seed = { ...richSeed, storages: [...(richSeed["storages"] as object[]), disabled] };
    const orders = ["1", "2", "3", "4", "5", "6"];
    const exports = await Promise.all(orders.map((order) => exportOf(seed, { token: "root@pam!admin", order })));
    expect(new Set(exports.map((one) => JSON.stringify(one.seed))).size).toBe(1);
    expect(exports[0]?.seed["storages"]).toContainEqual(expect.objectContaining({ storage: "old", enabled: 0 }));
  });

  it("has what was made of disks, and addresses of networks", async () => {
    const { seed } = await exportOf(richSeed, { token: "auditor@pve!tk" });
    const [, { disk_pools: pools } = {}] = richSeed["nodes"] as Seed[];
    expect(pools).toHaveLength(4);
    expect((seed["nodes"] as Seed[])[1]).toMatchObject({
      name: "pve2",
      disk_pools: expect.arrayContaining(pools as Seed[]),
    });
    const { addresses } = richSeed["sdn"] as Seed;
    expect(seed["sdn"]).toMatchObject({ addresses });
  });

  it("has the configurations in backups, which a restore needs", async () => {
    const { seed } = await exportOf(richSeed, { token: "root@pam!admin" });
    expect(seed["backups"]).toContainEqual(
      expect.objectContaining({ config: expect.objectContaining({ name: "web" }) }),
    );
  });

  it("has no secret", async () => {
    const { seed } = await exportOf(richSeed, { token: "root@pam!admin" });
    const text = JSON.stringify(seed);
    for (const secret of ["CF_Token", ...labSeed.tokens.map(({ secret: own }) => own)])
      expect(text).not.toContain(secret);
  });

  it("is made with the rights of an auditor, and lists what they do not show", async () => {
    const { code, stdout, stderr, seed } = await exportOf(richSeed, { token: "auditor@pve!tk" });
    expect(code).toBe(0);
    expect(stdout).toContain("2 nodes");
    expect(stderr).toContain("Not in the export: /cluster/acme/account/default: Permission check failed");
    expect(seed["guests"]).toHaveLength((richSeed["guests"] as unknown[]).length);
  });

  it("does not overwrite a file, and only its owner can read it", async () => {
    const file = join(folder, "mine.json");
    writeFileSync(file, "mine");
    const simulator = await startSimulator({ speed: 100, seed: richSeed });
    try {
      const env = variablesFor(simulator, "root@pam!admin");
      expect(await type(run, ["--out", file], env)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("--force"),
      });
      expect(readFileSync(file, "utf8")).toBe("mine");
      const other = join(folder, "other.json");
      expect(await type(run, ["--out", other], env)).toMatchObject({ code: 0 });
      expect(statSync(other).mode & 0o077).toBe(0);
    } finally {
      await simulator.close();
    }
  });

  it("says that it needs a file, and that the cluster cannot be reached", async () => {
    expect(await type(run, [], {})).toMatchObject({ code: 2, stderr: expect.stringContaining("--out FILE") });
    const env = {
      PROXMOX_VE_ENDPOINT: "https://127.0.0.1:1",
      PROXMOX_VE_API_TOKEN: "root@pam!x=00000000-0000-4000-8000-000000000000",
    };
    const seen = await type(run, ["--out", join(folder, "none.json")], env);
    expect(seen).toMatchObject({ code: 1, stderr: expect.stringContaining("The cluster cannot be read") });
  });
});

describe("speeds of storages", () => {
  const task = (type: string, seconds: number, log: string[]) => {
    const own = {
      node: "pve1",
      pid: 4711,
      pstart: 1,
      starttime: 1_767_225_600 + seconds,
      type,
      id: "100",
      user: "root@pam",
    };
    const ended = own.starttime + seconds;
    return { ...own, upid: encodeUpid(own), ended, archived: ended, exitstatus: "OK", log: [...log, "TASK OK"] };
  };

  it("are measured in the logs of past tasks", async () => {
    const simulator = await startSimulator({ speed: 100, seed: richSeed });
    simulator.sim.world.tasks.push(
      task("qmclone", 20, [
        "create full clone of drive scsi0 (thin:base-900-disk-0)",
        "transferred 0.0 B of 2.0 GiB (0.00%)",
        "transferred 2.0 GiB of 2.0 GiB (100.00%)",
      ]),
      task("qmclone", 1, [
        "create full clone of drive scsi0 (share:900/a.raw)",
        "transferred 2.0 GiB of 2.0 GiB (100.00%)",
      ]),
      task("vzdump", 60, [
        "INFO: starting new backup job: vzdump 200 --node pve1 --storage local --mode stop",
        "INFO: transferred 1.00 GiB in 10 seconds (102.4 MiB/s)",
      ]),
    );
    const file = join(folder, "speeds.json");
    try {
      const seen = await type(run, ["--out", file, "--json"], variablesFor(simulator, "auditor@pve!tk"));
      expect(JSON.parse(seen.stdout).speeds).toEqual([
        { storage: "local", bytes_per_second: 107_374_182, tasks: 1, from: "backups" },
        { storage: "thin", bytes_per_second: 107_374_182, tasks: 1, from: "copies" },
      ]);
      const { storages } = JSON.parse(readFileSync(file, "utf8")) as { storages: Seed[] };
      expect(storages.find(({ storage }) => storage === "thin")).toMatchObject({ bytes_per_second: 107_374_182 });
      expect(storages.find(({ storage }) => storage === "share")).not.toHaveProperty("bytes_per_second");
    } finally {
      await simulator.close();
    }
  });

  it.each<[what: string, type: string, seconds: number, log: string[], found: [string, number][]]>([
    [
      "drives of two storages",
      "qmclone",
      10,
      [
        "create full clone of drive scsi0 (thin:base-900-disk-0)",
        "transferred 1.0 GiB of 1.0 GiB (100.00%)",
        "create full clone of drive scsi1 (nas:900/base-900-disk-1.raw)",
        "transferred 1.0 GiB of 1.0 GiB (100.00%)",
      ],
      [
        ["thin", 2 ** 31 / 10],
        ["nas", 2 ** 31 / 10],
      ],
    ],
    [
      "a drive of a running VM",
      "qmmove",
      8,
      [
        "create full clone of drive scsi0 (data:300/vm-300-disk-0.qcow2)",
        "drive mirror is starting for drive-scsi0",
        "mirror-scsi0: transferred 1.0 GiB of 1.0 GiB (100.00%) in 8s, ready",
      ],
      [["data", 2 ** 27]],
    ],
    [
      "a container",
      "vzclone",
      10,
      [
        "create full clone of mountpoint rootfs (thin:vm-100-disk-0)",
        "Number of regular files transferred: 9,000",
        "Total transferred file size: 1,073,741,824 bytes",
      ],
      [["thin", 2 ** 30 / 10]],
    ],
    ["a linked clone", "qmclone", 10, ["create linked clone of drive scsi0 (thin:base-900-disk-0)"], []],
    [
      "a cloud-init drive alone",
      "qmclone",
      10,
      ["create full clone of drive ide2 (thin:vm-110-cloudinit)", "transferred 4.0 MiB of 4.0 MiB (100.00%)"],
      [],
    ],
    [
      "a backup that was done at once",
      "vzdump",
      10,
      ["INFO: starting new backup job: vzdump 2 --storage nas", "INFO: transferred 1.00 GiB in <1 seconds"],
      [],
    ],
    ["a backup to the default storage", "vzdump", 10, ["INFO: transferred 1.00 GiB in 10 seconds (1 MiB/s)"], []],
  ])("are read from the log: %s", (_, kind, seconds, log, found) => {
    expect(samplesIn(kind, seconds, log).map(({ storage, bytesPerSecond }) => [storage, bytesPerSecond])).toEqual(
      found,
    );
  });
});

describe("a redacted export", () => {
  it("has other names, addresses and texts, and can be simulated", async () => {
    const { code, seed } = await exportOf(richSeed, { token: "root@pam!admin", args: ["--redact"] });
    expect(code).toBe(0);
    const text = JSON.stringify(seed);
    for (const word of [
      "paperless",
      "Erika",
      "198.51.100.77",
      "BC:24:11:00:00:77",
      "192.0.2.40",
      "pve1",
      "auditor",
      "office",
    ]) {
      expect(text, word).not.toContain(word);
    }
    const copy = await exportOf(seed, { token: "root@pam!token2", args: ["--redact"] });
    expect(copy.code).toBe(0);
    expect((copy.seed["guests"] as unknown[]).length).toBe((seed["guests"] as unknown[]).length);
  });

  it("has other names for what no list names: pools on disks, shares, logins, folders", async () => {
    const pools = [{ type: "lvm", name: "acmevg", devices: ["/dev/disk/by-id/ata-acme"], size: 5 }];
    const storages = [
      { storage: "st-a", type: "lvm", vgname: "acmevg" },
      { storage: "st-b", type: "zfspool", pool: "acmepool/vms" },
      { storage: "st-c", type: "dir", path: "/mnt/acme" },
      { storage: "st-d", type: "cifs", server: "acmehost", share: "acme", username: "acme", domain: "acme", active: 0 },
      {
        storage: "st-e",
        type: "pbs",
        server: "pbs.acme.example.com",
        datastore: "acme",
        username: "acme@pbs",
        active: 0,
      },
    ];
    const nodes = [{ name: "pve1", disk_pools: pools }, { name: "pve2" }];
    const custom_cpu_models = [{ cputype: "custom-acme", "reported-model": "kvm64" }];
    const hidden = { ...labSeed, nodes, storages: [...labSeed.storages, ...storages], custom_cpu_models };
    const { seed } = await exportOf(hidden, { token: "root@pam!admin", args: ["--redact"] });
    expect(JSON.stringify(seed)).not.toMatch(/acme/);
    const [{ disk_pools: made } = {}] = seed["nodes"] as { disk_pools: { name: string }[] }[];
    expect(
      (seed["storages"] as Seed[]).find(({ type, vgname }) => type === "lvm" && vgname === made?.[0]?.name),
    ).toBeDefined();
  });

  it("has other names within texts that have a form: options of guests, rules of matchers, addresses", async () => {
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const config = {
      name: "acme-web",
      scsi0: "thin:vm-100-disk-0,serial=ACME77,size=8G,wwn=0x5000c500a1b2c3d4",
      ide2: "local:iso/acme-installer.iso,media=cdrom",
      cicustom: "user=local:snippets/acme-user.yaml,meta=local:snippets/acme-meta.yaml",
      hookscript: "local:snippets/acme-hook.pl",
      smbios1: `base64=1,serial=${base64("ACME-SERIAL")},manufacturer=${base64("Acme Inc.")},uuid=00000000-0000-4000-8000-000000000077`,
    };
    const hidden = {
      ...labSeed,
      guests: [
        { vmid: 100, node: "pve1", config },
        { vmid: 101, node: "pve1", config: { smbios1: "serial=ACMEPLAIN,family=acme" } },
      ],
      snippets: ["local:snippets/acme-user.yaml"],
      backups: [{ volid: "local:backup/vzdump-qemu-100-2026_01_02-03_04_05.vma.zst", size: "1G", config }],
      cluster: { name: "lab", options: { http_proxy: "http://acmeproxy:3128" } },
      notifications: [
        {
          name: "matcher",
          type: "matcher",
          "match-field": [
            "exact:hostname=pve1",
            "exact:hostname=acme9",
            "regex:hostname=^acme.*$",
            "exact:type=vzdump",
          ],
        },
        { name: "hook", type: "webhook", url: "https://acme.corp:8443/acme/path?channel=acme", method: "post" },
      ],
      acme: { plugins: [{ id: "cf", type: "dns", api: "cf" }] },
    };
    const { code, seed } = await exportOf(hidden, { token: "root@pam!admin", args: ["--redact"] });
    expect(code).toBe(0);
    const { acme, guests, notifications, snippets, cluster } = seed as Record<string, never[]>;
    const { acme: _, ...others } = seed;
    expect(JSON.stringify(others)).not.toMatch(/acme/i);
    expect(JSON.stringify(seed)).not.toContain("5000c500a1b2c3d4");
    for (const text of ["ACME-SERIAL", "Acme Inc."]) expect(JSON.stringify(seed)).not.toContain(base64(text));

    const [{ config: options }] = guests as unknown as [{ config: Record<string, string> }];
    const [, file] = /^user=(.*),meta=/.exec(options["cicustom"] ?? "") ?? [];
    expect(snippets).toContainEqual(expect.objectContaining({ volid: file }));
    expect(options["smbios1"]).toContain(`base64=1,serial=${base64("smbios1")}`);
    expect(cluster).toMatchObject({ options: { http_proxy: "http://host1.example.com:3128" } });
    expect(notifications).toContainEqual(
      expect.objectContaining({
        "match-field": ["exact:hostname=node1", "exact:hostname=host3", "regex:hostname=host4", "exact:type=vzdump"],
      }),
    );
    expect(notifications).toContainEqual(
      expect.objectContaining({ url: expect.stringMatching(/^https:\/\/host\d\.example\.com:8443\/url\d$/) }),
    );
    expect(acme).toMatchObject({ plugins: [{ id: "plugin1", api: "cf" }] });
  });

  it("keeps what belongs together", async () => {
    const { seed } = await exportOf(richSeed, { token: "root@pam!admin", args: ["--redact"] });
    const [pool] = seed["pools"] as { poolid: string; storage: string[] }[];
    const storages = (seed["storages"] as { storage: string }[]).map(({ storage }) => storage);
    expect(pool?.storage.every((storage) => storages.includes(storage))).toBe(true);
    const nodes = (seed["nodes"] as { name: string }[]).map(({ name }) => name);
    for (const { node } of seed["guests"] as { node: string }[]) expect(nodes).toContain(node);
  });
});
