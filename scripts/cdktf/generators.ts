import { createRequire } from "node:module";

/** What both generators have in common; neither ships types that today's compiler takes. */
interface ProviderGenerator {
  generateAll(): void;
  save(folder: string): Promise<void>;
}

type Generator = new (code: { indentation: number }, schema: object) => ProviderGenerator;
type CodeMaker = new () => { indentation: number };

export interface Flavour {
  /** The library the bindings are for. */
  readonly library: "cdktn" | "cdktf";
  readonly version: string;
  generate(schema: object, folder: string): Promise<void>;
}

const require = createRequire(import.meta.url);

/** The maintained successor first, then what it was forked from. */
export function flavours(): Flavour[] {
  // Both ask `terraform version` when they are loaded, and pass its complaints on.
  process.env["CDKTF_LOG_LEVEL"] = "OFF";
  return [
    flavour("cdktn", () => require("@cdktn/provider-generator") as never),
    // Its index needs a package that it does not declare, so what is behind the index is taken.
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
