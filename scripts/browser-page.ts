import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A Chromium, if there is one on PATH. */
export const browser: string | undefined = ["chromium", "chromium-browser", "google-chrome"]
  .flatMap((name) => (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name)))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Options of a Chromium without a screen that talks to this machine only. */
export const browserOptions: readonly string[] = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // It has its own reasons to call home; the page is on this machine.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

const portWaitMilliseconds = 30_000;

type Listener = (params: Record<string, unknown>) => void;

/** An answer has the id of its command, an event a name. */
interface Message {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

/** The connection to the browser's DevTools: commands with answers, and events. */
class DevTools {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Message) => void>();
  readonly #listeners = new Map<string, Listener>();
  #last = 0;
  session: string | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(String(data)) as Message;
      if (message.id === undefined) {
        this.#listeners.get(message.method ?? "")?.(message.params ?? {});
      } else {
        this.#waiting.get(message.id)?.(message);
        this.#waiting.delete(message.id);
      }
    });
  }

  static async connect(address: string): Promise<DevTools> {
    const socket = new WebSocket(address);
    await once(socket, "open");
    return new DevTools(socket);
  }

  on(event: string, listener: Listener): void {
    this.#listeners.set(event, listener);
  }

  async send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
    this.#waiting.set(id, ({ result, error }) =>
      error === undefined ? resolve(result ?? {}) : reject(new Error(error.message)),
    );
    this.#socket.send(JSON.stringify({ id, method, params, ...(this.session && { sessionId: this.session }) }));
    return await promise;
  }

  close(): void {
    this.#socket.close();
  }
}

/** A page in a real browser that a program looks at and types into. */
export interface BrowserPage {
  /** Errors and warnings of the page, as its console shows them. */
  readonly complaints: readonly string[];
  /** The value of a JavaScript expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  press(key: "Tab" | "ArrowDown"): Promise<void>;
  colorScheme(scheme: "dark" | "light"): Promise<void>;
  /** A PNG of what is visible. */
  picture(): Promise<Buffer>;
  close(): Promise<void>;
}

/** Opens an address; certificates are not checked. The caller has to close the page, which ends the browser. */
export async function openPage(address: string, size = { width: 1280, height: 800 }): Promise<BrowserPage> {
  const profile = mkdtempSync(join(tmpdir(), "browser-"));
  const options = [...browserOptions, "--ignore-certificate-errors", `--user-data-dir=${profile}`];
  const running = spawn(browser ?? "chromium", [...options, "--remote-debugging-port=0"], { stdio: "ignore" });
  const close = async () => {
    running.kill();
    if (running.exitCode === null && running.signalCode === null) await once(running, "exit");
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const tools = await DevTools.connect(await devToolsAddress(profile));
    return {
      ...(await attach(tools, address, size)),
      close: async () => {
        tools.close();
        await close();
      },
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** The browser writes down where it listens once it does. */
async function devToolsAddress(profile: string): Promise<string> {
  const deadline = Date.now() + portWaitMilliseconds;
  for (;;) {
    try {
      const [port, path] = readFileSync(join(profile, "DevToolsActivePort"), "utf8").split("\n");
      if (path) return `ws://127.0.0.1:${port}${path}`;
    } catch (thrown) {
      if (Date.now() > deadline) throw new Error("The browser does not start.", { cause: thrown });
    }
    await sleep(50);
  }
}

async function attach(
  tools: DevTools,
  address: string,
  { width, height }: { width: number; height: number },
): Promise<Omit<BrowserPage, "close">> {
  const complaints: string[] = [];
  tools.on("Log.entryAdded", ({ entry }) => {
    const { level, text } = entry as { level: string; text: string };
    if (level === "error" || level === "warning") complaints.push(text);
  });
  tools.on("Runtime.exceptionThrown", ({ exceptionDetails }) => complaints.push(JSON.stringify(exceptionDetails)));
  const { targetId } = await tools.send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await tools.send("Target.attachToTarget", { targetId, flatten: true });
  tools.session = String(sessionId);
  await tools.send("Log.enable");
  await tools.send("Runtime.enable");
  await tools.send("Page.enable");
  await tools.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
  const loaded = new Promise<void>((resolve) => tools.on("Page.domContentEventFired", () => resolve()));
  await tools.send("Page.navigate", { url: address });
  await loaded;
  return {
    complaints,
    evaluate: async <T>(expression: string) => {
      const { result } = await tools.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
      return (result as { value: T }).value;
    },
    press: async (key) => {
      for (const type of ["rawKeyDown", "keyUp"]) {
        const code = key === "Tab" ? 9 : 40;
        await tools.send("Input.dispatchKeyEvent", { type, key, code: key, windowsVirtualKeyCode: code });
      }
    },
    colorScheme: async (scheme) => {
      await tools.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    },
    picture: async () => {
      const { data } = await tools.send("Page.captureScreenshot", { format: "png" });
      return Buffer.from(String(data), "base64");
    },
  };
}
