import { beforeEach } from "vitest";

/** stdout is reserved for the plugin handshake: code that prints there breaks Terraform, so it fails its test here. */
beforeEach(() => {
  process.stdout.write = () => {
    throw new Error("something wrote to stdout, which is reserved for the plugin handshake");
  };
});
