import { afterAll, beforeAll, beforeEach } from "vitest";
import { type Simulator, startSimulator } from "../../../src/simulator/simulator.ts";
import { type Answer, call } from "./client.ts";

const role = (ugid: string, path: string, roleid: string) => ({ path, type: "user", ugid, roleid });

/** Two nodes with a storage of every kind, a template, two VMs, and people with different rights. */
export const labSeed = {
  nodes: [{ name: "pve1" }, { name: "pve2" }],
  cluster: { name: "lab" },
  realms: [
    { realm: "pam", type: "pam" },
    { realm: "pve", type: "pve" },
  ],
  users: ["root@pam", "auditor@pve", "nobody@pve", "owner@pve"].map((userid) => ({ userid })),
  tokens: ["root@pam!admin", "auditor@pve!tk", "nobody@pve!tk", "owner@pve!tk"].map((tokenid, index) => ({
    tokenid,
    secret: `00000000-0000-4000-8000-00000000000${index}`,
    privsep: 0,
  })),
  acl: [
    role("auditor@pve", "/", "PVEAuditor"),
    role("owner@pve", "/vms/200", "PVEVMAdmin"),
    role("owner@pve", "/storage/thin", "PVEDatastoreUser"),
  ],
  storages: [
    {
      storage: "local",
      type: "dir",
      path: "/var/lib/vz",
      content: ["iso", "vztmpl", "backup", "images", "rootdir", "snippets", "import"],
    },
    {
      storage: "share",
      type: "nfs",
      path: "/mnt/pve/share",
      server: "192.0.2.9",
      export: "/export",
      content: ["images", "iso"],
    },
    { storage: "thin", type: "lvmthin", vgname: "pve", thinpool: "data", content: ["images", "rootdir"] },
    { storage: "thick", type: "lvm", vgname: "big", content: ["images"] },
    { storage: "tank", type: "zfspool", pool: "tank", content: ["images", "rootdir"] },
    { storage: "ceph", type: "rbd", pool: "rbd", content: ["images"] },
  ],
  bridges: [
    {
      iface: "vmbr0",
      type: "bridge",
      method: "static",
      address: "192.0.2.11",
      netmask: "24",
      bridge_ports: "eno1",
      autostart: 1,
    },
  ],
  interfaces: [
    { iface: "eno1", type: "eth", method: "manual" },
    { iface: "eno2", type: "eth", method: "manual" },
  ],
  guests: [
    {
      vmid: 200,
      config: { name: "web", memory: 1024, cores: 2, scsi0: "thin:vm-200-disk-0,size=10G", boot: "order=scsi0" },
    },
    {
      vmid: 201,
      node: "pve2",
      running: 1,
      config: { name: "db", tags: "blue", scsi0: "share:201/vm-201-disk-0.raw,size=4G" },
    },
    { vmid: 900, config: { name: "golden", template: 1, scsi0: "thin:base-900-disk-0,size=2G" } },
  ],
};

export interface Lab {
  readonly simulator: Simulator;
  /** The outcome of a call in one line: the data, or the status with what went wrong. */
  ask(line: string, form?: Record<string, string | number>, token?: string): Promise<unknown>;
  answer(line: string, form?: Record<string, string | number>, token?: string): Promise<Answer>;
  /** Makes a call that starts a task, and gives the task's exit status. */
  run(line: string, form?: Record<string, string | number>, token?: string): Promise<string>;
}

/** `PUT /path` with parameters in the body, or in the query where the method has none. */
async function send(
  simulator: Simulator,
  line: string,
  form: Record<string, string | number> | undefined,
  token?: string,
) {
  const [method = "GET", path = "/"] = line.split(" ");
  const inQuery = method === "GET" || method === "DELETE";
  const values = Object.entries(form ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  const query = new URLSearchParams(values);
  const target = inQuery && form !== undefined ? `${path}?${query}` : path;
  return await call(simulator, method, target, {
    ...(token === undefined ? {} : { token }),
    ...(inQuery ? {} : { form: form ?? {} }),
  });
}

/** What a reader of the answer wants to know. */
function outcome({ status, body }: Answer): unknown {
  if (status === 200) {
    return body.data;
  }
  const details = Object.entries(body.errors ?? {}).map(([name, text]) => `${name}: ${text.trimEnd()}`);
  return [`${status} ${(body.message ?? "").trimEnd()}`, ...details].join(" | ");
}

/** A simulator for one test file, back at its seed before every test; tidy, since tests compare exact answers. */
export function lab(seed: object = labSeed, speed = 100): Lab {
  let simulator: Simulator | undefined;
  const running = () => simulator as Simulator;
  beforeAll(async () => {
    simulator = await startSimulator({ seed, speed, tidy: true });
  });
  beforeEach(() => running().reset());
  afterAll(() => running().close());
  return {
    get simulator() {
      return running();
    },
    answer: (line, form, token) => send(running(), line, form, token),
    ask: async (line, form, token) => outcome(await send(running(), line, form, token)),
    run: async (line, form, token) => {
      const answer = await send(running(), line, form, token);
      const upid = String(answer.body.data);
      if (answer.status !== 200 || !upid.startsWith("UPID:")) {
        return String(outcome(answer));
      }
      const node = upid.split(":")[1];
      for (;;) {
        const status = await call(running(), "GET", `/nodes/${node}/tasks/${encodeURIComponent(upid)}/status`);
        const { status: state, exitstatus } = status.body.data as { status: string; exitstatus?: string };
        if (state === "stopped") {
          return String(exitstatus);
        }
      }
    },
  };
}
