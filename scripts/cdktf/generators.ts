import { createRequire } from "node:module";

/** What both generators have in common; neither ships types that the current compiler accepts. */
interface ProviderGenerator {
  generateAll(): void;
  save(folder: string): Promise<void>;
}

type Generator = new (code: { indentation: number }, schema: object) => ProviderGenerator;
type CodeMaker = new () => { indentation: number };

export interface Flavour {
  /** The library of the bindings. */
  readonly library: "cdktn" | "cdktf";
  readonly version: string;
  generate(schema: object, folder: string): Promise<void>;
}

const require = createRequire(import.meta.url);

/** The maintained successor first, then the project from which it was forked. */
export function flavours(): Flavour[] {
  // Both run `terraform version` when they are loaded, and print its warnings.
  process.env["CDKTF_LOG_LEVEL"] = "OFF";
  return [
    flavour("cdktn", () => require("@cdktn/provider-generator") as never),
    // Its index requires a package that it does not declare, so the modules behind the index are imported.
    flavour("cdktf", () => {
      const inside = createRequire(require.resolve("@cdktf/provider-generator/package.json"));
      return { ...inside("./lib/get/generator/provider-generator"), ...inside("codemaker") };
    }),
  ];
}

function flavour(
  library: Flavour["library"],
  load: () => { readonly TerraformProviderGenerator: Generator; readonly CodeMaker: CodeMaker },
): Flavour {
  const { version } = require(`${library}/package.json`) as { version: string };
  return {
    library,
    version,
    async generate(schema, folder) {
      const { TerraformProviderGenerator, CodeMaker } = load();
      const code = new CodeMaker();
      code.indentation = 2;
      const generator = new TerraformProviderGenerator(code, schema);
      generator.generateAll();
      await generator.save(folder);
    },
  };
}
