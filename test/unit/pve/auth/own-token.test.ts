import { expect, it } from "vitest";
import { startLocalClient, token } from "../local-client.ts";
import { type Handler, json, refusal } from "../local-server.ts";

const id = { user: "tf@pve", name: "ci" };
const next = "3f6b1f2e-0000-4000-8000-ffffffffffff";
const version = json({ version: "9.2.11", release: "9.2" });

/** A server that has taken the rotation, and answers it only after it has refused the old secret. */
function turning(): Handler {
  let refused: (() => void) | undefined;
  const isRefused = new Promise<void>((resolve) => {
    refused = resolve;
  });
  let secret = token;
  return async ({ method, headers }) => {
    if (headers.authorization !== `PVEAPIToken=${secret}`) {
      refused?.();
      return refusal(401, "Authentication failed!");
    }
    if (method !== "PUT") return version;
    secret = `tf@pve!ci=${next}`;
    await isRefused;
    return json({ value: next });
  };
}

it("a request that the old secret is refused for waits for the answer of the rotation", async () => {
  await using local = await startLocalClient(turning());
  const { client } = local;
  const rotation = client.access.tokens.regenerate(id);
  await expect.poll(() => local.server.requests.length).toBe(1);
  await expect(client.cluster.getVersion()).resolves.toMatchObject({ version: "9.2.11" });
  await expect(rotation).resolves.toBe(next);
  await client.cluster.getVersion();
  expect(local.server.requests.at(-1)?.headers).toMatchObject({ authorization: `PVEAPIToken=tf@pve!ci=${next}` });
  expect(local.secrets).toContain(next);
});

it("a request is refused once for credentials that are not changed", async () => {
  await using local = await startLocalClient(() => refusal(401, "Authentication failed!"));
  await expect(local.client.cluster.getVersion()).rejects.toMatchObject({ kind: "auth" });
  await expect(local.client.access.tokens.regenerate(id)).rejects.toMatchObject({ kind: "auth" });
  expect(local.server.requests).toHaveLength(2);
});
