import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as google from "../../../../src/plugin/gen/google-protobuf.ts";
import * as broker from "../../../../src/plugin/gen/grpc-broker.ts";
import * as controller from "../../../../src/plugin/gen/grpc-controller.ts";
import * as stdio from "../../../../src/plugin/gen/grpc-stdio.ts";
import * as health from "../../../../src/plugin/gen/health.ts";
import * as tfplugin6 from "../../../../src/plugin/gen/tfplugin6.ts";
import { decode } from "../../../../src/plugin/protobuf/decode.ts";
import { encode } from "../../../../src/plugin/protobuf/encode.ts";
import type { Message } from "../../../../src/plugin/protobuf/message.ts";
import { MalformedMessage } from "../../../../src/plugin/protobuf/wire-reader.ts";
import { anyValue, canonical, declaredMessages, oracle } from "./oracle.ts";

const messages = [google, broker, controller, stdio, health, tfplugin6]
  .flatMap((file) => Object.values(file))
  .filter((value): value is Message<object> => "fields" in value);

describe("the generated tables", () => {
  test("have exactly the messages that the .proto files declare", () => {
    expect(messages.map(({ name }) => name).sort()).toEqual(declaredMessages().sort());
  });

  test.each(messages.map((message) => [message.name, message] as const))(
    "another implementation reads %s as it was written",
    (name, message) => {
      fc.assert(
        fc.property(anyValue(message), (value) => {
          expect(canonical(oracle(name).decode(encode(message, value)))).toEqual(canonical(value));
        }),
        { numRuns: 25 },
      );
    },
  );

  test.each(messages.map((message) => [message.name, message] as const))(
    "%s is read as another implementation wrote it",
    (name, message) => {
      fc.assert(
        fc.property(anyValue(message), (value) => {
          expect(canonical(decode(message, oracle(name).encode(value)))).toEqual(canonical(value));
        }),
        { numRuns: 25 },
      );
    },
  );
});

describe("malformed bytes", () => {
  /** Any input yields a message or this error. */
  function survives(message: Message<object>, bytes: Uint8Array): void {
    try {
      decode(message, bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedMessage);
    }
  }

  test("yield a message or an error when random, for every message", () => {
    fc.assert(fc.property(fc.constantFrom(...messages), fc.uint8Array({ maxLength: 200 }), survives), {
      numRuns: 5000,
    });
  });

  test("yield a message or an error when damaged, for every message", () => {
    const damaged = fc
      .constantFrom(...messages)
      .chain((message) =>
        fc.tuple(fc.constant(message), anyValue(message), fc.nat(), fc.integer({ min: 0, max: 255 }), fc.nat()),
      );
    fc.assert(
      fc.property(damaged, ([message, value, at, byte, cut]) => {
        const bytes = Buffer.from(encode(message, value));
        if (bytes.length > 0) bytes[at % bytes.length] = byte;
        survives(message, bytes.subarray(0, bytes.length - (cut % 3)));
      }),
      { numRuns: 3000 },
    );
  });
});
