import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { createServer } from "#framework";
import { encodeAnswers } from "#plugin";
import { version as ownVersion } from "../src/cli/version.ts";
import { provider } from "../src/provider.ts";
import { type Bundle, bundle } from "./bundle.ts";
import { type Licensed, licensesOf, printLicenses } from "./licenses.ts";

export interface ProviderBundleOptions {
  /** Default: the one in `package.json`. */
  version?: string;
  /** Components shipped with the bundled packages, such as the runtime. */
  components?: readonly Licensed[];
}

export interface ProviderBundle {
  files: Bundle;
  /** All components: the provider itself, those shipped with it, then the bundled packages by name. */
  contents: readonly Licensed[];
}

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The provider as it is shipped: with its encoded schema, its version, and the licences of all components. */
export async function bundleProvider(options: ProviderBundleOptions = {}): Promise<ProviderBundle> {
  const { version = ownVersion, components = [] } = options;
  const entry = join(root, "src/main.ts");
  const known = [
    ...(await preparedAnswers()),
    replace(/src\/cli\/version\.ts$/, `export const version = ${JSON.stringify(version)};`),
    replace(/node_modules\/undici\/index\.js$/, usedOfUndici),
    ...parserOfHcl,
  ];
  // The bundled packages are known only after bundling; their licences are then bundled too.
  const inputs: string[] = [];
  await bundle(entry, [...known, recordInputs(inputs)]);
  const own = { name: "terraform-provider-proxmox", version, license: "MPL-2.0", text: read("LICENSE") };
  const contents = [own, ...components, ...licensesOf(inputs, root)];
  const licenses = JSON.stringify(printLicenses(contents));
  const texts = replace(/src\/cli\/licenses\.ts$/, `export const licenses = ${licenses};`);
  return { files: await bundle(entry, [...known, texts]), contents };
}

/**
 * undici's index runs all of it: fetch, web sockets, caches, mocks. An import that is not listed here makes the build
 * fail.
 */
const usedOfUndici = `
  export { default as Pool } from "./lib/dispatcher/pool.js";
  export { default as buildConnector } from "./lib/core/connect.js";
`;

/**
 * The parser of `translate`, with its compiled grammar (decision 023). Its build for CommonJS does without `import.meta`, which
 * the executable does not have.
 */
export const parserOfHcl: Plugin[] = [
  replace(
    /src\/cli\/translate\/hcl\/parser-files\.ts$/,
    `import runtime from "web-tree-sitter/web-tree-sitter.wasm";
     import grammar from "@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-hcl.wasm";
     export const parserFiles = () => ({ runtime, grammar });`,
  ),
  redirect(/^web-tree-sitter$/, join(root, "node_modules/web-tree-sitter/web-tree-sitter.cjs")),
  // It looks for its files beside itself, unless it is given them.
  replace(
    /web-tree-sitter\.cjs$/,
    `const __dirname = "";\n${read("node_modules/web-tree-sitter/web-tree-sitter.cjs")}`,
  ),
];

/** Adds the answers that need every definition, each in a separate file: one process in three sends them. */
export async function preparedAnswers(): Promise<Plugin[]> {
  const answers = Object.entries(await encodeAnswers(createServer(provider)));
  const loaders = answers.map(([call]) => `${call}: async () => (await import("prepared:${call}")).bytes`);
  return [
    replace(/src\/prepared-answers\.ts$/, `export const preparedAnswers = { ${loaders.join(", ")} };`),
    ...answers.map(([call, bytes]) => provide(`prepared:${call}`, bytesModule("bytes", bytes))),
  ];
}

/** Adds build results where the sources have a placeholder. */
function replace(filter: RegExp, contents: string): Plugin {
  return {
    name: "replace",
    setup: (build) => build.onLoad({ filter }, () => ({ contents, loader: "js" })),
  };
}

/** Takes another file than the one that an import names. */
function redirect(filter: RegExp, path: string): Plugin {
  return { name: "redirect", setup: (build) => build.onResolve({ filter }, () => ({ path })) };
}

/** A module that exists only in a build. */
function provide(name: string, contents: string): Plugin {
  return {
    name: "provide",
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: "provided" }));
      build.onLoad({ filter: new RegExp(`^${name}$`), namespace: "provided" }, () => ({ contents, loader: "js" }));
    },
  };
}

function bytesModule(name: string, bytes: Uint8Array): string {
  const base64 = JSON.stringify(Buffer.from(bytes).toString("base64"));
  return `export const ${name} = Buffer.from(${base64}, "base64");`;
}

/** Records every file that is part of the bundle. */
function recordInputs(inputs: string[]): Plugin {
  return {
    name: "record-inputs",
    setup(build) {
      build.initialOptions.metafile = true;
      build.onEnd(({ metafile }) => {
        for (const output of Object.values(metafile?.outputs ?? {})) {
          for (const [path, { bytesInOutput }] of Object.entries(output.inputs))
            if (bytesInOutput > 0) inputs.push(path);
        }
      });
    },
  };
}
