import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lab } from "../lab.ts";
import { type Part, post } from "./multipart.ts";

const cluster = lab();
const { ask, run } = cluster;

const GiB = 2 ** 30;
/** The beginning of a qcow2 image with a disk of 3 GiB. */
const qcow2 = Buffer.alloc(4096);
qcow2.writeUInt32BE(0x514649fb);
qcow2.writeUInt32BE(3, 4);
qcow2.writeBigUInt64BE(BigInt(3 * GiB), 24);

const files = async () =>
  ((await ask("GET /nodes/pve1/storage/local/content")) as Record<string, unknown>[]).filter(
    ({ vmid }) => vmid === undefined,
  );

/** Uploads and gives the task's end, or the refusal. */
async function upload(parts: readonly Part[], storage = "local"): Promise<string> {
  const [status, body] = await post(cluster.simulator, `/nodes/pve1/storage/${storage}/upload`, parts);
  const { data, message, errors } = JSON.parse(body) as { data?: string; message?: string; errors?: object };
  if (typeof data !== "string") {
    return `${status} ${JSON.stringify(errors ?? message)}`;
  }
  const { simulator } = cluster;
  for (;;) {
    const record = simulator.sim.world.tasks.find(({ upid }) => upid === data);
    if (record?.exitstatus !== undefined) {
      return record.exitstatus;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const text = (name: string, value: string): Part => ({ name, value });
const file = (filename: string, value: string | Buffer = "x".repeat(1000)): Part => ({
  name: "filename",
  filename,
  value,
});

/** One member of a tar archive. */
function member(name: string, body: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.write(name);
  header.write("0000644\0", 100);
  header.write(`${body.length.toString(8).padStart(11, "0")}\0`, 124);
  header.fill(" ", 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

const ovf = `<Envelope><References><File ovf:href="d.qcow2" ovf:id="f1"/></References>
<DiskSection><Disk ovf:capacity="3" ovf:capacityAllocationUnits="byte * 2^30" ovf:diskId="d1" ovf:fileRef="f1"/></DiskSection>
<VirtualSystem ovf:id="my vm"><OperatingSystemSection ovf:id="94"/><VirtualHardwareSection>
<Item><rasd:InstanceID>1</rasd:InstanceID><rasd:ResourceType>20</rasd:ResourceType></Item>
<Item><rasd:AddressOnParent>2</rasd:AddressOnParent><rasd:HostResource>ovf:/disk/d1</rasd:HostResource><rasd:Parent>1</rasd:Parent><rasd:ResourceType>17</rasd:ResourceType></Item>
</VirtualHardwareSection></VirtualSystem></Envelope>`;

describe("an archive of a virtual machine", () => {
  const ova = Buffer.concat([member("vm.ovf", Buffer.from(ovf)), member("d.qcow2", qcow2), Buffer.alloc(1024)]);

  test("lists what it holds, and its disks can be imported", async () => {
    expect(await upload([text("content", "import"), file("vm.ova", ova)])).toBe("OK");
    expect(await ask("GET /nodes/pve1/storage/local/import-metadata", { volume: "import/vm.ova" })).toMatchObject({
      "create-args": { name: "my-vm", ostype: "l26", boot: "order=sata2" },
      disks: { sata2: { volid: "local:import/vm.ova/d.qcow2", size: 3 * GiB } },
    });
    const order = { vmid: 600, sata2: "thin:0,import-from=local:import/vm.ova/d.qcow2" };
    expect(await run("POST /nodes/pve1/qemu", order)).toBe("OK");
    expect(await ask("GET /nodes/pve1/qemu/600/config")).toMatchObject({ sata2: "thin:vm-600-disk-0,size=3G" });
    const left = (await ask("GET /nodes/pve1/storage/local/content", { vmid: 600, content: "images" })) as unknown[];
    expect(left).toEqual([]);
  });
});

describe("an upload", () => {
  test("is the last request of its connection", async () => {
    const parts = [text("content", "iso"), file("last.iso")];
    const [status, , connection] = await post(cluster.simulator, "/nodes/pve1/storage/local/upload", parts);
    expect([status, connection]).toEqual(["200 OK", "close"]);
  });

  test("of an ISO file is in the list", async () => {
    expect(await upload([text("content", "iso"), file("debian.iso")])).toBe("OK");
    expect(await files()).toMatchObject([{ volid: "local:iso/debian.iso", content: "iso", format: "iso", size: 1000 }]);
  });

  test("keeps the file's own name out of other directories", async () => {
    expect(await upload([text("content", "iso"), file("../../a b.iso")])).toBe("OK");
    expect((await files())[0]).toMatchObject({ volid: "local:iso/a_b.iso" });
  });

  test("of an image can be imported with the size of the disk inside", async () => {
    expect(await upload([text("content", "import"), file("cloud.qcow2", qcow2)])).toBe("OK");
    expect(await files()).toMatchObject([{ volid: "local:import/cloud.qcow2", format: "qcow2", size: 4096 }]);
    expect(await ask("GET /nodes/pve1/storage/local/content/local:import/cloud.qcow2")).toMatchObject({
      path: "/var/lib/vz/import/cloud.qcow2",
      size: 3 * GiB,
      format: "qcow2",
    });
  });

  test("overwrites without a word", async () => {
    await upload([text("content", "iso"), file("a.iso", "one")]);
    await upload([text("content", "iso"), file("a.iso", "three")]);
    expect(await files()).toMatchObject([{ size: 5 }]);
  });

  test.each<[string, Part[], string]>([
    [
      "that is no image fails in its task",
      [text("content", "import"), file("x.qcow2")],
      expect.stringMatching(/Could not open '\/var\/tmp\/pveupload-[0-9a-f]+': Image is not in qcow2 format$/),
    ],
    [
      "with another extension is refused",
      [text("content", "iso"), file("x.txt")],
      '400 Parameter verification failed. {"filename":"wrong file extension"}',
    ],
    [
      "for import with another extension is refused",
      [text("content", "import"), file("x.vdi")],
      '400 Parameter verification failed. {"filename":"invalid filename or wrong extension"}',
    ],
    [
      "of a snippet is refused",
      [text("content", "snippets"), file("x.yml")],
      `400 Parameter verification failed. {"content":"value 'snippets' does not have a value in the enumeration 'iso, vztmpl, import'"}`,
    ],
  ])("%s", async (_, parts, expected) => {
    expect(await upload(parts)).toEqual(expected);
    expect(await files()).toEqual([]);
  });

  test("is checked against the digest that is given", async () => {
    const digest = (algorithm: string) => createHash(algorithm).update("abc").digest("hex");
    const parts = (checksum: string) => [
      text("content", "iso"),
      text("checksum-algorithm", "sha256"),
      text("checksum", checksum),
      file("a.iso", "abc"),
    ];
    expect(await upload(parts(digest("sha256").toUpperCase()))).toBe("OK");
    expect(await upload(parts(digest("sha1")))).toBe(
      `checksum mismatch: got '${digest("sha256")}' != expect '${digest("sha1")}'`,
    );
  });

  test.each([
    ["thin", "can't upload to storage type 'lvmthin'"],
    ["nope", "storage 'nope' does not exist"],
  ])("to %s is refused", async (storage, expected) => {
    expect(await upload([text("content", "iso"), file("a.iso")], storage)).toBe(`500 ${expected} "${expected}\\n"`);
  });

  test("of content the storage is not meant for is refused", async () => {
    await ask("PUT /storage/local", { content: "images" });
    expect(await upload([text("content", "iso"), file("a.iso")])).toContain(
      "storage 'local' does not support 'iso' content",
    );
  });
});

describe("a download", () => {
  let server: Server;
  let origin = "";
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === "/moved.iso") {
        response.writeHead(302, { location: "/real.iso" }).end();
      } else if (request.url === "/real.iso" || request.url === "/cloud.qcow2") {
        const body = request.url === "/real.iso" ? Buffer.from("real") : qcow2;
        response.writeHead(200, { "content-length": body.length, "content-type": "application/x-iso; v=1" }).end(body);
      } else {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const download = (path: string, more: Record<string, string> = {}) =>
    run("POST /nodes/pve1/storage/local/download-url", {
      content: "iso",
      filename: "d.iso",
      url: path.startsWith("http") ? path : `${origin}${path}`,
      ...more,
    });

  test("fetches what this machine serves", async () => {
    expect(await download("/real.iso")).toBe("OK");
    expect(await files()).toMatchObject([{ volid: "local:iso/d.iso", size: 4 }]);
  });

  test("follows the server elsewhere", async () => {
    expect(await download("/moved.iso")).toBe("OK");
    expect(await files()).toMatchObject([{ size: 4 }]);
  });

  test("finds every file on hosts that are not this machine, without asking them", async () => {
    expect(await download("https://cloud.example/noble.img", { content: "import", filename: "noble.qcow2" })).toBe(
      "OK",
    );
    expect(await files()).toMatchObject([{ volid: "local:import/noble.qcow2", format: "qcow2" }]);
  });

  test("that no server has fails with wget's words", async () => {
    expect(await download("http://127.0.0.1:1/x.iso")).toBe(
      "download failed: Connecting to 127.0.0.1:1... failed: Connection refused.",
    );
    expect(await download("/none.iso")).toMatch(
      /^download failed: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d ERROR 404: Not Found\.$/,
    );
  });

  test.each(["http://nas/x.iso", "https://mirror.invalid/x.iso"])("does not know every name: %s", async (url) => {
    const host = new URL(url).hostname;
    expect(await download(url)).toBe(`download failed: wget: unable to resolve host address ‘${host}’`);
    expect(await ask("GET /nodes/pve1/query-url-metadata", { url })).toMatch(
      /^500 invalid server response: '500 Can't connect to [a-z.]+:\d+ \(Name or service not known\)'$/,
    );
  });

  test("does not replace a file, unless its digest is the expected one", async () => {
    const sha1 = createHash("sha1").update("real").digest("hex");
    await download("/real.iso");
    expect(await download("/real.iso")).toBe("refusing to override existing file '/var/lib/vz/template/iso/d.iso'");
    expect(await download("/real.iso", { checksum: sha1, "checksum-algorithm": "sha1" })).toBe("OK");
    expect(await download("/real.iso", { checksum: "0", "checksum-algorithm": "sha1" })).toBe(
      `checksum mismatch: got '${sha1}' != expect '0', aborting`,
    );
  });

  test.each<[string, Record<string, string>, string]>([
    [
      "checks the digest",
      { checksum: "0", "checksum-algorithm": "md5" },
      `checksum mismatch: got '${createHash("md5").update("real").digest("hex")}' != expect '0'`,
    ],
    [
      "needs both halves of a digest",
      { checksum: "0" },
      "400 Parameter verification failed. | checksum-algorithm: missing property required by 'checksum'",
    ],
    [
      "unpacks only ISO files",
      { content: "vztmpl", filename: "d.tar.gz", compression: "gz" },
      "decompression not supported for vztmpl",
    ],
    ["unpacks only what it knows", { compression: "rar" }, "no decompression method found"],
    [
      "has an address",
      { url: "ftp://x/y.iso" },
      "400 Parameter verification failed. | url: value does not match the regex pattern",
    ],
  ])("%s", async (_, more, expected) => {
    expect(await download("/real.iso", more)).toBe(expected);
  });

  test("needs rights on the network", async () => {
    const form = { content: "iso", filename: "d.iso", url: "https://a.example/d.iso" };
    expect(await ask("POST /nodes/pve1/storage/local/download-url", form, "auditor@pve!tk")).toBe(
      "403 Permission check failed (/storage/local, Datastore.AllocateTemplate)",
    );
  });

  test("can be asked about first", async () => {
    expect(await ask("GET /nodes/pve1/query-url-metadata", { url: `${origin}/real.iso?x=1` })).toBe(
      "500 invalid server response: '404 Not Found'",
    );
    expect(await ask("GET /nodes/pve1/query-url-metadata", { url: `${origin}/real.iso` })).toEqual({
      filename: "real.iso",
      size: 4,
      mimetype: "application/x-iso",
    });
  });
});
