import { expect, test } from "vitest";
import { makeServerIdentity } from "../../../../src/simulator/core/http/certificate.ts";
import { RawConnection } from "../client.ts";
import { lab } from "../lab.ts";

const at = lab(undefined, 2);

const uploaded = (restart: 0 | 1, node = "pve1") => {
  const { cert, key } = makeServerIdentity(["pve1.example.com"]);
  return at.ask(`POST /nodes/${node}/certificates/custom`, { certificates: cert, key, force: 1, restart });
};
const reason = () =>
  at.answer("GET /version").then(
    ({ status }) => String(status),
    (error: NodeJS.ErrnoException) => String(error.code),
  );

test("a restart of the proxy answers, drops connections and refuses new ones for a while", async () => {
  const idle = await RawConnection.open(at.simulator);
  expect(await uploaded(1)).toMatchObject({ filename: "pveproxy-ssl.pem" });
  await idle.ended();
  await expect.poll(reason, { interval: 10 }).toBe("ECONNREFUSED");
  await expect.poll(reason, { interval: 10, timeout: 5000 }).toBe("200");
  expect(await at.ask("DELETE /nodes/pve1/certificates/custom?restart=1")).toBeNull();
  await expect.poll(reason, { interval: 10 }).toBe("ECONNREFUSED");
  await expect.poll(reason, { interval: 10, timeout: 5000 }).toBe("200");
});

test.each([
  ["is not asked for", 0, "pve1"],
  ["is another node's", 1, "pve2"],
] as const)("connections stay if the restart %s", async (_, restart, node) => {
  const idle = await RawConnection.open(at.simulator);
  expect(await uploaded(restart, node)).toMatchObject({ filename: "pveproxy-ssl.pem" });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(idle.isEnded).toBe(false);
  expect(await reason()).toBe("200");
  idle.close();
});
