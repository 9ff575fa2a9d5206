import { describe, expect, test } from "vitest";
import type { Logger, ProviderServer } from "#framework";
import { Status } from "../../../../src/plugin/grpc/status.ts";
import { providerMethods } from "../../../../src/plugin/rpc/terraform.ts";
import { silent } from "../grpc/connection.ts";
import { stubServer } from "../stub-server.ts";

describe("a call that fails inside the provider", () => {
  test("is INTERNAL for Terraform and an error with its stack in the log", async () => {
    const errors: [string, object | undefined][] = [];
    const log: Logger = { ...silent, error: (message, fields) => errors.push([message, fields]) };
    const failing = stubServer({ readResource: () => Promise.reject(new Error("a bug")) });
    await expect(call(failing, "ReadResource", log)).rejects.toMatchObject({
      status: Status.internal,
      message: "ReadResource: a bug",
    });
    expect(errors).toEqual([
      ["ReadResource failed", { rpc: "ReadResource", error: expect.stringMatching(/a bug\n +at /) }],
    ]);
  });

  test("is INTERNAL when the provider could not be created", async () => {
    const unmade = () => Promise.reject<ProviderServer>(new Error("no module"));
    await expect(call(unmade, "ReadResource")).rejects.toMatchObject({ message: "ReadResource: no module" });
  });

  test("is INTERNAL when its stream breaks", async () => {
    const broken = stubServer({
      async *listResource() {
        yield { displayName: "one", diagnostics: [] };
        throw new Error("lost");
      },
    });
    await expect(call(broken, "ListResource")).rejects.toMatchObject({ message: "ListResource: lost" });
  });

  test("is not logged when Terraform has cancelled it", async () => {
    const log: Logger = { ...silent, error: (message) => expect.unreachable(message) };
    const failing = stubServer({ readResource: () => Promise.reject(new Error("aborted")) });
    const cancelled = call(failing, "ReadResource", log, AbortSignal.abort());
    await expect(cancelled).rejects.toMatchObject({ status: Status.cancelled });
  });
});

test("a malformed request is INTERNAL, and the provider is not called", async () => {
  const unasked = () => expect.unreachable("the provider was called");
  const malformed = call(unasked, "ReadResource", silent, undefined, Buffer.from("ffff", "hex"));
  await expect(malformed).rejects.toMatchObject({
    status: Status.internal,
    message: "ReadResource: malformed tfplugin6.ReadResource.Request: the message is truncated",
  });
});

async function call(
  server: ProviderServer | (() => Promise<ProviderServer>),
  rpc: string,
  log = silent,
  signal = new AbortController().signal,
  request = new Uint8Array(),
): Promise<void> {
  const open = typeof server === "function" ? server : async () => server;
  const handler = new Map(providerMethods(open, log)).get(`/tfplugin6.Provider/${rpc}`);
  for await (const _ of handler?.(request, signal) ?? []);
}
