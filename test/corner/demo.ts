/** `npm run demo`: what the framework can do, shown on the provider that needs no server. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demonstrate, type Scene } from "../../src/cli/demonstration.ts";
import { buildPluginBinary } from "../terraform/plugin-binary.ts";
import { cornerAddress } from "./provider/address.ts";
import { Store } from "./provider/store.ts";

const header = `
terraform {
  required_providers {
    corner = { source = "${cornerAddress}" }
  }
}
`;

const thing = (size: number) => `
resource "corner_thing" "first" {
  name = "first"
  size = ${size}
}

resource "corner_chained" "second" {
  input = corner_thing.first.id
  ports = { net0 = { name = "uplink" } }
}
`;

const pair = `
import {
  to = corner_pair.found
  id = "north/lights"
}

resource "corner_pair" "found" {
  region = "north"
  name   = "lights"
  weight = 7
}
`;

const scenes: Scene[] = [
  {
    title: "A configuration, and a provider written in TypeScript to go with it.",
    files: { "terraform.tf": header, "main.tf": thing(1) },
    terraform: ["init"],
    quiet: true,
  },
  {
    title: "The plan: values that only the provider can know are known after apply.",
    terraform: ["plan", "-out=plan"],
  },
  { title: "The plan is carried out, the second resource waiting for the first.", terraform: ["apply", "plan"] },
  { title: "A second plan finds nothing to do.", terraform: ["plan", "-detailed-exitcode"] },
  {
    title: "A changed size is an update in place; what depends on the id is left alone.",
    files: { "main.tf": thing(2) },
    terraform: ["apply", "-auto-approve"],
  },
  {
    title: "Something that exists already is taken over by an import block.",
    files: { "import.tf": pair },
    terraform: ["apply", "-auto-approve"],
  },
  { title: "And again there is nothing left to do.", terraform: ["plan", "-detailed-exitcode"] },
  { title: "Everything is destroyed.", terraform: ["destroy", "-auto-approve"] },
];

const store = mkdtempSync(join(tmpdir(), "corner-store-"));
try {
  new Store(store, "the demo").put("pair", "north/lights", { region: "north", name: "lights", weight: 7 });
  const plugin = await buildPluginBinary("corner", join(import.meta.dirname, "provider/main.ts"));
  process.exitCode = demonstrate({ address: cornerAddress, command: [plugin.path] }, scenes, { CORNER_FOLDER: store });
} finally {
  rmSync(store, { recursive: true, force: true });
}
