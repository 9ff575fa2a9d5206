import { Agent, request } from "node:https";

/** Where the load goes, and as whom. */
export interface Target {
  readonly url: string;
  readonly caCertificate: string;
  /** `<user>@<realm>!<name>=<secret>` */
  readonly token: string;
}

export interface LoadReport {
  /** How often each kind of call was made. */
  readonly calls: Readonly<Record<string, number>>;
  /** Refusals that a real server would have given as well, with their numbers and names taken out. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Answers, task results and broken connections that a real server would not have given. */
  readonly faults: readonly string[];
}

interface Reply {
  readonly status: number;
  readonly body: { readonly data?: unknown; readonly message?: string };
}

const node = "pve1";
const template = 9000;
/** The VM of all clients: what one does to it gets in the way of another. */
const shared = 8000;
const firstOwn = 10_000;
const vmsPerClient = 4;

/** What a race with another client, or with one's own unfinished tasks, may end in. */
const races: readonly RegExp[] = [
  /^Configuration file 'nodes\/\w+\/qemu-server\/\d+\.conf' does not exist$/,
  /^unable to find configuration file for VM \d+ on node '\w+'$/,
  /^unable to create VM \d+: config file already exists$/,
  /^can't lock file '\/var\/lock\/qemu-server\/lock-\d+\.conf' - got timeout$/,
  /^VM is locked \([\w-]+\)$/,
  /^VM \d+ is running - destroy failed$/,
  /^VM \d+ already running$/,
  /^VM \d+ not running$/,
  /^snapshot name '\w+' already used$/,
  /^snapshot '\w+' does not exist$/,
  /^disk 'scsi0' does not exist$/,
];

/** Numbers that come out the same in every run. */
function generator(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Tally {
  readonly calls: Record<string, number>;
  readonly refusals: Record<string, number>;
  readonly faults: string[];
}

/** One connection after the other, one request after the other, as a provisioner's worker makes them. */
class LoadClient {
  readonly #target: Target;
  readonly #agent: Agent;
  readonly #report: Tally;
  readonly #below: (below: number) => number;
  readonly #number: number;
  #task: string | undefined;

  constructor(target: Target, number: number, report: Tally) {
    this.#target = target;
    this.#number = number;
    this.#report = report;
    this.#below = generator(number);
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, ca: target.caCertificate });
  }

  /** Unless an earlier load has left it there. */
  async createSharedVm(): Promise<void> {
    const form = { vmid: shared, name: "everybodys", scsi0: "local-lvm:1" };
    const { status, body } = await this.#send(`POST /nodes/${node}/qemu`, form);
    const task = `GET /nodes/${node}/tasks/${encodeURIComponent(String(body.data))}/status`;
    const isRunning = async () => ((await this.#send(task)).body.data as { status: string }).status === "running";
    while (status === 200 && (await isRunning())) {
      // Asks again.
    }
  }

  async makeRequests(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      await this.#step();
    }
    this.#agent.destroy();
  }

  async #step(): Promise<void> {
    const own = firstOwn + this.#number * vmsPerClient + this.#below(vmsPerClient);
    const vm = `/nodes/${node}/qemu/${this.#below(8) === 0 ? shared : own}`;
    const draw = this.#below(100);
    const kinds: readonly [upTo: number, line: string, form?: Record<string, string | number>][] = [
      [25, `GET ${vm}/config`],
      [37, `GET ${vm}/status/current`],
      [47, this.#task === undefined ? "GET /version" : `GET /nodes/${node}/tasks/${this.#task}/status`],
      [51, "GET /cluster/resources?type=vm"],
      [54, `GET /nodes/${node}/tasks?source=all`],
      [57, `GET ${vm}/pending`],
      [59, "GET /cluster/nextid"],
      [61, `GET /nodes/${node}/storage/local-lvm/content`],
      [70, `PUT ${vm}/config`, { cores: 1 + this.#below(4), description: `change ${draw}` }],
      [72, `POST ${vm}/config`, { memory: 512 * (1 + this.#below(4)) }],
      [74, `PUT ${vm}/resize`, { disk: "scsi0", size: "+64M" }],
      [76, `POST ${vm}/snapshot`, { snapname: "before" }],
      [78, `DELETE ${vm}/snapshot/before`],
      [85, `POST /nodes/${node}/qemu/${template}/clone`, { newid: own, full: this.#below(2) }],
      [91, `POST ${vm}/status/start`],
      [95, `POST ${vm}/status/stop`],
      [100, `DELETE /nodes/${node}/qemu/${own}?purge=1`],
    ];
    const [, line, form] = kinds.find(([upTo]) => draw < upTo) ?? [0, "GET /version"];
    await this.#make(line, form);
  }

  async #make(line: string, form?: Record<string, string | number>): Promise<void> {
    const kind = line
      .replace(/\?.*/, "")
      .replace(/UPID[^/]*/, "…")
      .replace(/\d{4,}/, "…");
    this.#report.calls[kind] = (this.#report.calls[kind] ?? 0) + 1;
    try {
      const { status, body } = await this.#send(line, form);
      if (status !== 200) {
        this.#refused(line, status, body.message ?? "");
      } else if (typeof body.data === "string" && body.data.startsWith("UPID:")) {
        this.#task = encodeURIComponent(body.data);
      } else {
        this.#checkTask(line, body.data);
      }
    } catch (thrown) {
      this.#report.faults.push(`${line}: ${String(thrown)}`);
    }
  }

  #checkTask(line: string, data: unknown): void {
    const { type, exitstatus } = (data ?? {}) as { type?: string; exitstatus?: string };
    if (line.includes("/tasks/UPID") && exitstatus !== undefined && exitstatus !== "OK") {
      this.#refused(`task ${type}`, 500, exitstatus);
    }
  }

  #refused(what: string, status: number, message: string): void {
    const text = message.trimEnd();
    if (status === 500 && races.some((race) => race.test(text))) {
      const kind = text.replaceAll(/\d{4,}/g, "…");
      this.#report.refusals[kind] = (this.#report.refusals[kind] ?? 0) + 1;
    } else {
      this.#report.faults.push(`${what}: ${status} ${text}`);
    }
  }

  async #send(line: string, form: Record<string, string | number> = {}): Promise<Reply> {
    const [method = "GET", path = "/"] = line.split(" ");
    const body = Object.entries(form)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join("&");
    const hasBody = method === "POST" || method === "PUT";
    return await new Promise((resolve, reject) => {
      const outgoing = request(
        `${this.#target.url}/api2/json${path}`,
        {
          method,
          agent: this.#agent,
          headers: {
            Authorization: `PVEAPIToken=${this.#target.token}`,
            ...(hasBody && {
              "Content-Type": "application/x-www-form-urlencoded",
              "Content-Length": Buffer.byteLength(body),
            }),
          },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.on("error", reject);
          incoming.on("end", () => {
            const text = Buffer.concat(chunks).toString("utf8");
            resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) as Reply["body"] });
          });
        },
      );
      outgoing.on("error", reject);
      outgoing.end(hasBody ? body : undefined);
    });
  }
}

/** Parallel clients that clone, change, start, stop and delete VMs of their own and a shared one, and watch all the while. */
export async function mixedLoad(
  target: Target,
  { clients, requests }: { readonly clients: number; readonly requests: number },
): Promise<LoadReport> {
  const report: Tally = { calls: {}, refusals: {}, faults: [] };
  const all = Array.from({ length: clients }, (_, number) => new LoadClient(target, number, report));
  await all[0]?.createSharedVm();
  await Promise.all(all.map((client) => client.makeRequests(requests / clients)));
  return report;
}
