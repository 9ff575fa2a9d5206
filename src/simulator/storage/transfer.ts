import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText } from "../core/kernel/failure.ts";
import type { Task } from "../core/kernel/process.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { node, storageId } from "../core/schema/standard-options.ts";
import type { Storage } from "../core/world/storage.ts";
import { type FileTarget, fileParameters, fileTarget, fileVolume } from "./files.ts";
import { putFileChecked } from "./space.ts";
import { copySeconds, getEnabledStorage, holds, isShared } from "./storages.ts";
import { findVolume } from "./volumes.ts";
import { request, Unreachable, type WebResponse } from "./web.ts";

/** The digest that a caller expects. */
interface Expectation {
  readonly algorithm: string;
  readonly checksum: string;
}

function expectation(params: { checksum?: string | undefined; "checksum-algorithm"?: string | undefined }) {
  const { checksum, "checksum-algorithm": algorithm } = params;
  return checksum === undefined || algorithm === undefined ? undefined : { algorithm, checksum };
}

/** Dies unless the digest is the expected one; an unknown digest is accepted. */
function verify(task: Task, expected: Expectation | undefined, known: Readonly<Record<string, string>>): void {
  if (expected === undefined) {
    return;
  }
  const got = known[expected.algorithm] ?? expected.checksum.toLowerCase();
  if (got !== expected.checksum.toLowerCase()) {
    task.print("calculating checksum...");
    die(`checksum mismatch: got '${got}' != expect '${expected.checksum}'`);
  }
  task.print("calculating checksum...OK, checksum verified");
}

function requireFiles(storage: Storage, explanation: string): void {
  if (storage.options["path"] === undefined) {
    die(`can't upload to storage type '${storage.type}'${explanation}`);
  }
}

interface Arrival {
  /** The error of the writing program if there is no space. */
  readonly noRoom: string;
  readonly node: string;
  /** The path of the file before it gets its name. */
  readonly path: string;
  readonly file: WebResponse["file"];
}

function store(call: Call, storage: Storage, target: FileTarget, { node: where, path, file, noRoom }: Arrival): void {
  const place = { node: isShared(storage) ? undefined : where, ctime: call.sim.clock.stamp() };
  putFileChecked(call.world, storage, where, fileVolume(target, file, place, path), noRoom);
}

async function download(
  call: Call,
  task: Task,
  { storage, target, url, expected, ...order }: DownloadOrder,
): Promise<void> {
  if (order.compression !== undefined) {
    if (target.content !== "iso") {
      die(`decompression not supported for ${target.content}`);
    }
    if (!["gz", "lzo", "zst", "bz2"].includes(order.compression)) {
      die("no decompression method found");
    }
  }
  task.print(`downloading ${url} to ${target.path}`);
  const existing = findVolume(call.world, target.volid, call.node);
  if (existing !== undefined) {
    if (expected === undefined) {
      die(`refusing to override existing file '${target.path}'`);
    }
    const got = existing.checksums?.[expected.algorithm] ?? expected.checksum.toLowerCase();
    if (got === expected.checksum.toLowerCase()) {
      task.print("calculating checksum of existing file...OK, got correct file already, no need to download");
      return;
    }
    task.print("calculating checksum of existing file...");
    die(`checksum mismatch: got '${got}' != expect '${expected.checksum}', aborting`);
  }
  const temporary = `${target.path}.tmp_dwnl.${1000 + task.sim.random.below(30_000)}`;
  const response = await fetchFile(task, target, url, order.verify);
  await task.sleep(copySeconds(response.file.size, storage));
  verify(task, expected, response.file.checksums);
  const known = expected === undefined ? {} : { [expected.algorithm]: expected.checksum.toLowerCase() };
  const file = { ...response.file, checksums: { ...known, ...response.file.checksums } };
  const noRoom = `download failed: Cannot write to ‘${temporary}’ (No space left on device).`;
  try {
    store(call, storage, target, { node: call.node, path: temporary, file, noRoom });
  } catch (thrown) {
    const text = failureText(thrown);
    die(text.startsWith(noRoom) ? text : `failed to verify file: ${text}`);
  }
  task.print(`download of '${url}' to '${target.path}' finished`);
}

interface DownloadOrder {
  readonly storage: Storage;
  readonly target: FileTarget;
  readonly url: string;
  readonly expected: Expectation | undefined;
  readonly compression: string | undefined;
  readonly verify: boolean;
}

/** wget: logs its progress; the last line of its error is the task's result. */
async function fetchFile(task: Task, target: FileTarget, address: string, verifyTls: boolean): Promise<WebResponse> {
  const time = new Date(task.sim.clock.now() * 1000).toISOString().replace("T", " ").slice(0, 19);
  const { hostname, port, protocol } = new URL(address);
  const server = `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
  try {
    const response = await request("GET", address, { content: target.content, verify: verifyTls });
    if (response.status === 200) {
      return response;
    }
    task.print(`--${time}--  ${address}`);
    task.print(`Connecting to ${server}... connected.`);
    task.print(`HTTP request sent, awaiting response... ${response.status} ${response.reason}`);
    return die(`download failed: ${time} ERROR ${response.status}: ${response.reason}.`);
  } catch (thrown) {
    if (!(thrown instanceof Unreachable)) {
      return Promise.reject(thrown);
    }
    task.print(`--${time}--  ${address}`);
    if (thrown.message.startsWith("wget: unable to resolve")) {
      task.print(`Resolving ${hostname} (${hostname})... failed: Name or service not known.`);
    }
    return die(`download failed: ${thrown.message}`);
  }
}

/** A file name in a UPID: all characters except plain ones are percent-encoded (`encode_text`). */
export function encodeWorkerId(filename: string): string {
  return filename.replace(/[^\x20-\x7e]|[%:]/g, (char) => encodeURIComponent(char));
}

/** pve-storage `src/PVE/API2/Storage/Status.pm`: uploads and downloads. */
export const fileTransferEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/storage/{storage}/upload",
    protected: true,
    upload: true,
    permissions: { check: ["perm", "/storage/{storage}", ["Datastore.AllocateTemplate"]] },
    parameters: {
      node,
      storage: storageId,
      ...fileParameters,
      tmpfilename: string({ optional: true, pattern: "/var/tmp/pveupload-[0-9a-f]+" }),
    },
    handler: (call) => {
      const { params, world, upload } = call;
      const storage = getEnabledStorage(world, params.storage, params.node);
      requireFiles(storage, "");
      const file = upload ?? die("missing temporary file name");
      const target = fileTarget(storage, params.content, params.filename);
      if (!holds(storage, params.content)) {
        die(`storage '${storage.storage}' does not support '${params.content}' content`);
      }
      return call.worker("imgcopy", "", async (task) => {
        const temporary = params.tmpfilename ?? "/var/tmp/pveupload-0";
        task.print(`starting file import from: ${temporary}`);
        verify(task, expectation(params), file.checksums);
        const volumeNode = params.node === "localhost" ? call.node : params.node;
        task.print(`target node: ${volumeNode}`);
        task.print(`target file: ${target.path}`);
        task.print(`file size is: ${file.size}`);
        task.print(`command: cp -- ${temporary} ${target.path}`);
        await task.sleep(copySeconds(file.size, storage));
        const noRoom = `import failed: cp: error writing '${target.path}': No space left on device`;
        store(call, storage, target, { node: volumeNode, path: temporary, file, noRoom });
        task.print("finished file import successfully");
      });
    },
  }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/storage/{storage}/download-url",
    protected: true,
    proxyTo: "node",
    permissions: {
      check: [
        "and",
        ["perm", "/storage/{storage}", ["Datastore.AllocateTemplate"]],
        ["or", ["perm", "/", ["Sys.Audit", "Sys.Modify"]], ["perm", "/nodes/{node}", ["Sys.AccessNetwork"]]],
      ],
    },
    parameters: {
      node,
      storage: storageId,
      ...fileParameters,
      url: string({ pattern: "https?://.*" }),
      compression: string({ optional: true }),
      "verify-certificates": boolean({ optional: true, default: 1 }),
    },
    handler: (call) => {
      const { params, world } = call;
      const storage = getEnabledStorage(world, params.storage, params.node);
      requireFiles(storage, ", not a file based storage!");
      if (!holds(storage, params.content)) {
        die(`storage '${storage.storage}' is not configured for content-type '${params.content}'`);
      }
      const target = fileTarget(storage, params.content, params.filename);
      const order = {
        storage,
        target,
        url: params.url,
        expected: expectation(params),
        compression: params.compression,
        verify: params["verify-certificates"] !== 0,
      };
      return call.worker("download", encodeWorkerId(target.filename), (task) => download(call, task, order));
    },
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/query-url-metadata",
    proxyTo: "node",
    permissions: {
      check: ["or", ["perm", "/", ["Sys.Audit", "Sys.Modify"]], ["perm", "/nodes/{node}", ["Sys.AccessNetwork"]]],
    },
    parameters: {
      node,
      url: string({ pattern: "https?://.*" }),
      "verify-certificates": boolean({ optional: true, default: 1 }),
    },
    handler: ({ params }) => describeUrl(params.url, params["verify-certificates"] !== 0),
  }),
];

/** pve-manager `PVE/API2/Nodes.pm`, `query_url_metadata`. */
async function describeUrl(url: string, verifyTls: boolean): Promise<Record<string, unknown>> {
  const response = await request("HEAD", url, { content: "iso", verify: verifyTls }).catch((thrown: unknown) => {
    const { hostname, port, protocol } = new URL(url);
    const server = `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
    return thrown instanceof Unreachable
      ? die(`invalid server response: '500 Can't connect to ${server} (${thrown.cause})'`)
      : Promise.reject(thrown);
  });
  if (response.status !== 200) {
    die(`invalid server response: '${response.status} ${response.reason}'`);
  }
  const { "content-disposition": disposition = "", "content-type": type, "content-length": size } = response.headers;
  const [, quoted, bare] = /filename="([^"]*)"|filename=([^;]*)/.exec(disposition) ?? [];
  const filename = quoted ?? bare ?? /^[^?]+\/([^?/]*)(?:\?.*)?$/.exec(url)?.[1];
  return {
    ...(filename && { filename }),
    ...(size && { size: Number(size) }),
    ...(type && { mimetype: type.replace(/;.*$/, "") }),
  };
}
