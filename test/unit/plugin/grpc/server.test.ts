import { once } from "node:events";
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from "node:http2";
import { connect as connectSocket } from "node:net";
import { Duplex } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { status } from "@grpc/grpc-js";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Handler } from "../../../../src/plugin/grpc/call.ts";
import { GrpcError, Status } from "../../../../src/plugin/grpc/status.ts";
import { dial, dialPlain, type Served, serveMethods } from "./connection.ts";

const echo: Handler = async function* (request) {
  yield request;
};

/** As many messages as the request says, each with its number. */
const count: Handler = async function* (request) {
  for (let number = 0; number < Buffer.from(request).readUInt32BE(); number++) yield Buffer.from(String(number));
};

const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const megabytes = (size: number) => Buffer.alloc(size * 1024 * 1024, "terraform");

describe("a unary call", () => {
  test.each<[string, Buffer]>([
    ["an empty message", Buffer.alloc(0)],
    ["a short message", Buffer.from("hello")],
    ["a message of 6 MB", megabytes(6)],
    ["a message of 20 MB", megabytes(20)],
  ])("carries %s both ways", async (_, message) => {
    const client = dial(await serveMethods({ "/test/Echo": echo }));
    const answer = await client.call("/test/Echo", message);
    expect(answer.equals(message)).toBe(true);
  });

  test("shares a connection with 40 others of 1 MB each", async () => {
    const client = dial(await serveMethods({ "/test/Echo": echo }));
    const message = megabytes(1);
    const answers = await Promise.all(Array.from({ length: 40 }, () => client.call("/test/Echo", message)));
    expect(answers.every((answer) => answer.equals(message))).toBe(true);
  });

  test("survives a garbage collection while its empty response is being sent", async () => {
    const client = dial(await serveMethods({ "/test/Echo": echo }));
    collectAfterEachWrite();
    const answers = await Promise.all(Array.from({ length: 30 }, () => client.call("/test/Echo")));
    expect(answers.map(({ length }) => length)).toEqual(answers.map(() => 0));
  });

  test.each<[string, Handler, number, string]>([
    ["an unexpected error as INTERNAL", failing(new Error("a bug")), status.INTERNAL, "a bug"],
    ["a thrown non-error as INTERNAL", failing("a word"), status.INTERNAL, "a word"],
    ["a status it chooses", failing(new GrpcError(Status.unavailable, "späte\n€")), status.UNAVAILABLE, "späte\n€"],
    ["a very long text truncated", failing(new Error("x".repeat(100_000))), status.INTERNAL, "x".repeat(4096)],
    ["half a character", failing(new Error("\ud800")), status.INTERNAL, "\ufffd"],
  ])("answers with %s", async (_, handler, code, details) => {
    const client = dial(await serveMethods({ "/test/Fail": handler, "/test/Echo": echo }));
    await expect(client.call("/test/Fail")).rejects.toMatchObject({ code, details });
    await expect(client.call("/test/Echo")).resolves.toEqual(Buffer.alloc(0));
  });

  test("of an unknown method is UNIMPLEMENTED, however long its request", async () => {
    const client = dial(await serveMethods({ "/test/Echo": echo }));
    const refused = client.call("/test/Nothing", megabytes(6));
    await expect(refused).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
      details: "unknown method /test/Nothing",
    });
    await expect(client.call("/test/Echo")).resolves.toEqual(Buffer.alloc(0));
  });

  test("that is compressed is UNIMPLEMENTED", async () => {
    const client = dial(await serveMethods({ "/test/Echo": echo }), undefined, {
      "grpc.default_compression_algorithm": 2,
    });
    const refused = client.call("/test/Echo", megabytes(1));
    await expect(refused).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  });

  test("that is cancelled aborts its handler", async () => {
    const cancelled = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const wait: Handler = async function* (request, signal) {
      started.resolve();
      await once(signal, "abort");
      cancelled.resolve();
      yield request;
    };
    const call = dial(await serveMethods({ "/test/Wait": wait })).stream("/test/Wait");
    call.on("error", () => {});
    await started.promise;
    call.cancel();
    await cancelled.promise;
  });

  test("that was answered no longer aborts its handler", async () => {
    const signals: AbortSignal[] = [];
    const watched: Handler = (request, signal) => {
      signals.push(signal);
      return echo(request, signal);
    };
    const served = await serveMethods({ "/test/Echo": watched }, { plain: true });
    const stream = connectRaw(served).request(grpcHeaders("/test/Echo")).resume();
    stream.end(frame(Buffer.alloc(3)));
    await once(stream, "close");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });
});

test("calls that are cancelled at any moment do not affect others", async () => {
  const methods = { "/test/Echo": echo, "/test/Count": count, "/test/Fail": failing(new Error("a bug")) };
  const served = await serveMethods(methods, { plain: true });
  const session = connectRaw(served);
  for (let run = 0; run < 600; run++) {
    const path = ["/test/Echo", "/test/Count", "/test/Fail", "/test/Nothing"][run % 4] ?? "";
    const headers = run % 7 === 0 ? { ":path": path } : grpcHeaders(path);
    const stream = session.request(headers).on("error", () => {});
    if (run % 3 === 0) stream.close();
    stream.end(frame(number(run % 5)));
    for (let turn = 0; turn < run % 6; turn++) await new Promise(setImmediate);
    stream.close();
  }
  await expect(dialPlain(served).call("/test/Echo")).resolves.toEqual(Buffer.alloc(0));
});

describe("a stream of responses", () => {
  test("arrives complete and in order", async () => {
    const call = dial(await serveMethods({ "/test/Count": count })).stream("/test/Count", number(500));
    const received: string[] = [];
    for await (const message of call) received.push(String(message));
    expect(received).toEqual(Array.from({ length: 500 }, (_, index) => String(index)));
  });

  test("without a message ends with OK", async () => {
    const call = dial(await serveMethods({ "/test/Count": count })).stream("/test/Count", number(0));
    const [ended] = await Promise.all([once(call, "status"), call.toArray()]);
    expect(ended[0]).toMatchObject({ code: status.OK });
  });

  test("that fails half way delivers the messages so far, then the status", async () => {
    const half: Handler = async function* () {
      yield Buffer.from("one");
      throw new Error("no two");
    };
    const call = dial(await serveMethods({ "/test/Half": half })).stream("/test/Half");
    const received: string[] = [];
    const failed = once(call, "error");
    call.on("data", (message: Buffer) => received.push(String(message)));
    expect((await failed)[0]).toMatchObject({ code: status.INTERNAL, details: "no two" });
    expect(received).toEqual(["one"]);
  });

  test("waits for a client that reads slowly", async () => {
    let produced = 0;
    const chunk = megabytes(1);
    const flood: Handler = async function* () {
      while (produced < 500) {
        produced++;
        yield chunk;
      }
    };
    const served = await serveMethods({ "/test/Flood": flood }, { plain: true });
    const session = connectRaw(served);
    const stream = session.request(grpcHeaders("/test/Flood"));
    stream.end(frame(Buffer.alloc(0)));
    stream.pause();
    await once(stream, "response");
    // The client's window is 64 KiB; the rest waits on the server's side, at most one message of it.
    await settled(() => produced);
    expect(produced).toBeLessThan(10);
    stream.destroy();
  });

  test("that is large and not yet read leaves room for other calls", async () => {
    const large: Handler = async function* () {
      yield megabytes(20);
    };
    const served = await serveMethods({ "/test/Large": large, "/test/Echo": echo }, { plain: true });
    const session = connectRaw(served);
    const unread = session.request(grpcHeaders("/test/Large"));
    unread.end(frame(Buffer.alloc(0)));
    unread.pause();
    await once(unread, "response");
    const other = session.request(grpcHeaders("/test/Echo"));
    other.end(frame(Buffer.from("hello")));
    expect(Buffer.concat(await other.toArray())).toEqual(frame(Buffer.from("hello")));
  });

  test("ends its handler when the client stops reading it", async () => {
    const ended = Promise.withResolvers<void>();
    const endless: Handler = async function* () {
      try {
        for (;;) yield Buffer.from("more");
      } finally {
        ended.resolve();
      }
    };
    const call = dial(await serveMethods({ "/test/Endless": endless })).stream("/test/Endless");
    call.on("error", () => {});
    await once(call, "data");
    call.cancel();
    await ended.promise;
  });
});

describe("a connection", () => {
  test("that breaks aborts the handlers of its calls, and calls its callback", async () => {
    const cancelled = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const hold: Handler = async function* () {
      started.resolve();
      await new Promise<void>(() => {});
      yield Buffer.alloc(0);
    };
    const watched: Handler = (request, signal) => {
      signal.addEventListener("abort", () => cancelled.resolve());
      return hold(request, signal);
    };
    const served = await serveMethods({ "/test/Hold": watched }, { plain: true });
    const session = connectRaw(served);
    session
      .request(grpcHeaders("/test/Hold"))
      .on("error", () => {})
      .end(frame(Buffer.alloc(0)));
    await started.promise;
    session.destroy();
    await cancelled.promise;
    await served.closed;
  });

  test("answers pings", async () => {
    const session = connectRaw(await serveMethods({}, { plain: true }));
    await once(session, "connect");
    await new Promise<void>((resolve, reject) => {
      session.ping((error) => (error ? reject(error) : resolve()));
    });
  });

  test("with another protocol is dropped, and the others are served", async () => {
    const served = await serveMethods({ "/test/Echo": echo }, { plain: true });
    const socket = connectSocket(served.path);
    socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
    socket.resume();
    await once(socket, "close");
    await expect(dialPlain(served).call("/test/Echo")).resolves.toEqual(Buffer.alloc(0));
  });
});

describe("a request that breaks gRPC's rules", () => {
  test.each<[string, Buffer, number]>([
    ["no message at all", Buffer.alloc(0), Status.internal],
    ["two messages", Buffer.concat([frame(Buffer.from("a")), frame(Buffer.from("b"))]), Status.internal],
    ["half a prefix", Buffer.alloc(3), Status.internal],
    ["half a message", frame(Buffer.from("hello")).subarray(0, 7), Status.internal],
    ["a compressed message", Buffer.from("0100000001ff", "hex"), Status.unimplemented],
    ["a message beyond every limit", Buffer.from("00ffffffff00", "hex"), Status.resourceExhausted],
  ])("is refused: %s", async (_, body, expected) => {
    const session = connectRaw(await serveMethods({ "/test/Echo": echo }, { plain: true }));
    const stream = session.request(grpcHeaders("/test/Echo"));
    stream.end(body);
    const [headers] = (await once(stream, "response")) as [IncomingHttpHeaders];
    expect(headers["grpc-status"]).toBe(String(expected));
    stream.resume();
    await once(stream, "close");
  });

  test("gets a 415 when it is not gRPC", async () => {
    const session = connectRaw(await serveMethods({ "/test/Echo": echo }, { plain: true }));
    const stream = session.request({ ":path": "/test/Echo", "content-type": "text/html" });
    const [headers] = (await once(stream, "response")) as [IncomingHttpHeaders];
    expect(headers[":status"]).toBe(415);
  });
});

describe("the end", () => {
  test("lets calls that observe their signal respond, and closes the connection", async () => {
    const started = Promise.withResolvers<void>();
    const last: Handler = async function* (_, signal) {
      started.resolve();
      await once(signal, "abort");
      yield Buffer.from("what there was");
    };
    const served = await serveMethods({ "/test/Last": last });
    const answer = dial(served).call("/test/Last");
    await started.promise;
    await served.grpc.close();
    await expect(answer).resolves.toEqual(Buffer.from("what there was"));
    await served.closed;
  });

  test("does not wait for a call whose request never ends", async () => {
    const served = await serveMethods({ "/test/Echo": echo }, { plain: true });
    const session = connectRaw(served);
    const stream = session.request(grpcHeaders("/test/Echo"), { endStream: false });
    const answered = once(stream, "response");
    await once(session, "remoteSettings");
    await new Promise<void>((resolve) => session.ping(() => resolve()));
    await served.grpc.close();
    expect((await answered)[0]).toMatchObject({ "grpc-status": String(Status.cancelled) });
  });

  test("because of an error answers every open call", async () => {
    const started = Promise.withResolvers<void>();
    const stuck: Handler = async function* () {
      started.resolve();
      await new Promise<void>(() => {});
      yield Buffer.alloc(0);
    };
    const served = await serveMethods({ "/test/Stuck": stuck });
    const answer = dial(served).call("/test/Stuck");
    await started.promise;
    served.grpc.fail(new GrpcError(Status.internal, "it broke"));
    await expect(answer).rejects.toMatchObject({ code: status.INTERNAL, details: "it broke" });
  });
});

function failing(thrown: unknown): Handler {
  return async function* () {
    yield* [];
    throw thrown;
  };
}

function frame(message: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0), number(message.length), message]);
}

function grpcHeaders(path: string) {
  return { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
}

/** HTTP/2 without gRPC's conventions. */
function connectRaw({ path }: Served): ClientHttp2Session {
  const session = connect("http://localhost", { createConnection: () => connectSocket(path) });
  session.on("error", () => {});
  onTestFinished(() => session.destroy());
  return session;
}

/** Waits until a number has stopped growing. */
async function settled(value: () => number): Promise<void> {
  let before = -1;
  await vi.waitFor(
    () => {
      const now = value();
      const isStill = now === before;
      before = now;
      expect(isStill).toBe(true);
    },
    { interval: 100 },
  );
}

/** Collects garbage, and fills the freed memory, at the moment when Node reports a chunk as sent. */
function collectAfterEachWrite(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const junk: Buffer[] = [];
  const spoil = () => {
    collect();
    for (let index = 0; index < 300; index++) junk[index] = Buffer.alloc(5, 0xab);
  };
  const { write } = Duplex.prototype;
  // Not a spy: that would keep a reference to every chunk. Calls with a callback come from the client.
  Duplex.prototype.write = function (this: Duplex, ...given: unknown[]) {
    return Reflect.apply(write, this, given.length > 1 ? given : [...given, spoil]);
  };
  onTestFinished(() => {
    Duplex.prototype.write = write;
  });
}
