import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const markdownUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
    .map((name) => join(folder, name));
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...["docs", "src", ".github"].flatMap(markdownUnder),
];
const read = (path: string) => readFileSync(join(root, path), "utf8");
const own = "https://github.com/proxmox-ts/terraform-provider-proxmox/";

/** Without code, in which brackets mean something else. */
const prose = (text: string) => text.replaceAll(/^( *)```.*?^\1```/gms, "").replaceAll(/`[^`\n]*`/g, "code");

/** The anchors of a page: GitHub's for its headings, and explicit ones. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.replaceAll(/^( *)```.*?^\1```/gms, "").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-"),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)]);
}

function problemOf(document: string, target: string): string | undefined {
  // Links to this repository on its site are links to its files.
  const [, local] = new RegExp(`^${own}(?:blob|tree)/main/(.+)$`).exec(target) ?? [];
  if (local === undefined && /^[a-z]+:/.test(target)) return undefined;
  const [path = "", anchor] = (local ?? target).split("#");
  const base = local === undefined ? dirname(document) : ".";
  const file = path === "" ? document : relative(root, join(root, base, path));
  if (!existsSync(join(root, file))) return `${document}: ${target}: no such file`;
  if (anchor === undefined || !file.endsWith(".md")) return undefined;
  return anchorsOf(read(file)).has(anchor) ? undefined : `${document}: ${target}: no such heading`;
}

const problemsIn = (document: string, text: string): string[] =>
  [...prose(text).matchAll(/\]\(<?([^)>\s]+)>?\)/g)].flatMap(([, target = ""]) => problemOf(document, target) ?? []);

test("every link leads to a file that exists, and to a heading in it", () => {
  expect(documents.length).toBeGreaterThan(150);
  expect(documents.flatMap((document) => problemsIn(document, read(document)))).toEqual([]);
});

test.each(["[a](docs/nowhere.md)", "[a](docs/index.md#nowhere)", "[a](#nowhere)", `[a](${own}blob/main/nowhere.ts)`])(
  "%s is found",
  (text) => {
    expect(problemsIn("README.md", text)).toHaveLength(1);
  },
);

/** The pages that the Terraform Registry shows; it knows these places only. */
const isShown = (path: string) =>
  /^docs\/(index\.md|(guides|resources|data-sources|functions|ephemeral-resources|list-resources|actions)\/)/.test(
    path,
  );

const leavesRegistry = (document: string, text: string): string[] =>
  [...prose(text).matchAll(/\]\(<?([^)>\s#]+)[^)]*\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => !isShown(relative(root, join(root, dirname(document), target))))
    .map((target) => `${document}: ${target}`);

test("a page that the Registry shows links to others by their place there, and to the rest by its address", () => {
  const shown = documents.filter(isShown);
  expect(shown.length).toBeGreaterThan(150);
  expect(shown.flatMap((document) => leavesRegistry(document, read(document)))).toEqual([]);
  expect(leavesRegistry("docs/guides/a.md", "[a](../decisions/001-names.md) ![b](../images/b.svg#c)")).toHaveLength(2);
});

test("every page in `docs` is one that the Registry shows, or is for developers", () => {
  const others = documents.filter((document) => document.startsWith("docs/") && !isShown(document));
  expect(
    others.filter((document) => !/^docs\/(decisions\/|(trace-format|terraform-rules)\.md$)/.test(document)),
  ).toEqual([]);
});
