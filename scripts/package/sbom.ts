import type { Licensed } from "../licenses.ts";

/** A CycloneDX component: https://cyclonedx.org/docs/1.5/json/#components */
interface Component {
  type: "application" | "library" | "platform";
  name: string;
  version: string;
  purl: string;
  licenses?: { expression: string }[];
}

/**
 * The components of the executable, as CycloneDX 1.5. Derived from the bundle instead of `npm sbom`, which describes
 * what is installed: it lists packages that are never shipped and leaves out those that a development tool shares.
 */
export function sbom([program, runtime, ...packages]: readonly Licensed[]): string {
  if (!program || !runtime) throw new Error("an executable contains at least a program and its runtime");
  return `${JSON.stringify(
    {
      bomFormat: "CycloneDX",
      specVersion: "1.5",
      version: 1,
      metadata: { component: component(program, "application") },
      components: [component(runtime, "platform"), ...packages.map((each) => component(each, "library"))],
    },
    null,
    2,
  )}\n`;
}

function component({ name, version, license }: Licensed, type: Component["type"]): Component {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { type, name, version, purl, licenses: [{ expression: license }] };
}
