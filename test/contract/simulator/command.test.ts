import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../../../src/cli/simulate.ts";
import { call } from "./client.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "simulate-test-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ready {
  url: string;
  ca_file: string;
  tokens: Record<string, string>;
}

/** Runs the command until it is stopped; what it printed and the code it ended with. */
async function simulate(args: string[], whileRunning?: (printed: string) => Promise<void>) {
  const stop = new AbortController();
  let printed = "";
  let complained = "";
  let announce: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    announce = resolve;
  });
  const ended = run(args, {
    stdout: {
      write: (text) => {
        printed += text;
        announce();
      },
    },
    stderr: {
      write: (text) => {
        complained += text;
      },
    },
    signal: stop.signal,
  });
  await Promise.race([ready, ended]);
  if (whileRunning !== undefined) {
    await whileRunning(printed);
  }
  stop.abort();
  return { code: await ended, printed, complained };
}

/** A client's view of what `--json` printed. */
function simulatorOf(printed: string) {
  const { url, ca_file, tokens } = JSON.parse(printed) as Ready;
  return { url, caCertificate: readFileSync(ca_file, "utf8"), tokens } as Parameters<typeof call>[0];
}

describe("simulate", () => {
  test("says where it is, with which tokens, and what to export", async () => {
    const { code, printed } = await simulate(["--port", "0", "--nodes", "alpha,beta"]);
    expect(code).toBe(0);
    expect(printed).toMatch(/^Proxmox VE 9 simulator at https:\/\/127\.0\.0\.1:\d+\n/);
    expect(printed).toMatch(/export PROXMOX_VE_ENDPOINT=https:\/\/127\.0\.0\.1:\d+\/\n/);
    expect(printed).toMatch(/export PROXMOX_VE_API_TOKEN='terraform@pve!tf=[0-9a-f-]{36}'\n/);
    expect(printed).toMatch(/export PROXMOX_VE_CA_CERTIFICATE=\S+\.pem\n/);
  });

  test("with --json prints one line that is enough to use it", async () => {
    const { printed } = await simulate(["--port", "0", "--json", "--nodes", "alpha"], async (line) => {
      const nodes = await call(simulatorOf(line), "GET", "/nodes");
      expect(nodes.body.data).toMatchObject([{ node: "alpha", status: "online" }]);
    });
    expect(printed.split("\n")).toHaveLength(2);
  });

  test("keeps its state in a file and goes on from it", async () => {
    const args = ["--port", "0", "--json", "--state", join(folder, "state.json")];
    await simulate(args, async (line) => {
      await call(simulatorOf(line), "POST", "/access/groups", { form: { groupid: "kept" } });
    });
    await simulate(args, async (line) => {
      const simulator = simulatorOf(line);
      expect((await call(simulator, "GET", "/access/groups/kept")).status).toBe(200);
      await call(simulator, "POST", "/simulator/reset", { json: {} });
      expect((await call(simulator, "GET", "/access/groups/kept")).status).toBe(500);
    });
  });

  test.runIf(process.getuid)("writes its certificate and its state for this user only", async () => {
    const state = join(folder, "secret.json");
    symlinkSync(join(folder, "elsewhere"), `${state}.new`);
    const { printed } = await simulate(["--port", "0", "--json", "--state", state]);
    const { ca_file } = JSON.parse(printed) as Ready;
    expect([state, ca_file, dirname(ca_file)].map((path) => lstatSync(path).mode & 0o777)).toEqual([
      0o600, 0o600, 0o700,
    ]);
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
  });

  test.runIf(process.getuid)("uses no folder that others can write to", async () => {
    const shared = join(folder, "shared");
    mkdirSync(join(shared, `terraform-provider-proxmox-${process.getuid?.()}`), { recursive: true });
    chmodSync(join(shared, `terraform-provider-proxmox-${process.getuid?.()}`), 0o777);
    const { TMPDIR } = process.env;
    process.env["TMPDIR"] = shared;
    try {
      const { printed } = await simulate(["--port", "0", "--json"]);
      const place = dirname((JSON.parse(printed) as Ready).ca_file);
      expect(basename(place)).toMatch(/^terraform-provider-proxmox-\d+-\w+$/);
      expect(lstatSync(place).mode & 0o777).toBe(0o700);
    } finally {
      process.env["TMPDIR"] = TMPDIR ?? tmpdir();
      if (TMPDIR === undefined) delete process.env["TMPDIR"];
    }
  });

  test("takes faults from the command line and from the seed", async () => {
    const seed = join(folder, "faulty.json");
    writeFileSync(seed, JSON.stringify({ nodes: [{ name: "pve" }], faults: [{ do: "task_list_lag", seconds: 1 }] }));
    await simulate(
      ["--port", "0", "--json", "--seed", seed, "--fault", "slow,task=qmstart,seconds=1"],
      async (line) => {
        const { data } = (await call(simulatorOf(line), "GET", "/simulator/faults", { token: null })).body;
        expect(data).toMatchObject([{ do: "task_list_lag" }, { do: "slow", task: "qmstart" }]);
      },
    );
  });

  test("explains itself", async () => {
    const { code, printed } = await simulate(["--help"]);
    expect(code).toBe(0);
    expect(printed).toContain("--seed FILE");
  });
});

describe("simulate says in one sentence what is wrong", () => {
  const broken = (text: string) => {
    const file = join(folder, "broken.json");
    writeFileSync(file, text);
    return file;
  };

  test.each<[string, () => string[], number, RegExp]>([
    ["an option it does not know", () => ["--bogus"], 2, /^Unknown option '--bogus'; --help lists the options\.\n$/],
    [
      "a port that is none",
      () => ["--port", "http"],
      2,
      /^--port must be a whole number from 0 to 65535, not 'http'\.\n$/,
    ],
    ["a speed that is none", () => ["--speed", "-1"], 2, /^.*--speed.*\n$/],
    [
      "a seed file that is not there",
      () => ["--seed", join(folder, "none")],
      2,
      /^The seed file '.*none' cannot be read: ENOENT\.\n$/,
    ],
    ["a seed file that is no JSON", () => ["--seed", broken("{")], 2, /^The seed file '.*' is not JSON: .*\n$/],
    [
      "a seed that cannot be used",
      () => ["--seed", broken('{"nodes":[{"name":"a_b"}]}')],
      1,
      /^The seed cannot be used: nodes\[0\]\.name: invalid format - .*\n$/,
    ],
    [
      "a fault it does not know",
      () => ["--fault", "explode"],
      2,
      /^--fault 'explode' is not understood: fault\.do: must be one of .*\n$/,
    ],
    [
      "a state file of something else",
      () => ["--state", broken("{}")],
      2,
      /^The state file '.*' was not written by this program\.\n$/,
    ],
  ])("%s", async (_, args, code, sentence) => {
    const result = await simulate(["--port", "0", ...args()]);
    expect(result.complained).toMatch(sentence);
    expect([result.code, result.printed]).toEqual([code, ""]);
  });

  test("a port in use", async () => {
    await simulate(["--port", "0", "--json"], async (line) => {
      const { port } = new URL((JSON.parse(line) as Ready).url);
      const second = await simulate(["--port", port]);
      expect(second).toMatchObject({ code: 1, complained: `Port ${port} is in use; choose another with --port.\n` });
    });
  });
});

/** Whether something listens at an address of this machine. */
const listensAt = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2000 });
    const answer = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket.on("connect", answer(true)).on("error", answer(false)).on("timeout", answer(false));
  });

// Only Linux has more than one address of its own by default.
test.runIf(process.platform === "linux").each([
  ["only on 127.0.0.1", [], false],
  ["on every address, if configured so", ["--host", "0.0.0.0"], true],
])("the simulator listens %s", async (_, args, isEverywhere) => {
  await simulate(["--port", "0", "--json", ...args], async (printed) => {
    const port = Number(new URL((JSON.parse(printed) as Ready).url).port);
    expect(await listensAt("127.0.0.1", port)).toBe(true);
    expect(await listensAt("127.0.0.2", port)).toBe(isEverywhere);
  });
});
