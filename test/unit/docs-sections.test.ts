import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { registry } from "../../src/registry.ts";

const docs = join(import.meta.dirname, "../../docs");
const resources = readdirSync(join(docs, "resources"));
const read = (path: string) => readFileSync(join(docs, path), "utf8");

describe("the page of every resource", () => {
  test.each(resources)("%s says how it changes, what it requires and what can go wrong", (name) => {
    const text = read(`resources/${name}`);
    const titles = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    for (const title of ["Example Usage", "Changes", "Schema", "Privileges", "Import", "Common Errors"])
      expect(titles).toContain(title);
    expect(text).toMatch(/^-> Requires Terraform \d/m);
  });

  test.each([
    ["group.md", "A changed value replaces the object: `id`."],
    ["group.md", "- Changed in place: `comment`."],
    ["container.md", "- Replaces the object if the container is of the other kind: `unprivileged`."],
    ["container.md", "with a warning: `clone.template`, `image.volume`, `restore.archive`."],
    ["container.md", "- Used at creation only, a changed value leaves the object as it is: `password`, `ssh_keys`."],
    ["acme_account.md", "- Changed in place: `contact`."],
    ["disk.md", "otherwise the plan refuses it: `format`, `name`, `owner`, `storage`."],
    ["download.md", "- Replaces the object if the file was changed outside of Terraform: `size_bytes`."],
    ["network_interface.md", "unless named here: `bond`, `bridge`,"],
    ["sdn_fabric.md", "- Replaces the object if it is removed: `ip6_prefix`, `ip_prefix`."],
    ["storage.md", "`dir.path`"],
    ["storage.md", "**A name that does not exist**, in `nodes`"],
    ["firewall_rules.md", "## Changes"],
    ["vm.md", "- A running VM takes over at once: `cloud_init.dns_servers`"],
    ["vm.md", '- Waits for a restart, which `restart_policy = "when_needed"` does: `acpi`'],
    ["container.md", "- A running container takes over at once: `cpu.cores`"],
    ["container.md", "`entrypoint`, `env`, `features.force_rw_sys`"],
    ["container.md", "`--with` adds other operations"],
    ["container.md", "a clone of a template is linked, one of another container is copied"],
  ])("%s has %s", (name, expected) => expect(read(`resources/${name}`)).toContain(expected));
});

test("the page of everything else shows an example and the required versions", () => {
  const folders = ["actions", "data-sources", "ephemeral-resources", "functions", "list-resources"];
  const pages = folders.flatMap((folder) => readdirSync(join(docs, folder)).map((name) => `${folder}/${name}`));
  const isComplete = (text: string) => /^-> Requires Terraform \d/m.test(text) && text.includes("## Example Usage");
  expect(pages.length).toBeGreaterThan(100);
  expect(pages.filter((path) => !isComplete(read(path)))).toEqual([]);
});

test("every type has a line in the overview of its area", () => {
  const overviews = readdirSync(join(docs, "guides"))
    .filter((name) => name.startsWith("area-"))
    .map((name) => read(`guides/${name}`))
    .join("\n");
  const types = Object.keys({ ...registry.resources, ...registry.dataSources, ...registry.actions });
  expect(types.filter((type) => !overviews.includes(`| [${type}](`))).toEqual([]);
});
