import { describe, expect, test } from "vitest";
import { lab, labSeed } from "../lab.ts";

const { ask, run } = lab({
  ...labSeed,
  container_templates: [
    { volid: "local:vztmpl/app.tar", oci: { entrypoint: ["/app"], cmd: ["--name", "a b"], env: ["A=1", "B=2"] } },
  ],
});
const pull = (reference: string) => run("POST /nodes/pve1/storage/local/oci-registry-pull", { reference });

describe("an image of a registry", () => {
  test("becomes a template, once", async () => {
    expect(await pull("docker.io/library/nginx:latest")).toBe("OK");
    expect(await ask("GET /nodes/pve1/storage/local/content", { content: "vztmpl" })).toContainEqual(
      expect.objectContaining({ volid: "local:vztmpl/nginx_latest.tar", format: "tar" }),
    );
  });

  test("sets what a container runs", async () => {
    const order = { vmid: 300, ostemplate: "local:vztmpl/app.tar", rootfs: "thin:1", net0: "name=eth0,bridge=vmbr0" };
    expect(await run("POST /nodes/pve1/lxc", order)).toBe("OK");
    expect(await ask("GET /nodes/pve1/lxc/300/config")).toMatchObject({
      entrypoint: "/app --name 'a b'",
      cmode: "console",
      env: "A=1\0B=2",
      net0: expect.stringContaining("host-managed=1"),
      ostype: "unmanaged",
    });
  });
});
