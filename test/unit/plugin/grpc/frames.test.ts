import fc from "fast-check";
import { expect, test } from "vitest";
import { MessageReader, messagePrefix } from "../../../../src/plugin/grpc/frames.ts";

const framed = (message: Uint8Array) => Buffer.concat([messagePrefix(message), message]);

test("messages round-trip, wherever the byte stream is split", () => {
  const cuts = fc.array(fc.nat({ max: 400 }));
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 5 }), cuts, (messages, positions) => {
      const bytes = Buffer.concat(messages.map(framed));
      const reader = new MessageReader();
      const read: Buffer[] = [];
      let start = 0;
      for (const end of [...positions.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length]) {
        read.push(...reader.push(bytes.subarray(start, end)));
        start = end;
      }
      expect(read.map((message) => [...message])).toEqual(messages.map((message) => [...message]));
      expect(reader.isMidMessage).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test("an incomplete message is detected", () => {
  for (const length of [1, 4, 5, 6, 7]) {
    const reader = new MessageReader();
    expect([...reader.push(framed(Buffer.from("abc")).subarray(0, length))]).toEqual([]);
    expect(reader.isMidMessage).toBe(true);
  }
});

test("a compressed message is refused with UNIMPLEMENTED, since the server offers no compression", () => {
  expect(() => [...new MessageReader().push(Buffer.from("0100000001ff", "hex"))]).toThrow(
    expect.objectContaining({ status: 12 }),
  );
});

test("a message beyond 256 MiB is refused with RESOURCE_EXHAUSTED before it arrives", () => {
  expect(() => [...new MessageReader().push(Buffer.from("0010000001", "hex"))]).toThrow(
    expect.objectContaining({ status: 8 }),
  );
  expect([...new MessageReader().push(Buffer.from("0010000000", "hex"))]).toEqual([]);
});
