import { beforeEach } from "vitest";

/** stdout belongs to the plugin handshake: code that prints there breaks Terraform, so here it fails its test. */
beforeEach(() => {
  process.stdout.write = () => {
    throw new Error("something wrote to stdout, which belongs to the plugin handshake");
  };
});
